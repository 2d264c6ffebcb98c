"""What a worker does with one shard. Every task may run twice, and gives the same both times.

What has a row per example is read from and written to the work folder; what is returned is small
and can be merged with what other shards give, in any order.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from curation.analysis.cluster.findings_folder import name_part
from curation.analysis.cluster.selection import Cuts, Entries, Search, Tally, tally_entries
from curation.analysis.cluster.shards import (
    Shard,
    WorkFolder,
    open_shard,
    read_index,
    read_labels_of,
)
from curation.analysis.compact_arrays import shrink_floats
from curation.analysis.findings import name_masks
from curation.core import count
from curation.core.checks import FIRST_ROWS, Places, Survey
from curation.core.count import Collisions
from curation.core.matrix import BoolArray, FloatArray, IntArray
from curation.fingerprint import hash_bytes, hash_stream
from curation.loading.join.matrix_survey import survey_matrix

BLOCK_BYTES = 16 * 2**20  # of the matrix, whose margins are computed at once
MAX_SAVED_ENTRIES = 20_000_000  # of one shard; more are computed again in each round


@dataclass(frozen=True)
class Measured:
    """What the first reading of shards shows."""

    survey: Survey
    sums: FloatArray  # (m,) of the self-confidence of each class, exact
    hashes: dict[
        int, tuple[str, tuple[int, int, int]]
    ]  # by the number of the shard, with its stamp


def measure(shard: Shard, work: WorkFolder, block: Any = None) -> Measured:
    """Check the rows of a shard, save how sure the model is of each label, and add that up."""
    matrix, labels = open_shard(shard, work, block), read_labels_of(shard, work)
    counts = work.load("counts")["counts"]
    seen = survey_matrix(matrix, labels)
    confidence = np.minimum(seen.self_confidence, 1)
    work.save("confidence", shard.number, confidence=shrink_floats(confidence))
    usable = np.where(np.isfinite(confidence), confidence, 0)  # the survey says what is wrong
    sums = count.sum_by_class(labels, usable, counts)
    survey = _number_rows(seen.survey, read_index(shard, work))
    return Measured(survey, sums, {} if shard.path is None else {shard.number: _hash(shard.path)})


def _number_rows(survey: Survey, index: IntArray) -> Survey:
    """Return a survey whose rows are counted over all shards."""
    values: dict[str, Any] = {each.name: getattr(survey, each.name) for each in fields(Survey)}
    for name, each in values.items():
        if isinstance(each, Places):
            values[name] = Places(each.count, tuple(index[list(each.first)].tolist()))
    return Survey(**values)


def _hash(path: str) -> tuple[str, tuple[int, int, int]]:
    with open(path, "rb") as file:
        found = os.fstat(file.fileno())
        digest = hash_stream(file, found.st_size)
    return digest, (found.st_size, found.st_mtime_ns, found.st_ctime_ns)


def merge_measured(parts: Sequence[Measured]) -> Measured:
    surveys = [each.survey for each in parts]
    merged: dict[str, Any] = {
        "lowest": min(each.lowest for each in surveys),
        "highest": max(each.highest for each in surveys),
    }
    for name in (each.name for each in fields(Survey) if each.name not in merged):
        places = [getattr(each, name) for each in surveys]
        first = sorted(row for place in places for row in place.first)[:FIRST_ROWS]
        merged[name] = Places(sum(place.count for place in places), tuple(first))
    hashes = {number: each for part in parts for number, each in part.hashes.items()}
    sums = np.sum([each.sums for each in parts], axis=0)
    return Measured(Survey(**merged), sums, hashes)


@dataclass(frozen=True)
class PairCounts:
    """Counts of pairs of classes, without the zeros: `cells` are given * m + other."""

    joint_cells: IntArray
    joint_counts: IntArray
    confusion_cells: IntArray
    confusion_counts: IntArray


def count_shard(
    shard: Shard, work: WorkFolder, collisions: Collisions, block: Any = None
) -> PairCounts:
    """Save what each example is counted into, and return the counts."""
    matrix, labels = open_shard(shard, work, block), read_labels_of(shard, work)
    thresholds = work.load("thresholds")["thresholds"]
    num_classes = len(thresholds)
    counted = count.count_examples(labels, matrix, thresholds, collisions=collisions)
    was_counted = counted.was_counted
    small = np.min_scalar_type(num_classes - 1)
    work.save(
        "counted",
        shard.number,
        other_confidence=shrink_floats(counted.other_confidence),
        predicted_labels=counted.predicted_labels.astype(small),
        suggested_labels=counted.suggest(labels).astype(small),
        moved=counted.find_moved(labels),
    )
    cells = labels[was_counted] * num_classes + counted.counted_labels[was_counted]
    confusion = labels * num_classes + counted.predicted_labels
    return PairCounts(
        *np.unique(cells, return_counts=True), *np.unique(confusion, return_counts=True)
    )


def merge_counts(parts: Sequence[PairCounts]) -> PairCounts:
    return PairCounts(
        *_add_up([(each.joint_cells, each.joint_counts) for each in parts]),
        *_add_up([(each.confusion_cells, each.confusion_counts) for each in parts]),
    )


def _add_up(parts: Sequence[tuple[IntArray, IntArray]]) -> tuple[IntArray, IntArray]:
    cells = np.concatenate([cells for cells, _ in parts])
    counts = np.concatenate([counts for _, counts in parts])
    found, place = np.unique(cells, return_inverse=True)
    total = np.zeros(len(found), np.int64)
    np.add.at(total, place, counts)
    return found, total


def tally_shard(shard: Shard, work: WorkFolder, round_name: str, block: Any = None) -> Tally:
    """Return how a shard's examples are spread over the search of one round."""
    state = work.load(round_name)
    search = Search(state["low"], state["high"], state["tie"], state["gather"])
    if "true" not in state:
        return tally_entries(search, _class_entries(shard, work, state["given"]))
    saved = str(state["saved_as"])
    if not saved:
        return tally_entries(search, _pair_entries(shard, work, state, block))
    if not work.has(saved, shard.number):
        _save_entries(shard, work, state, search, saved, block)
    entries = work.load(saved, shard.number)
    if "groups" not in entries:  # there were too many
        return tally_entries(search, _pair_entries(shard, work, state, block))
    place = np.full(int(state["all_groups"]), -1)
    place[state["number"]] = np.arange(len(state["number"]))
    groups = place[entries["groups"]]
    left = groups >= 0
    return tally_entries(search, [(groups[left], entries["scores"][left], entries["index"][left])])


