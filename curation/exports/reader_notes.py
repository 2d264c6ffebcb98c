"""What a reader of an export should know, for the manifest, the report and the page."""

from __future__ import annotations

from collections.abc import Iterator

from curation.loading.formats.id_label_table import ExportedAsTable
from curation.loading.formats.registry import BY_NAME
from curation.review.cleaning_plan import Plan
from curation.store.actions import Action
from curation.wording import count_of, list_first

MAX_NAMED = 10  # classes that a note names


def make_notes(plan: Plan) -> list[str]:
    """Return what a reader of the export should know, as sentences."""
    return [
        *plan.classes.warnings,
        *_describe_cells(plan),
        *_describe_undecided(plan),
        *_describe_label_file(plan),
        *_describe_merged(plan),
        *_describe_added(plan),
        *_describe_unapplied(plan),
    ]


def _describe_cells(plan: Plan) -> Iterator[str]:
    if plan.settings.spreadsheet_safe:
        yield (
            "Spreadsheet-safe: in CSV files, cells that begin with = + - @, a tab or a CR have "
            "an apostrophe in front. Do not train on these; export without this option instead."
        )


def _describe_undecided(plan: Plan) -> Iterator[str]:
    """Yield what happened to examples that no decision gave a single label."""
    settings, counts = plan.settings, plan.counts
    if counts[Action.AMBIGUOUS] and settings.ambiguous == "leave":
        yield f"{count_of(counts['ambiguous'], 'example')} with both labels: the given label stays."
    if counts["pruned"]:
        yield f"{count_of(counts['pruned'], 'flagged example')} pruned without a decision."
    if counts["suggestions_taken"]:
        yield (
            f"{count_of(counts['suggestions_taken'], 'flagged example')} took the suggested label "
            f"without a decision: the model gives it {settings.min_confidence:g} or more."
        )


def _describe_label_file(plan: Plan) -> Iterator[str]:
    format_ = BY_NAME[plan.dataset.source.format]
    if plan.settings.excluded == "flag" and format_.no_flags and plan.counts["excluded"]:
        yield f"{format_.no_flags}; the flags are in keep_mask.npy."
    if isinstance(format_, ExportedAsTable):
        yield (
            f"{format_.origin}, so they are not written back: cleaned_labels.csv "
            "is a table of ids and labels."
        )


def _describe_merged(plan: Plan) -> Iterator[str]:
    if plan.classes.changed and not plan.settings.apply_merges:
        yield (
            f"{count_of(len(plan.classes.changed), 'class', 'classes')} merged or renamed by "
            "curators. class_map.csv lists them; the cleaned labels keep the given classes, unless "
            "you choose to write merged and renamed classes into the labels."
        )


def _describe_unapplied(plan: Plan) -> Iterator[str]:
    counts = plan.counts
    if counts["misfits"]:
        yield f"{count_of(counts['misfits'], 'decision')} not applied: the dataset changed."
    if counts["left_out_by_policy"]:
        left = count_of(counts["left_out_by_policy"], "example")
        yield f"Curators disagree on {left}; under the policy, the given label stays."


def _describe_added(plan: Plan) -> list[str]:
    """Return what a reader should know about classes that curators added."""
    every = plan.every_class
    if not every.added:
        return []
    listed = [every.describe(label) for label in every.list_added()]
    shared = sorted(set(plan.classes.names) & {each.name for each in every.added})
    return [
        f"{count_of(len(listed), 'class', 'classes')} added by curators: "
        f"{list_first(listed, MAX_NAMED, between='; ')}. class_map.csv lists them. No "
        "model knows them yet: the estimates, matrices and weights leave them out.",
        *(f"Curators added the class {name!r}, and another class now has that name too."
          for name in shared),
    ]  # fmt: skip
