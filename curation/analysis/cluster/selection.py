"""The k-th largest value of many groups, whose values are spread over many shards.

Each round counts, in every shard, how many values of a group are in each of a few bins; the counts
are added up, and the next round looks into the bin with the k-th value. Once few values are left,
they are sent themselves. Equal values are told apart by their index, the lower first, in the same
way. So the result is exact, and a message has at most BINS counts or MAX_CANDIDATES values per
group.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curation.analysis.compact_arrays import shrink_counts
from curation.core.matrix import BoolArray, FloatArray, IntArray

BINS = 32
MAX_CANDIDATES = 32
WIDEST = 4.0  # no score is as far from 0: a margin is the difference of two probabilities


@dataclass(frozen=True)
class Search:
    """Where each group's value is looked for in one round.

    Scores from `low` to below `high` are counted; where `tie` is a number, only examples with this
    score, by their index with a minus sign. Where `gather` is set, they are sent themselves.
    """

    low: FloatArray
    high: FloatArray
    tie: FloatArray
    gather: BoolArray

    def keys(self, groups: IntArray, scores: FloatArray, index: IntArray) -> FloatArray:
        """Return what is compared in this round; -inf for what is no longer in question."""
        tie = self.tie[groups]
        return np.where(np.isnan(tie), scores, np.where(scores == tie, -index, -np.inf))


@dataclass(frozen=True)
class Tally:
    """What one or several shards hold of each group, within the search."""

    counts: NDArray[Any]  # (groups, BINS) in the smallest type that holds them
    lowest: FloatArray  # (groups,) of the counted keys
    highest: FloatArray
    groups: IntArray  # of the candidates
    scores: FloatArray
    index: IntArray


@dataclass(frozen=True)
class Cuts:
    """Which examples each group chooses: scores above `score`, and at it up to `index`."""

    score: FloatArray
    index: IntArray

    def choose(self, groups: IntArray, scores: FloatArray, index: IntArray) -> BoolArray:
        cut = self.score[groups]
        return np.asarray((scores > cut) | ((scores == cut) & (index <= self.index[groups])))


Entries = Iterable[tuple[IntArray, FloatArray, IntArray]]  # groups, scores, index of examples


def edge(low: FloatArray, high: FloatArray, place: IntArray) -> FloatArray:
    """Return the lower edges of bins; the same on every machine."""
    inner = low + (high - low) * (place / BINS)
    return np.where(place >= BINS, high, np.minimum(inner, high))


def tally_entries(search: Search, entries: Entries) -> Tally:
    """Return what the entries of a shard hold of each group, within the search."""
    num_groups = len(search.low)
    counts = np.zeros(num_groups * BINS, np.int64)
    lowest, highest = np.full(num_groups, np.inf), np.full(num_groups, -np.inf)
    sent: list[tuple[IntArray, FloatArray, IntArray]] = []
    for groups, scores, index in entries:
        keys = search.keys(groups, scores, index)
        inside = (keys >= search.low[groups]) & (keys < search.high[groups])
        groups, scores, index, keys = groups[inside], scores[inside], index[inside], keys[inside]
        gathered = search.gather[groups]
        sent.append((groups[gathered], scores[gathered], index[gathered]))
        groups, keys = groups[~gathered], keys[~gathered]
        np.minimum.at(lowest, groups, keys)
        np.maximum.at(highest, groups, keys)
        bins = _find_bins(search.low[groups], search.high[groups], keys)
        counts += np.bincount(groups * BINS + bins, minlength=len(counts))
    columns = [np.concatenate(each) for each in zip(*sent, strict=True)] if sent else None
    chosen = columns or [np.empty(0, np.int64), np.empty(0), np.empty(0, np.int64)]
    return Tally(shrink_counts(counts.reshape(-1, BINS)), lowest, highest, *chosen)


def _find_bins(low: FloatArray, high: FloatArray, keys: FloatArray) -> IntArray:
    """Return the bin of each key by the edges themselves; dividing alone may be off by one."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        near = (keys - low) / (high - low) * BINS
    bins = np.clip(np.nan_to_num(near), 0, BINS - 1).astype(np.int64)
    while (too_high := keys < edge(low, high, bins)).any():
        bins -= too_high
    while (too_low := keys >= edge(low, high, bins + 1)).any():
        bins += too_low
    return bins


