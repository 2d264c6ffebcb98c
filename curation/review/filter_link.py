"""Filters as the parameters of a link, so that a filter can be shared, kept and saved.

What means nothing here, such as a class of another dataset, is left out and reported.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import TypeVar

from curation.analysis.findings import Method
from curation.dataset import Dataset
from curation.neighbours.map_area import read_area
from curation.review.example_status import STATUSES, Status
from curation.review.queue_filters import QUEUE_ORDERS, SCOPES, Filters
from curation.store.actions import Action, IssueKind

Choice = TypeVar("Choice", bound=StrEnum)

# The parameters of a link that say which examples are in the queue, and in which order.
PARAMETERS = (
    "scope", "status", "order", "seed", "given", "true", "pair", "margin", "column", "value",
    "cell", "search", "action", "kind", "to", "by", "note", "tag", "area", "queue",
)  # fmt: skip
MAX_SEED = 999_999
MARGINS = (-1.0, 1.0)  # the lowest and the highest there can be


def read_status(link: Mapping[str, str]) -> Status:
    """Return which status a link asks for."""
    return next((each for each in STATUSES if each == link.get("status")), "undecided")


def default_scope(status: Status) -> str:
    """Return the scope of a link that names none: what is left to decide is what was flagged.

    Any other status means all examples that have it, flagged or not.
    """
    return "flagged" if status == "undecided" else "all"


def read_filters(
    link: Mapping[str, str], dataset: Dataset, method: Method
) -> tuple[Filters, list[str]]:
    """Return the filters that a link asks for, and the parts that mean nothing here."""
    unknown: list[str] = []
    scope, column = link.get("scope"), link.get("column")

    def classes(name: str) -> tuple[int, ...]:
        return _read_classes(link.get(name, ""), dataset, unknown)

    pair = classes("pair")
    filters = Filters(
        method=method,
        scope=scope if scope in SCOPES else default_scope(read_status(link)),
        order=_pick(link.get("order"), QUEUE_ORDERS),
        seed=_read_seed(link.get("seed", "")),
        given=classes("given"),
        suggested=classes("true"),
        pair=(pair[0], pair[1]) if len(pair) == 2 else None,
        margin=_read_margin(link.get("margin", "")),
        column=column if column in dataset.extras else None,
        value=link.get("value") if column in dataset.extras else None,
        cell=link.get("cell", "") if column in dataset.extras else "",
        search=link.get("search", ""),
        actions=_read_choices(link.get("action", ""), Action),
        kinds=_read_choices(link.get("kind", ""), IssueKind),
        new_label=link.get("to") or None,
        curator=link.get("by") or None,
        note=link.get("note", ""),
        tags=tuple(dict.fromkeys(filter(None, link.get("tag", "").split(",")))),
        area=link.get("area", "") if read_area(link.get("area", "")) else "",
    )
    return filters, unknown


def _pick(text: str | None, choices: Sequence[str]) -> str:
    return next((each for each in choices if each == text), choices[0])


def _read_classes(text: str, dataset: Dataset, unknown: list[str]) -> tuple[int, ...]:
    """Return the classes that a link names: one in any way, or several by their index."""
    if not text:
        return ()
    one = dataset.find_class(text)
    if one is not None:
        return (one,)
    found = [dataset.find_class(each) for each in text.split(",")]
    if None in found:
        unknown.append(text)
    return tuple(dict.fromkeys(each for each in found if each is not None))


def _read_seed(text: str) -> int:
    is_number = text.isascii() and text.isdigit() and len(text) <= len(str(MAX_SEED))
    return int(text) if is_number else 0


def _read_margin(text: str) -> tuple[float, float] | None:
    """Return the limits of the margin; None where there are none.

    >>> _read_margin("-1,0.25"), _read_margin("nan,1"), _read_margin("low")
    ((-1.0, 0.25), None, None)
    """
    low, comma, high = text.partition(",")
    try:
        limits = (float(low), float(high))
    except ValueError:
        return None
    return limits if comma and MARGINS[0] <= limits[0] <= limits[1] <= MARGINS[1] else None


def _read_choices(text: str, kind: Callable[[str], Choice]) -> tuple[Choice, ...]:
    found = []
    for each in dict.fromkeys(text.split(",")):
        try:
            found.append(kind(each))
        except ValueError:
            continue
    return tuple(found)
