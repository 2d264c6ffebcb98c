"""Which example comes next, what is done and what is left.

A queue is a list of rows that does not change while people decide: the third of 244 is the third
today and tomorrow. A decision only changes what is left to do in it. So anything that needs all
examples is computed once per queue, and each later step takes no longer with a million examples
than with a thousand.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from curation.core.matrix import IntArray
from curation.review.example_status import Codes

BACK, AHEAD = 2, 16  # the size of a window: steps behind, and undecided examples ahead
CHUNK = 4096  # places searched at a time


@dataclass(frozen=True)
class Step:
    """One place in a queue: its number, its row, and whether it is still to do."""

    place: int
    row: int
    todo: bool


def find_ahead(
    rows: IntArray, codes: Codes, wanted: Collection[int], start: int, count: int
) -> list[int]:
    """Return the next places after `start` that are still to do, wrapping around at the end.

    >>> rows, codes = np.array([4, 3, 2, 1, 0]), np.array([0, 0, 1, 0, 1], dtype=np.int8)
    >>> find_ahead(rows, codes, {0}, 3, 9)  # rows 0, 1 and 3 are to do, at the places 4, 3 and 1
    [4, 1, 3]
    """
    found: list[int] = []
    size = len(rows)
    for first in range(start + 1, start + 1 + size, CHUNK):
        places = np.arange(first, min(first + CHUNK, start + 1 + size)) % size
        todo = np.isin(codes[rows[places]], list(wanted))
        found += places[todo].tolist()
        if len(found) >= count:
            break
    return found[:count]


def find_window(
    rows: IntArray,
    codes: Codes,
    wanted: Collection[int],
    place: int,
    *,
    back: int = BACK,
    ahead: int = AHEAD,
) -> list[Step]:
    """Return the steps around a place, in the order they are visited.

    They are the neighbours on both sides, decided or not, and the next ones to do; those after the
    end of the queue come last. No step to do between the place and the last step is left out.

    >>> codes = np.array([0, 1, 1, 1, 0, 1, 0], dtype=np.int8)
    >>> [step.place for step in find_window(np.arange(7), codes, {0}, 3, back=1, ahead=3)]
    [2, 3, 4, 6, 0]
    """
    size = len(rows)
    near = set(range(max(0, place - back), min(size, place + back + 1)))
    onward = find_ahead(rows, codes, wanted, place, ahead)
    places = sorted({*near, *(each for each in onward if each > place)})
    places += [each for each in onward if each < place and each not in near]
    todo = np.isin(codes[rows[np.array(places, dtype=np.int64)]], list(wanted))
    return [
        Step(each, int(rows[each]), bool(is_todo))
        for each, is_todo in zip(places, todo, strict=True)
    ]


def find_place(rows: IntArray, row: int, hint: int = -1) -> int | None:
    """Return the place of a row in a queue; `hint` is the place where it was last seen."""
    if 0 <= hint < len(rows) and rows[hint] == row:
        return hint
    places = np.flatnonzero(rows == row)
    return int(places[0]) if len(places) else None
