"""Which example comes next, and what is left."""

from __future__ import annotations

import numpy as np

from curation.review import review_queue


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
