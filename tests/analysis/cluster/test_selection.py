"""The largest values of many groups, found by counting, are those that sorting finds."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.analysis.cluster.selection import (
    BINS,
    MAX_CANDIDATES,
    Search,
    edge,
    find_cuts,
    merge_tallies,
    tally_entries,
)


class Spread:
    """Scores of groups, spread over shards, and a record of what was sent."""

    def __init__(self, groups, scores, num_shards, rng):
        self.groups, self.scores = groups, scores
        self.shard = rng.integers(0, num_shards, len(groups))
        self.num_shards = num_shards
        self.rounds = 0
        self.most_sent = 0

    def tally(self, wanted, search):
        self.rounds += 1
        place = np.full(self.groups.max() + 1, -1)
        place[wanted] = np.arange(len(wanted))
        tallies = []
        for number in range(self.num_shards):
            mine = np.flatnonzero((self.shard == number) & (place[self.groups] >= 0))
            entries = [(place[self.groups[mine]], self.scores[mine], mine)]
            tallies.append(tally_entries(search, entries))
        merged = merge_tallies(tallies)
        self.most_sent = max(self.most_sent, len(merged.scores))
        return merged


def choose_by_sorting(groups, scores, numbers):
    mask = np.zeros(len(groups), bool)
    for group, number in enumerate(numbers):
        mine = np.flatnonzero(groups == group)
        order = np.lexsort((mine, -scores[mine]))
        mask[mine[order[:number]]] = True
    return mask


@given(
    seed=st.integers(0, 10_000),
    levels=st.sampled_from([1, 2, 3, 50, 10**9]),
    spacing=st.sampled_from([1.0, 1e-9, 5e-324]),
    exact=st.booleans(),
)
def test_cuts_choose_what_sorting_chooses_with_ties_by_index(seed, levels, spacing, exact):
    rng = np.random.default_rng(seed)
    groups = np.sort(rng.integers(0, 4, 300))
    rng.shuffle(groups)
    scores = (rng.integers(-levels, levels + 1, 300) / levels if spacing == 1.0 else
              rng.integers(-levels, levels + 1, 300) * spacing)  # fmt: skip
    scores = np.clip(scores, -1, 1)
    sizes = np.bincount(groups, minlength=4)
    numbers = np.array([rng.integers(1, size + 1) for size in sizes])
    spread = Spread(groups, scores, 3, rng)
    cuts = find_cuts(numbers, spread.tally, len(groups), exact=exact)
    chosen = cuts.choose(groups, scores, np.arange(len(groups)))
    assert np.array_equal(chosen, choose_by_sorting(groups, scores, numbers))
    if exact:
        last = [np.sort(scores[groups == g])[::-1][k - 1] for g, k in enumerate(numbers)]
        assert cuts.score.tolist() == last


def test_few_values_are_sent_however_many_there_are():
    rng = np.random.default_rng(0)
    groups, scores = rng.integers(0, 5, 100_000), rng.random(100_000)
    scores[:50_000] = 0.5  # half of them are equal
    spread = Spread(groups, scores, 4, rng)
    numbers = np.array([1, 10, 5_000, 10_000, 19_000])
    cuts = find_cuts(numbers, spread.tally, len(groups))
    chosen = cuts.choose(groups, scores, np.arange(len(groups)))
    assert np.array_equal(chosen, choose_by_sorting(groups, scores, numbers))
    assert spread.most_sent <= 5 * MAX_CANDIDATES
    assert spread.rounds <= 10


@pytest.mark.parametrize("low, high", [(-4.0, 4.0), (0.1, np.nextafter(0.1, 1)), (0.0, 5e-324)])
def test_every_value_is_in_the_bin_whose_edges_it_lies_between(low, high):
    places = np.arange(BINS + 1)
    edges = edge(np.full(BINS + 1, low), np.full(BINS + 1, high), places)
    assert edges[0] == low and edges[-1] == high and (np.diff(edges) >= 0).all()
    keys = np.unique(edges)[:-1]
    search = Search(*(np.array([each]) for each in (low, high, np.nan)), np.array([False]))
    tally = tally_entries(search, [(np.zeros(len(keys), int), keys, np.arange(len(keys)))])
    assert tally.counts.sum() == len(keys)
    expected = [np.searchsorted(edges, key, side="right") - 1 for key in keys]
    assert np.flatnonzero(tally.counts[0]).tolist() == expected
