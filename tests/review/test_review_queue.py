"""Which example comes next, and what is left."""

from __future__ import annotations

import numpy as np
import pytest

from curation.review import review_queue
from curation.review.review_queue import Filters


def test_a_queue_holds_the_flagged_rows_the_most_suspect_first(findings):
    assert review_queue.find_rows(findings, Filters()).tolist() == [4, 6, 1]
    assert review_queue.find_rows(findings, Filters(given=1)).tolist() == []
    assert review_queue.find_rows(findings, Filters(given=0, suggested=1)).tolist() == [4, 6, 1]


@pytest.mark.parametrize(
    ("search", "rows"), [("E6", [6]), ("text 1", [1]), (" south ", [4, 6]), ("nowhere", [])]
)
def test_a_search_covers_id_text_and_other_columns_and_ignores_case(findings, pets, search, rows):
    queue = review_queue.find_rows(findings, Filters())
    assert review_queue.search_rows(pets, queue, search).tolist() == rows
    assert review_queue.search_rows(pets, queue, "  ") is queue


def test_a_window_never_leaves_out_an_example_to_do():
    rng = np.random.default_rng(7)
    for _ in range(300):
        size = int(rng.integers(1, 40))
        rows = rng.permutation(60)[:size]
        codes = rng.integers(0, 2, 60).astype(np.int8)
        place, ahead = int(rng.integers(size)), int(rng.integers(1, 9))
        steps = review_queue.find_window(rows, codes, (0,), place, back=2, ahead=ahead)
        places = [step.place for step in steps]
        assert len(set(places)) == len(places)
        assert {place - 1, place, place + 1} & set(range(size)) <= set(places)
        # Walking round from the place, everything to do up to the last of the window is in it.
        round_trip = [(place + offset) % size for offset in range(1, size)]
        todo = [each for each in round_trip if codes[rows[each]] == 0]
        assert set(todo[:ahead]) <= set(places)
        assert all(step.todo == (codes[step.row] == 0) for step in steps)
        if len(todo) < ahead:
            assert set(todo) <= set(places)


def test_statuses_of_a_queue_are_counted():
    codes = np.array([0, 1, 2, 5, 6, 0], dtype=np.int8)  # keep, relabel, skip, needs review
    counts = review_queue.count_states(np.arange(5), codes)
    assert counts == {
        "undecided": 1, "decided": 2, "skipped": 1, "needs_review": 1, "all": 5, "kept": 1,
    }  # fmt: skip
