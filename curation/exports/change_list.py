"""What an export changes, row by row: before, after, who decided it, when and why."""

from __future__ import annotations

from dataclasses import dataclass

from curation.review.cleaning_plan import Plan
from curation.wording import METHOD_NAMES


@dataclass(frozen=True)
class Change:
    """One row that changes, in words."""

    id: str
    before: str
    after: str
    by: str
    when: str  # UTC; empty if no person decided it
    note: str


def list_changes(plan: Plan, limit: int) -> list[Change]:
    """Return the first changes; what a person decided comes before everything else."""
    names = plan.every_class.names
    return [_describe(plan, names, row) for row in plan.changes[:limit].tolist()]


def _describe(plan: Plan, names: tuple[str, ...], row: int) -> Change:
    dataset = plan.dataset
    decided = plan.decision(row) if plan.is_changed_by_a_person(row) else None
    return Change(
        id=str(dataset.ids[row]),
        before=names[int(dataset.labels[row])],
        after=_describe_after(plan, names, row),
        by=decided.curator if decided else _describe_cause(plan, row),
        when=decided.time[:16].replace("T", " ") if decided else "",
        note=decided.note if decided else "",
    )


def _describe_after(plan: Plan, names: tuple[str, ...], row: int) -> str:
    if plan.out[row]:
        return "(marked)" if plan.settings.excluded == "flag" else "(row removed)"
    label = int(plan.new_labels[row])
    merged = plan.settings.apply_merges and label in plan.classes.changed
    return plan.classes.names[label] if merged else names[label]


def _describe_cause(plan: Plan, row: int) -> str:
    """Return why a row changes that nobody decided."""
    if plan.taken[row]:
        return "suggestion taken without a decision"
    if plan.pruned[row]:
        return f"pruned: {METHOD_NAMES[plan.settings.undecided].lower()}"
    return "its class was merged or renamed"
