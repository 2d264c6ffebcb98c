"""What a queue holds, in words: one line above it."""

from __future__ import annotations

from collections.abc import Sequence

from curation import wording
from curation.review.queue_filters import RANDOM, SCOPES, Filters

MAX_CLASSES_NAMED = 3


def describe_filters(filters: Filters, names: Sequence[str], new_label: str = "") -> str:
    """Return which examples the filters let pass, in which order.

    `new_label` is the name of the class that they were given, if the filters ask for one.
    """
    parts = [_describe_classes(filters, names), *_describe_rest(filters)]
    if filters.new_label is not None:
        parts.append(f"relabelled to {wording.isolate(new_label or filters.new_label)}")
    if filters.scope != "flagged":
        parts.insert(0, wording.SCOPE_NAMES[filters.scope])
    if not SCOPES[filters.scope].is_ordered:
        parts.append(_describe_order(filters))
    return " · ".join(parts)


def _describe_classes(filters: Filters, names: Sequence[str]) -> str:
    if filters.pair is not None:
        one, other = (wording.isolate(names[each]) for each in filters.pair)
        return f"{one} ↔ {other}"
    if not filters.given and not filters.suggested:
        return "all classes"
    given, suggested = (
        _list_names([names[each] for each in labels])
        for labels in (filters.given, filters.suggested)
    )
    return wording.from_to(given, suggested)


def _list_names(names: Sequence[str]) -> str:
    if not names:
        return "any"
    if len(names) > MAX_CLASSES_NAMED:
        return f"{len(names)} classes"
    return " or ".join(names)


def _describe_rest(filters: Filters) -> list[str]:
    parts = []
    if filters.margin is not None:
        low, high = (f"{each:.2f}".replace("-", "−") for each in filters.margin)
        parts.append(f"margin {low} to {high}")
    if filters.column is not None and (filters.value is not None or filters.cell.strip()):
        cell = filters.value if filters.value is not None else filters.cell.strip()
        parts.append(f"{wording.isolate(filters.column)}: “{wording.isolate(cell)}”")
    if filters.search.strip():
        parts.append(f"“{wording.isolate(filters.search.strip())}”")
    parts += [wording.ACTION_NAMES[each] for each in filters.actions]
    parts += [wording.ISSUE_KIND_NAMES[each] for each in filters.kinds]
    if filters.curator is not None:
        parts.append(f"decided by {wording.isolate(filters.curator)}")
    if filters.note.strip():
        parts.append(f"note “{wording.isolate(filters.note.strip())}”")
    parts += [f"#{wording.isolate(tag)}" for tag in filters.tags]
    if filters.area:
        parts.append("a part of the map")
    return parts


def _describe_order(filters: Filters) -> str:
    if filters.order == RANDOM:
        return f"random sample, seed {filters.seed}"
    name = wording.QUEUE_ORDER_NAMES[filters.order]
    return name if filters.order == "file" else f"ordered by {name}"
