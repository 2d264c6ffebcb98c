"""Handing out the examples of a list: each to one curator, though several go through the list.

Whatever is about to be shown as the next to decide is claimed first (`store/example_claims`).
Examples that somebody else has in front of them get the code TAKEN, so that a list passes over them
like over those that are decided.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import cast

import numpy as np

from curation.core.matrix import IntArray
from curation.dataset import Dataset
from curation.errors import NotSavedError, StoreError
from curation.review.example_status import CODES, Codes, Status
from curation.review.ledger import Ledger
from curation.review.review_queue import AHEAD, find_ahead
from curation.store.example_claims import Claims

TAKEN = -1  # a code of no status: another curator has this example in front of them
CROWD, FEWEST = 4, 3  # nobody gets more than one of CROWD parts of what is free; FEWEST always
ROUNDS = 5  # tries to find examples that nobody claims at the same moment
# Lists of these are gone through by several curators; the others are for looking at.
HANDED_OUT: tuple[Status, ...] = ("undecided", "skipped", "needs_review")


@dataclass(frozen=True)
class Recipient:
    """Whom examples are handed to: one tab of one curator."""

    curator: str
    tab: str


def hand_out(
    ledger: Ledger,
    to: Recipient,
    codes: Codes,
    status: Status,
    choose: Callable[[Codes], Iterable[int]],
    *,
    is_new_list: bool = False,
) -> Codes:
    """Return the codes with all that this tab must not be given as TAKEN.

    `choose` returns the rows that would be shown, given codes. It is asked again until every row
    that it chooses and that is still to do is claimed for this tab. With `is_new_list`, the tab
    gives up what it held before.
    """
    claims, wanted = Claims(ledger.store), CODES[status]
    claimed = claims.find(to.curator, to.tab)
    codes = _take(codes, wanted, _find_rows(ledger, claimed.taken))
    # What this tab has settled, or set aside for a second look, is somebody else's to take up.
    finished = claimed.held.keys() - _name_todo(
        ledger, codes, wanted, _find_rows(ledger, claimed.held)
    )
    granted: frozenset[str] = frozenset()
    for _ in range(ROUNDS):
        chosen = _name_todo(ledger, codes, wanted, choose(codes))
        gives_up = is_new_list or not chosen
        if claimed.covers(chosen, exactly=gives_up) and not finished:
            return codes
        revisions = {each: ledger.state(each).revision for each in chosen}
        try:
            granted = claims.claim(
                revisions, curator=to.curator, tab=to.tab, release_others=gives_up, release=finished
            )
        except NotSavedError as error:
            granted = frozenset(claimed.held)
            if chosen and not granted:
                raise _not_handed_out_error(error) from error
            break
        if len(granted) == len(chosen):
            return codes
        codes = _take(codes, wanted, _find_rows(ledger, chosen - granted))
    keep = _find_rows(ledger, granted)
    rest = np.flatnonzero(np.isin(codes, list(wanted)))
    return _take(codes, wanted, np.setdiff1d(rest, keep))


def find_taken(ledger: Ledger, curator: str) -> IntArray:
    """Return the rows of the examples that other curators have in front of them now."""
    return _find_rows(ledger, Claims(ledger.store).find(curator, "").taken)


def find_share(rows: IntArray, codes: Codes, status: Status, start: int) -> tuple[int, bool]:
    """Return how many examples to show ahead, and whether they are all that is left.

    Whoever is alone gets a full window. With others at the same list, nobody gets more than a
    quarter of what is free, so that the end of a list is not all in front of one person.
    """
    if not (codes == TAKEN).any():  # of all examples: faster than to look up those of the list
        free = find_ahead(rows, codes, CODES[status], start, AHEAD)
        return AHEAD, len(free) < AHEAD
    free = find_ahead(rows, codes, CODES[status], start, AHEAD * CROWD)
    ahead = min(AHEAD, max(FEWEST, len(free) // CROWD))
    return ahead, len(free) <= ahead


def count_taken(codes: Codes, rows: IntArray) -> int:
    """Return how many examples of a list others have in front of them.

    >>> count_taken(np.array([0, TAKEN, 1, TAKEN], np.int8), np.array([0, 1, 2]))
    1
    """
    return int(np.count_nonzero(codes[rows] == TAKEN))


def _name_todo(
    ledger: Ledger, codes: Codes, wanted: Collection[int], rows: Iterable[int]
) -> set[str]:
    ids = cast(Dataset, ledger.store.dataset).ids
    return {str(ids[row]) for row in rows if codes[row] in wanted}


def _find_rows(ledger: Ledger, ids: Iterable[str]) -> IntArray:
    """Return the rows of examples; a claim may be left from when the dataset was another."""
    row_of = ledger.store.dataset.row_of
    return np.array([row_of[each] for each in ids if each in row_of], dtype=np.int64)


def _take(codes: Codes, wanted: Collection[int], rows: IntArray) -> Codes:
    """Return a copy of the codes in which these rows, if they are wanted, are TAKEN."""
    rows = rows[np.isin(codes[rows], list(wanted))]
    if not len(rows):
        return codes
    codes = codes.copy()
    codes[rows] = TAKEN
    return codes


def _not_handed_out_error(error: NotSavedError) -> StoreError:
    return StoreError(
        "No example can be handed out now: " + error.problem.removeprefix("NOT saved: "),
        error.remedy,
    )
