"""Labels and probabilities as one: joined, looked at, and mended where that was agreed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curation.core import count
from curation.core.matrix import IntArray, Probabilities, ShareDone
from curation.loading.doctor import diagnose, diagnose_conversion
from curation.loading.doctor.agreement import MOST_FLAGGED
from curation.loading.join import alignment
from curation.loading.join.keys import Match
from curation.loading.labels.class_indices import Labels
from curation.loading.labels.examples import Examples
from curation.loading.overrides import Options
from curation.loading.probs import row_checks
from curation.loading.probs.disk_matrix import Conversion, ProbMatrix
from curation.loading.probs.prob_sources import Probs
from curation.loading.report_builder import ReportBuilder, stop
from curation.report import FIRST_ROWS, Diagnosis, Severity


@dataclass(frozen=True)
class Build:
    """How to make the matrix: the arrays, and which of their rows and columns, converted how."""

    arrays: tuple[NDArray[Any], ...]
    rows: IntArray | None
    columns: IntArray | None
    convert: Conversion | None

    def matrix(self, *, scaled: Any = None) -> Probabilities:
        """Return the array itself if it needs nothing done, else a matrix that does it."""
        plain = self.rows is None and self.columns is None and self.convert is None
        first = self.arrays[0]
        if plain and scaled is None and len(self.arrays) == 1 and first.dtype.kind == "f":
            if first.dtype.itemsize <= 8 and first.dtype.isnative:
                return first
        return ProbMatrix(
            self.arrays, rows=self.rows, columns=self.columns, convert=self.convert, scaled=scaled
        )

    def without(self, rows: IntArray) -> Build:
        """Return the same without some rows."""
        total = sum(len(each) for each in self.arrays)
        mine = np.arange(total) if self.rows is None else self.rows
        return Build(self.arrays, np.delete(mine, rows), self.columns, self.convert)


def join(
    probs: Probs, match: Match | None, labels: Labels, options: Options, report: ReportBuilder
) -> tuple[Build, IntArray]:
    """Return how to build the matrix of the examples that stay, and their rows."""
    drop = bool(options.drop_rows)
    arrays = probs.parts
    if probs.binary:
        arrays = alignment.expand_binary(probs, labels.classes, options.positive_class)
    rows, has_row = alignment.join_rows(probs, match, report, drop=drop)
    columns = None if probs.binary else alignment.order_columns(probs, labels.classes, report)
    if options.class_order is not None:
        columns = alignment.apply_class_order(
            columns, options.class_order, labels.classes, probs.where
        )
    stays = labels.codes >= 0
    if has_row is not None:
        stays &= has_row
    keep = np.flatnonzero(stays)
    if not len(keep):
        report.stop_if_blocked()
        raise stop(
            code="rows.none",
            where=probs.where,
            what="no row has both a label and probabilities.",
            fix="Check that both files are of one dataset.",
            why="There is nothing to judge.",
        )
    if len(keep) < len(stays) or rows is not None:
        rows = keep if rows is None else rows[keep]
    convert: Any = options.convert
    return Build(arrays, rows, columns, convert), keep


def look(
    build: Build,
    keep: IntArray,
    labels: Labels,
    examples: Examples,
    where: str,
    drop: bool,
    progress: ShareDone | None = None,
) -> tuple[Probabilities, IntArray, list[Diagnosis]]:
    """Return the matrix, mended where that was agreed, the rows kept, and what the doctor says."""
    matrix = build.matrix()
    seen = row_checks.look_at(matrix, labels.codes[keep], progress)
    dropped: list[Diagnosis] = []
    bad = row_checks.find_unusable(matrix, seen.survey) if drop else keep[:0]
    if 0 < len(bad) < len(keep):
        dropped = [_say_dropped(bad, where, _names(keep, examples))]
        build, keep = build.without(bad), np.delete(keep, bad)
        matrix = build.matrix()
        seen = row_checks.look_at(matrix, labels.codes[keep], progress)
    scaled = row_checks.find_sums(matrix, seen.survey)
    usable = build.matrix(scaled=scaled)
    found = diagnose(
        labels.codes[keep],
        seen.predicted_labels,
        seen.self_confidence,
        seen.survey,
        labels.classes.names,
        labels.classes.ids,
        _names(keep, examples),
        pred_probs=matrix,
        flagged=_count_flagged(usable, labels.codes[keep], seen, sound=scaled is not None),
        probs_name=where,
        labels_name=examples.cells.where,
        ids_name=_where_ids_are(examples),
    )
    if scaled is not None:
        names = _names(keep, examples)
        found = [row_checks.say_divided(each, scaled, names) for each in found]
    if build.convert is not None:
        stored = replace(build, convert=None).matrix()
        found = diagnose_conversion(build.convert, stored, where=where) + found
    return usable, keep, dropped + found


def _count_flagged(
    matrix: Probabilities, labels: IntArray, seen: row_checks.Look, *, sound: bool
) -> int:
    """Return how many labels the confident joint flags, as an analysis with no options would.

    Counting takes another reading of the matrix. A model that agrees with most labels leaves too
    few to flag, so then the count is 0. `sound` says that the odd rows were divided by their sums.
    """
    if not (seen.survey.valid or sound) or np.mean(seen.predicted_labels == labels) >= MOST_FLAGGED:
        return 0
    confidence = count.read_self_confidence(labels, matrix)
    thresholds = count.estimate_thresholds(labels, confidence, matrix.shape[1], threshold="mean")
    counted = count.count_examples(labels, matrix, confidence, thresholds, collisions="argmax")
    found = counted.counted_labels
    return int(((found != count.NOT_COUNTED) & (found != labels)).sum())


def _names(keep: IntArray, examples: Examples) -> NDArray[np.object_] | None:
    """Return what messages call the examples; None where they are counted as in the file."""
    if examples.ids is not None:
        return name_examples(examples, keep)
    if len(keep) == len(examples):
        return None
    return np.array([f"row {row}" for row in keep.tolist()], dtype=object)


def _where_ids_are(examples: Examples) -> str:
    table, column = examples.table, examples.source.id_column
    return f"{table.name}, column {column!r}" if table is not None and column else "ids"


def _say_dropped(rows: IntArray, where: str, names: NDArray[np.object_] | None) -> Diagnosis:
    shown = rows[:FIRST_ROWS].tolist()
    return Diagnosis(
        severity=Severity.WARN,
        code="probs.dropped",
        what=f"{len(rows)} rows without usable probabilities (NaN, infinite or all zero) are left "
        "out.",
        where=where,
        why="They cannot be judged; exports keep them as they are.",
        fix="Predict these rows again to have them back.",
        count=len(rows),
        first_rows=tuple(f"row {row}" if names is None else str(names[row]) for row in shown),
    )


def name_examples(examples: Examples, keep: IntArray) -> NDArray[np.object_]:
    """Return the ids of the examples that stay; where there are none, their row numbers."""
    if examples.ids is None:
        return np.array([str(row) for row in keep.tolist()], dtype=object)
    ids: NDArray[np.object_] = examples.ids.to_numpy()
    return np.asarray(ids[keep] if len(keep) < len(ids) else ids, dtype=object)
