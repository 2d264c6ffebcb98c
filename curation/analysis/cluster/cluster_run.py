"""The analysis of shards on a cluster, to the same counts and flags as on one machine."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from errno import EACCES, EEXIST, ENOTEMPTY
from pathlib import Path
from typing import Any

import numpy as np

from curation.analysis.cluster import selection, shard_tasks
from curation.analysis.cluster.engine import Engine
from curation.analysis.cluster.findings_folder import (
    WrittenFindings,
    open_findings,
    write_summary,
)
from curation.analysis.cluster.selection import Cuts, Search, Tally, find_cuts
from curation.analysis.cluster.shard_tasks import Measured
from curation.analysis.cluster.shards import Shard, WorkFolder, find_obstacles
from curation.core import prune
from curation.core.checks import Places, Survey
from curation.core.count import Collisions, Threshold
from curation.core.matrix import FloatArray, IntArray, ShareDone
from curation.errors import InputError
from curation.paths import writable
from curation.progress import Progress, part
from curation.saved_results import package_version

MOVES = 100  # tries to move results to their place while other runs do the same
SAVED_ENTRIES = "entries"  # margins that are still in question after the first round


@dataclass(frozen=True)
class Settings:
    """How to analyse: see `analyze`."""

    threshold: Threshold
    collisions: Collisions


@contextmanager
def make_work_folder(parent: Path) -> Iterator[WorkFolder]:
    """Make a folder for one analysis, and remove it if it is still there at the end."""
    try:
        parent.mkdir(parents=True, exist_ok=True)
        if not writable(parent):
            raise PermissionError(EACCES, "Permission denied")
        folder = parent / f"unfinished-{secrets.token_hex(8)}"
        folder.mkdir()  # unlike mkdtemp, also for others: workers may run as another user
    except OSError as error:
        raise InputError(
            f"{parent} cannot be written: {error.strerror}.",
            "Results are written next to the shards. Allow writing there, or name another folder "
            "that every worker sees as results.",
        ) from None
    try:
        yield WorkFolder(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class ClusterRun:
    """One analysis: its shards, its work folder, and the cluster that does it."""

    def __init__(
        self,
        engine: Engine,
        work: WorkFolder,
        shards: Sequence[Shard],
        blocks: Sequence[Any],
        labels: IntArray,
        num_classes: int,
        settings: Settings,
        progress: Progress,
    ) -> None:
        self.engine, self.work, self.settings, self.progress = engine, work, settings, progress
        self.shards = shards
        self._blocks = blocks or [None] * len(shards)
        self._labels, self._num_classes = labels, num_classes
        self._rounds = 0

    def measure(self) -> Measured:
        """Read all shards once: are they distributions, and how sure is the model of labels?"""
        self._check_workers()
        counts = np.bincount(self._labels, minlength=self._num_classes)
        self.work.save("counts", counts=counts)
        measured = self.engine.merge(
            self._tasks(shard_tasks.measure),
            shard_tasks.merge_measured,
            part(self.progress, "Reading how sure the model is", 0.0, 0.3),
        )
        _refuse_invalid(measured.survey, len(self._labels))
        return measured

    def finish(self, measured: Measured, names: Sequence[Any]) -> WrittenFindings:
        """Count, choose what each method flags, and write the results of each shard."""
        thresholds = self._estimate_thresholds(measured)
        self.work.save("thresholds", thresholds=thresholds)
        counts = self.engine.merge(
            self._tasks(shard_tasks.count_shard, self.settings.collisions),
            shard_tasks.merge_counts,
            part(self.progress, "Counting the confident joint", 0.3, 0.6),
        )
        confident_joint = self._square(counts.joint_cells, counts.joint_counts)
        self._choose(prune.count_errors(confident_joint, self._labels))
        written = self.engine.run(
            self._tasks(shard_tasks.write_shard),
            part(self.progress, "Writing the results", 0.9, 1.0),
        )
        methods = written[0]["flagged"]
        return WrittenFindings(
            self.work.path,
            tuple(names),
            len(self._labels),
            self.settings.threshold,
            thresholds,
            confident_joint,
            self._square(counts.confusion_cells, counts.confusion_counts),
            {method: sum(each["flagged"][method] for each in written) for method in methods},
            [{key: each[key] for key in ("name", "rows", "bytes", "sha256")} for each in written],
        )

    def _tasks(self, work: Callable[..., Any], *given: Any) -> list[Any]:
        import dask

        task = dask.delayed(work)
        return [
            task(shard, self.work, *given, block=block)
            for shard, block in zip(self.shards, self._blocks, strict=True)
        ]

    def _check_workers(self) -> None:
        given = (self.shards, self.work, package_version())
        answers = self.engine.ask_workers(find_obstacles, *given)
        found = [f"{address} on {each}" for address, all_ in answers.items() for each in all_]
        if found:
            raise InputError(
                f"{sum(map(bool, answers.values()))} of {len(answers)} workers cannot help: "
                f"{found[0]}.",
                "Keep the shards on a file system that every worker mounts under the same path, "
                "and install the same version of confident-curation everywhere.",
            )

    def _square(self, cells: IntArray, counts: IntArray) -> IntArray:
        matrix = np.zeros(self._num_classes**2, np.int64)
        matrix[cells] = counts
        return matrix.reshape(self._num_classes, self._num_classes)

    def _estimate_thresholds(self, measured: Measured) -> FloatArray:
        counts = np.bincount(self._labels, minlength=self._num_classes)
        present = np.flatnonzero(counts)
        thresholds = np.full(self._num_classes, np.inf)
        if self.settings.threshold == "mean":
            thresholds[present] = measured.sums[present] / counts[present]
            return thresholds
        # the two values that a percentile lies between, and how far it is from the lower one
        place = (counts[present] - 1) * (self.settings.threshold / 100)
        lower = np.floor(place).astype(np.int64)
        upper = np.minimum(lower + 1, counts[present] - 1)
        low, high = (self._find_smallest(present, each) for each in (lower, upper))
        thresholds[present] = _interpolate(low, high, place - lower)
        return thresholds

    def _find_smallest(self, given: IntArray, places: IntArray) -> FloatArray:
        """Return the self-confidence at a place of each class, in ascending order from 0."""
        # the scores of classes are the self-confidences with a minus sign
        cuts = find_cuts(places + 1, self._tally_with(given), len(self._labels), exact=True)
        return -cuts.score

    def _choose(self, errors: IntArray) -> None:
        """Find and save which examples are pruned by class and by noise rate."""
        share = part(self.progress, "Choosing what each method flags", 0.6, 0.9)
        share(0.0)
        given, numbers = prune.list_errors_by_class(errors)
        cuts = self._cut(numbers, self._tally_with(given))
        self.work.save("cuts-class", given=given, score=cuts.score, index=cuts.index)
        given, true, numbers = prune.list_errors_by_pair(errors)
        cuts = self._cut(numbers, self._tally_with(given, true, share))
        self.work.save("cuts-pair", given=given, true=true, score=cuts.score, index=cuts.index)

    def _cut(self, numbers: IntArray, tally: Callable[[IntArray, Search], Tally]) -> Cuts:
        return find_cuts(numbers, tally, len(self._labels))

    def _tally_with(
        self, given: IntArray, true: IntArray | None = None, progress: ShareDone | None = None
    ) -> Callable[[IntArray, Search], Tally]:
        """Return a function that counts some groups, classes or pairs, in all shards."""
        rounds = 0

        def tally(groups: IntArray, search: Search) -> Tally:
            nonlocal rounds
            self._rounds += 1
            rounds += 1
            state = {
                "given": given[groups],
                "low": search.low,
                "high": search.high,
                "tie": search.tie,
                "gather": search.gather,
            }
            if true is not None:
                saved_as = SAVED_ENTRIES if rounds > 1 else ""  # at first, all are in question
                state |= {
                    "true": true[groups],
                    "number": groups,
                    "all_groups": np.array(len(given)),
                    "saved_as": np.array(saved_as),
                }
            name = f"round-{self._rounds:03}"
            self.work.save(name, **state)
            if progress is not None:
                progress(1 - 0.5**rounds)
            return self.engine.merge(
                self._tasks(shard_tasks.tally_shard, name), selection.merge_tallies
            )

        return tally


def _interpolate(low: FloatArray, high: FloatArray, share: FloatArray) -> FloatArray:
    """Return the number between two, computed in the same steps as numpy's percentile."""
    apart = high - low
    return np.where(share >= 0.5, high - apart * (1 - share), low + apart * share)


