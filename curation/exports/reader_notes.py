"""What a reader of an export has to know, for the manifest, the report and the page."""

from __future__ import annotations

from curation.review.cleaning_plan import Plan
from curation.store.actions import Action
from curation.wording import count_of


def make_notes(plan: Plan) -> list[str]:
    """Return, in sentences, what a reader of the export has to know."""
    settings, counts, source = plan.settings, plan.counts, plan.dataset.source
    notes = list(plan.classes.warnings)
    if settings.spreadsheet_safe:
        notes.append(
            "Spreadsheet-safe: in CSV files, cells that begin with = + - @, a tab or a CR have "
            "an apostrophe in front. Do not train on these; export without this option instead."
        )
    if counts[Action.AMBIGUOUS] and settings.ambiguous == "leave":
        notes.append(
            f"{count_of(counts['ambiguous'], 'ambiguous example')}: the given label stays."
        )
    if counts["pruned"]:
        notes.append(f"{count_of(counts['pruned'], 'flagged example')} pruned without a decision.")
    if settings.excluded == "flag" and source.format == "npy" and counts["excluded"]:
        notes.append("An array cannot hold a flag column; the flags are in keep_mask.npy.")
    if plan.classes.changed and not settings.apply_merges:
        notes.append(
            f"{count_of(len(plan.classes.changed), 'class', 'classes')} merged or renamed by "
            "curators. The cleaned labels do not show this because apply_merges is off; "
            "class_map.csv does."
        )
    if counts["misfits"]:
        notes.append(f"{count_of(counts['misfits'], 'decision')} not applied: the dataset changed.")
    if counts["left_out_by_policy"]:
        left = count_of(counts["left_out_by_policy"], "example")
        notes.append(f"Curators disagree on {left}; under the policy, the given label stays.")
    return notes