def _save_entries(
    shard: Shard, work: WorkFolder, state: dict[str, Any], search: Search, name: str, block: Any
) -> None:
    """Save what is still in question, so that later rounds do not read the matrix again."""
    kept: list[Any] = []
    for groups, scores, index in _pair_entries(shard, work, state, block):
        keys = search.keys(groups, scores, index)
        inside = (keys >= search.low[groups]) & (keys < search.high[groups])
        kept.append((state["number"][groups[inside]], scores[inside], index[inside]))
        if sum(len(each[0]) for each in kept) > MAX_SAVED_ENTRIES:
            work.save(name, shard.number, too_many=True)
            return
    groups, scores, index = (np.concatenate(each) for each in zip(*kept, strict=True))
    work.save(name, shard.number, groups=groups, scores=scores, index=index)


def _class_entries(shard: Shard, work: WorkFolder, given: IntArray) -> Entries:
    """Yield the examples of some classes, the least sure first: prune by class."""
    labels = read_labels_of(shard, work)
    groups = np.full(max(int(given.max()), int(labels.max())) + 1, -1)
    groups[given] = np.arange(len(given))
    mine = np.flatnonzero(groups[labels] >= 0)
    confidence = work.load("confidence", shard.number)["confidence"][mine].astype(np.float64)
    yield groups[labels[mine]], -confidence, read_index(shard, work)[mine]


def _pair_entries(shard: Shard, work: WorkFolder, state: dict[str, Any], block: Any) -> Entries:
    """Yield the margins p_j - p_i of the examples given i, for each pair (i, j): by noise rate.

    `given` is in order, so that the pairs of a class are next to one another.
    """
    matrix, labels = open_shard(shard, work, block), read_labels_of(shard, work)
    given, true = state["given"], state["true"]
    confidence = work.load("confidence", shard.number)["confidence"].astype(np.float64)
    index = read_index(shard, work)
    num_rows, num_classes = matrix.shape
    sizes = np.bincount(given, minlength=num_classes)
    firsts = np.cumsum(sizes) - sizes
    step = max(1, BLOCK_BYTES // (num_classes * matrix.dtype.itemsize))
    for start in range(0, num_rows, step):
        values = np.asarray(matrix[start : start + step])
        own = labels[start : start + step]
        repeats = sizes[own]
        rows = np.repeat(np.arange(len(own)), repeats)
        ends = np.cumsum(repeats)
        pairs = np.arange(len(rows)) - np.repeat(ends - repeats - firsts[own], repeats)
        scores = values[rows, true[pairs]] - confidence[start + rows]
        yield pairs, scores, index[start + rows]


def write_shard(shard: Shard, work: WorkFolder, block: Any = None) -> dict[str, Any]:
    """Write a shard's results as Parquet, and return its size and how many each method flags."""
    labels, counted = read_labels_of(shard, work), work.load("counted", shard.number)
    masks = name_masks(
        labels,
        counted["predicted_labels"],
        counted["moved"],
        _flag(work, "cuts-class", len(labels), shard, block),
        _flag(work, "cuts-pair", len(labels), shard, block),
    )
    columns: dict[str, Any] = {
        "row": read_index(shard, work),
        "given_label": labels.astype(counted["predicted_labels"].dtype),
        "predicted_label": counted["predicted_labels"],
        "suggested_label": counted["suggested_labels"],
        "self_confidence": work.load("confidence", shard.number)["confidence"],
        "other_confidence": counted["other_confidence"],
        **{str(method): mask for method, mask in masks.items()},
    }
    name = name_part(shard.number)
    with work.replacing(name) as passing:
        pq.write_table(pa.table(columns), passing)
        data = passing.read_bytes()
    return {
        "name": name,
        "rows": len(labels),
        "bytes": len(data),
        "sha256": hash_bytes([data]),
        "flagged": {method: int(mask.sum()) for method, mask in masks.items()},
    }


def _flag(work: WorkFolder, name: str, size: int, shard: Shard, block: Any) -> BoolArray:
    """Return which of a shard's examples are chosen by any group of a method."""
    state = work.load(name)
    mask = np.zeros(size, bool)
    if not len(state["given"]):
        return mask
    cuts = Cuts(state["score"], state["index"])
    pairs = "true" in state
    entries = (
        _pair_entries(shard, work, state, block)
        if pairs
        else _class_entries(shard, work, state["given"])
    )
    place = read_index(shard, work)
    for groups, scores, index in entries:
        chosen = index[cuts.choose(groups, scores, index)]
        mask[np.searchsorted(place, chosen)] = True
    return mask


def remove_work(folder: Path) -> None:
    """Remove everything that only the tasks needed."""
    for each in folder.iterdir():
        if each.suffix in (".npz", ".tmp"):
            each.unlink(missing_ok=True)
