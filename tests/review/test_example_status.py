"""How many examples have each status: the counts that every page and file shows."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from curation.review.example_status import CODE_OF, count_dataset, count_statuses
from curation.store.actions import Action

CODES = st.lists(st.integers(0, len(Action)), min_size=1, max_size=40)


def test_every_status_is_counted_for_the_flagged_and_for_all():
    #                 keep relabel both exclude skip second-look undecided, then one not flagged
    codes = np.array([1, 2, 3, 4, 5, 6, 0, 0, 1], np.int8)
    disputed = np.array([True, *[False] * 7, True])
    counts = count_dataset(codes, np.arange(8), disputed)
    flagged = counts.flagged
    assert (flagged.total, flagged.decided, flagged.skipped, flagged.second_look) == (8, 4, 1, 1)
    assert counts.left == flagged.undecided == 2
    assert (counts.everything.total, counts.everything.decided) == (9, 5)
    assert counts.disputed == 2


@given(CODES)
def test_an_example_has_exactly_one_status(codes):
    counts = count_statuses(np.array(codes, np.int8))
    assert counts.total == len(codes) == (
        counts.decided + counts.skipped + counts.second_look + counts.undecided
    )  # fmt: skip
    final = {CODE_OF[action] for action in Action if action.is_final}
    assert counts.decided == sum(code in final for code in codes)
