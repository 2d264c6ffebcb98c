"""What a reader of an export should know, for the manifest, the report and the page."""

from __future__ import annotations

from curation.loading.formats.id_label_table import ExportedAsTable
from curation.loading.formats.registry import BY_NAME
from curation.review.cleaning_plan import Plan
from curation.store.actions import Action
from curation.wording import count_of

MAX_NAMED = 10  # classes that a note names


def make_notes(plan: Plan) -> list[str]:
    """Return what a reader of the export should know, as sentences."""
    settings, counts = plan.settings, plan.counts
    format_ = BY_NAME[plan.dataset.source.format]
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
    if settings.excluded == "flag" and format_.no_flags and counts["excluded"]:
        notes.append(f"{format_.no_flags}; the flags are in keep_mask.npy.")
    if isinstance(format_, ExportedAsTable):
        notes.append(
            f"{format_.origin}, so they are not written back: cleaned_labels.csv "
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
