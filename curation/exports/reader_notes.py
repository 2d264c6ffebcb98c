"""What a reader of an export should know, for the manifest, the report and the page."""

from __future__ import annotations

from curation.review.cleaning_plan import Plan
from curation.store.actions import Action
from curation.wording import count_of

MAX_NAMED = 10  # classes that a note names
WRITTEN_ELSEWHERE = {
    "majority": "The labels are what most annotators say",
    "splits": "The labels come from several splits",
    "headless": "The labels are in a CSV file without a header",
    "parts": "The labels are in several files",
    "nested": "The labels are inside objects that may say more about them",
    "labelbox": "The labels are in an export of Labelbox",
    "fiftyone": "The labels are in an export of FiftyOne",
    "arrow": "The labels are in an Arrow file",
    "label_studio": "The labels are in an export of Label Studio",
    "argilla": "The labels are in an export of Argilla",
    "json columns": "The labels are in a JSON file that is not an array of objects",
}


def make_notes(plan: Plan) -> list[str]:
    """Return what a reader of the export should know, as sentences."""
    settings, counts, source = plan.settings, plan.counts, plan.dataset.source
    notes = list(plan.classes.warnings)
    if settings.spreadsheet_safe:
        notes.append(
            "Spreadsheet-safe: in CSV files, cells that begin with = + - @, a tab or a CR have "
            "an apostrophe in front. Do not train on these; export without this option instead."
        )
    if counts[Action.AMBIGUOUS] and settings.ambiguous == "leave":
        notes.append(
            f"{count_of(counts['ambiguous'], 'example')} with both labels: the given label stays."
        )
    if counts["pruned"]:
        notes.append(f"{count_of(counts['pruned'], 'flagged example')} pruned without a decision.")
    if counts["suggestions_taken"]:
        notes.append(
            f"{count_of(counts['suggestions_taken'], 'flagged example')} took the suggested label "
            f"without a decision: the model gives it {settings.min_confidence:g} or more."
        )
    if settings.excluded == "flag" and source.format in ("npy", "txt") and counts["excluded"]:
        kind = "An array" if source.format == "npy" else "A text file"
        notes.append(f"{kind} cannot hold a flag column; the flags are in keep_mask.npy.")
    if source.format in WRITTEN_ELSEWHERE:
        notes.append(
            f"{WRITTEN_ELSEWHERE[source.format]}, so they are not written back: cleaned_labels.csv "
            "is a table of ids and labels."
        )
    if plan.classes.changed and not settings.apply_merges:
        notes.append(
            f"{count_of(len(plan.classes.changed), 'class', 'classes')} merged or renamed by "
            "curators. class_map.csv lists them; the cleaned labels keep the given classes, unless "
            "you choose to write merged and renamed classes into the labels."
        )
    notes += _describe_added(plan)
    if counts["misfits"]:
        notes.append(f"{count_of(counts['misfits'], 'decision')} not applied: the dataset changed.")
    if counts["left_out_by_policy"]:
        left = count_of(counts["left_out_by_policy"], "example")
        notes.append(f"Curators disagree on {left}; under the policy, the given label stays.")
    return notes


def _describe_added(plan: Plan) -> list[str]:
    """Return what a reader should know about classes that curators added."""
    every = plan.every_class
    if not every.added:
        return []
    listed = [every.describe(label) for label in every.list_added()]
    more = f" and {len(listed) - MAX_NAMED:,} more" if len(listed) > MAX_NAMED else ""
    shared = sorted(set(plan.classes.names) & {each.name for each in every.added})
    return [
        f"{count_of(len(listed), 'class', 'classes')} added by curators: "
        f"{'; '.join(listed[:MAX_NAMED])}{more}. class_map.csv lists them. No model knows them "
        "yet: the estimates, matrices and weights leave them out.",
        *(f"Curators added the class {name!r}, and another class now has that name too."
          for name in shared),
    ]  # fmt: skip