def _refuse_invalid(survey: Survey, num_rows: int) -> None:
    """Refuse shards whose rows are not distributions, naming the first of them."""

    def places(found: Places) -> str:
        named = ", ".join(map(str, found.first))
        return f"{found.count:,} of {num_rows:,} rows; first, counted over all shards: {named}"

    for found, what, remedy in (
        (survey.missing, "hold a NaN", "Predict those rows again."),
        (survey.infinite, "hold an infinity", "Compute the softmax in float32."),
        (survey.negative, "hold a negative value", "Apply softmax to logits."),
        (survey.above_one, "hold a value above 1", "Apply softmax; divide percentages by 100."),
        (survey.zero, "hold only zeros", "Predict those rows again."),
        (survey.off_sum, "do not add up to 1", "Divide each row by its sum, and save it again."),
    ):
        if found:
            raise InputError(
                f"Rows of the probabilities {what} ({places(found)}).",
                f"{remedy} On a cluster, rows are neither left out nor rescaled.",
            )


def publish(written: WrittenFindings, settings: Settings, target: Path) -> WrittenFindings:
    """Make finished results valid and move them to their place, replacing earlier ones there.

    If several runs finish at once, each replaces those before it: the last one stays.
    """
    shard_tasks.remove_work(written.folder)
    write_summary(written.folder, written, settings.collisions)
    finished = open_findings(written.folder)
    for _ in range(MOVES):
        with _moved_away(target):
            try:
                os.rename(written.folder, target)
            except OSError as error:
                if error.errno not in (EEXIST, ENOTEMPTY):
                    raise
            else:
                return replace(finished, folder=target)
    raise InputError(
        f"The results were not written: other runs kept writing to {target}.",
        "Analyse again once they are done, or name another folder as results.",
    )


@contextmanager
def _moved_away(target: Path) -> Iterator[None]:
    """Move the results at a place aside, and remove them in the end."""
    # a name of its own, and one under which what a killed run left is removed later
    old = target.with_name(f"unfinished-{secrets.token_hex(8)}")
    with suppress(FileNotFoundError):  # there are none, or another run has just moved them
        os.rename(target, old)
    try:
        yield
    finally:
        shutil.rmtree(old, ignore_errors=True)