def merge_tallies(tallies: Sequence[Tally]) -> Tally:
    """Return what several shards hold together."""
    return Tally(
        shrink_counts(np.sum([each.counts for each in tallies], axis=0, dtype=np.int64)),
        np.min([each.lowest for each in tallies], axis=0),
        np.max([each.highest for each in tallies], axis=0),
        *(
            np.concatenate([getattr(each, name) for each in tallies])
            for name in ("groups", "scores", "index")
        ),
    )


def find_cuts(
    numbers: IntArray,
    tally: Callable[[IntArray, Search], Tally],
    num_examples: int,
    *,
    exact: bool = False,
) -> Cuts:
    """Return the cuts with which each group g chooses its `numbers[g]` largest scores.

    `tally(groups, search)` counts some of the groups in all shards. Every group must have at least
    as many examples as it chooses, and choose at least one. With `exact`, the score of a cut is
    that of the last example chosen; otherwise it may be anything between that and the next.
    """
    count = len(numbers)
    need = numbers.copy()
    low, high, no_tie = (np.full(count, each) for each in (-WIDEST, WIDEST, np.nan))
    search = Search(low, high, no_tie, np.zeros(count, bool))
    cuts = Cuts(np.full(count, np.nan), np.full(count, num_examples))
    left = np.arange(count)
    while len(left):
        seen = tally(left, _take(search, left))
        _settle_gathered(left, seen, search, need, cuts)
        _narrow(left, seen, search, need, cuts, num_examples, exact=exact)
        left = left[np.isnan(cuts.score[left])]
    return cuts


def _take(search: Search, groups: IntArray) -> Search:
    return Search(
        search.low[groups], search.high[groups], search.tie[groups], search.gather[groups]
    )


def _settle_gathered(
    left: IntArray, seen: Tally, search: Search, need: IntArray, cuts: Cuts
) -> None:
    """Settle the groups whose candidates were sent: the last of those needed is the cut."""
    order = np.lexsort((seen.index, -seen.scores, seen.groups))
    groups, scores, index = (each[order] for each in (seen.groups, seen.scores, seen.index))
    here = np.flatnonzero(search.gather[left])
    last = np.searchsorted(groups, here) + need[left[here]] - 1
    cuts.score[left[here]], cuts.index[left[here]] = scores[last], index[last]


def _narrow(
    left: IntArray,
    seen: Tally,
    search: Search,
    need: IntArray,
    cuts: Cuts,
    num_examples: int,
    *,
    exact: bool,
) -> None:
    """Look into one bin of each other group next time, or settle it if that is decided."""
    here = np.flatnonzero(~search.gather[left])
    groups, counts = left[here], seen.counts[here].astype(np.int64)
    lowest, highest = seen.lowest[here], seen.highest[here]
    equal = (lowest == highest) & np.isnan(search.tie[groups])
    all_needed = equal & (need[groups] == counts.sum(axis=1))
    cuts.score[groups[all_needed]] = lowest[all_needed]
    tied = equal & ~all_needed
    search.tie[groups[tied]] = lowest[tied]  # next time, by their index
    search.low[groups[tied]], search.high[groups[tied]] = -num_examples, 1
    _enter_bins(
        groups[~equal], counts[~equal], lowest[~equal], highest[~equal], search, need, cuts,
        exact=exact,
    )  # fmt: skip


def _enter_bins(
    groups: IntArray,
    counts: IntArray,
    lowest: FloatArray,
    highest: FloatArray,
    search: Search,
    need: IntArray,
    cuts: Cuts,
    *,
    exact: bool,
) -> None:
    """Narrow each group's search to the bin with its value; settle it if all there are needed."""
    from_top = np.cumsum(counts[:, ::-1], axis=1)[:, ::-1]  # in this bin and all above it
    bins = (from_top >= need[groups][:, None]).sum(axis=1) - 1
    rows = np.arange(len(groups))
    inside = counts[rows, bins]
    need[groups] -= from_top[rows, bins] - inside
    low, high = search.low[groups], search.high[groups]
    search.low[groups] = np.maximum(edge(low, high, bins), lowest)
    search.high[groups] = np.minimum(edge(low, high, bins + 1), np.nextafter(highest, np.inf))

    in_ties = ~np.isnan(search.tie[groups])
    done = (need[groups] == inside) & (not exact or in_ties)
    search.gather[groups] = ~done & (inside <= MAX_CANDIDATES)
    ended, tied = groups[done & ~in_ties], groups[done & in_ties]
    cuts.score[ended] = search.low[ended]
    cuts.score[tied] = search.tie[tied]
    cuts.index[tied] = np.floor(-search.low[tied]).astype(np.int64)
