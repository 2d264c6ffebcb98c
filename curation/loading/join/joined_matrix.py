"""The plan of the matrix: which rows and columns it takes from the stored probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curation.class_names import find_class, find_named_class
from curation.core.matrix import IntArray, Probabilities
from curation.loading.formats.base import Array
from curation.loading.formats.disk_array import DiskArray
from curation.loading.formats.registry import remove_suffix
from curation.loading.join import row_join
from curation.loading.join.row_matching import Match
from curation.loading.labels.class_list import Classes
from curation.loading.labels.label_classes import Labels
from curation.loading.overrides import Conversion, Options
from curation.loading.probs.prob_column_names import find_class_in_name
from curation.loading.probs.prob_matrix import ProbMatrix
from curation.loading.probs.stored_probs import StoredProbs
from curation.loading.report_builder import ReportBuilder, list_few, stop

MAX_OFFERED = 20  # classes that are offered as the one a column is for


@dataclass(frozen=True)
class MatrixPlan:
    """How to make the matrix: the arrays, the rows and columns to take, and the conversion."""

    arrays: tuple[NDArray[Any] | DiskArray, ...]
    rows: IntArray | None
    columns: IntArray | None
    convert: Conversion | None

    def matrix(self, *, scaled: Any = None) -> Probabilities:
        """Return the array itself if it needs no change, otherwise a matrix that converts it."""
        plain = self.rows is None and self.columns is None and self.convert is None
        first = self.arrays[0]
        if plain and scaled is None and len(self.arrays) == 1 and first.dtype.kind == "f":
            if first.dtype.itemsize <= 8 and first.dtype.isnative:
                return first
        return ProbMatrix(
            self.arrays, rows=self.rows, columns=self.columns, convert=self.convert, scaled=scaled
        )

    def without(self, rows: IntArray) -> MatrixPlan:
        """Return the plan without some rows."""
        total = sum(len(each) for each in self.arrays)
        mine = np.arange(total) if self.rows is None else self.rows
        return MatrixPlan(self.arrays, np.delete(mine, rows), self.columns, self.convert)


def plan_matrix(
    probs: StoredProbs, match: Match | None, labels: Labels, options: Options, report: ReportBuilder
) -> tuple[MatrixPlan, IntArray]:
    """Return the plan of the matrix for the examples that stay, and their rows."""
    drop = bool(options.drop_rows)
    arrays = probs.parts
    if probs.binary:
        arrays = expand_binary(probs, labels.classes, options.positive_class, report)
    rows, has_row = row_join.join_rows(probs, match, labels.codes >= 0, report, drop=drop)
    columns = None if probs.binary else order_columns(probs, labels.classes, report)
    if options.class_order is not None:
        columns = apply_class_order(columns, options.class_order, labels.classes, probs.where)
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
            fix="Check that both files belong to the same dataset.",
            why="There is nothing to check.",
        )
    if len(keep) < len(stays) or rows is not None:
        rows = keep if rows is None else rows[keep]
    convert: Any = options.convert
    return MatrixPlan(arrays, rows, columns, convert), keep


def order_columns(probs: StoredProbs, classes: Classes, report: ReportBuilder) -> IntArray | None:
    """Return the column of each class by name; None if they are in order or have no names."""
    if probs.columns is None:
        return None
    for known in (classes.ids, classes.names, tuple(str(k) for k in range(len(classes)))):
        if sorted(known) == sorted(probs.columns) and len(set(known)) == len(known):
            return _permutation(probs, known, report)
    missing = sorted(set(classes.names) - set(probs.columns))
    unknown = sorted(set(probs.columns) - set(classes.names) - set(classes.ids))
    raise stop(
        code="probs.column_names",
        where=probs.where,
        what=f"columns that are not a class: {list_few(unknown) or 'none'}; classes without a "
        f"column: {list_few(missing) or 'none'}.",
        fix=f"Name the columns as {classes.where} names the classes.",
        why="Columns are joined to classes by name, never by position.",
        count=len(missing) + len(unknown),
    )


def _permutation(
    probs: StoredProbs, known: Sequence[str], report: ReportBuilder
) -> IntArray | None:
    assert probs.columns is not None
    place = {column: k for k, column in enumerate(probs.columns)}
    order = np.array([place[name] for name in known], dtype=np.int64)
    if np.array_equal(order, np.arange(len(order))):
        report.add_passed("probability columns are in the order of the classes")
        return None
    report.add_auto_fix(
        code="probs.columns_reordered",
        where=probs.where,
        what=f"columns were put in the order of the classes, by name; they came as "
        f"{list_few(probs.columns)}.",
        fix="If the names in the file are wrong, pass the true order as class_order.",
        why="Columns are joined to classes by name, never by position.",
        count=int((order != np.arange(len(order))).sum()),
    )
    return order


def apply_class_order(
    columns: IntArray | None, order: Sequence[Any], classes: Classes, where: str
) -> IntArray:
    """Return the columns in the order of a person's `class_order`.

    `order[k]` is the class, as a name, id or index, whose probabilities are in column k.
    """
    wide = len(classes)
    found = [
        each if isinstance(each, int) else find_named_class(str(each), classes.names, classes.ids)
        for each in order
    ]
    if sorted(-1 if each is None else each for each in found) != list(range(wide)):
        raise stop(
            code="class_order",
            where=where,
            what=f"class_order must name each of the {wide} classes once; it is {list_few(order)}.",
            fix=f"Name them as in {classes.where}.",
            why="A column without a class, or with two, has no meaning.",
        )
    inverse = np.argsort(np.array(found, dtype=np.int64))
    return inverse if columns is None else columns[inverse]


@np.errstate(all="ignore")  # invalid numbers are counted by the survey
def expand_binary(
    probs: StoredProbs, classes: Classes, positive: str | int | None, report: ReportBuilder
) -> tuple[Array, ...]:
    """Return two columns from one, if a person or a name says which class it stands for."""
    place = None if positive is None else _find_class(str(positive), classes)
    if positive is None:
        place = _find_by_name(probs, classes, report)
    if place is None or len(classes) != 2:
        raise stop(
            code="probs.binary",
            where=probs.where,
            what=f"one probability per example, of shape {probs.shape}: for which class?",
            fix=f"Pass positive_class={classes.ids[-1]!r} if it is for {classes.names[-1]!r}."
            + ("" if positive is None else f" {positive!r} is not a class."),
            why="If it is read for the wrong class, every probability is reversed.",
            choices=[{"positive_class": each} for each in reversed(classes.ids[:MAX_OFFERED])],
        )
    chance = np.concatenate([np.asarray(part).reshape(-1) for part in probs.parts])
    chance = chance.astype(np.float64)
    both = np.stack([chance, 1 - chance] if place == 0 else [1 - chance, chance], axis=1)
    return (both,)


def _find_by_name(probs: StoredProbs, classes: Classes, report: ReportBuilder) -> int | None:
    """Return the class in the name of the only column or of the file."""
    name = probs.source_columns[0] if probs.source_columns else remove_suffix(probs.where)
    by_id = find_class_in_name(name, classes.ids)
    place = find_class_in_name(name, classes.names) if by_id is None else by_id
    if place is not None:
        report.add_auto_fix(
            code="probs.binary_named",
            where=probs.where,
            what=f"{name!r} is read as the probability of {classes.names[place]!r}; the rest is "
            f"that of {classes.names[1 - place]!r}.",
            fix=f"If it is for the other, pass positive_class={classes.ids[1 - place]!r}.",
            why="If it is read for the wrong class, every probability is reversed.",
        )
    return place


def _find_class(text: str, classes: Classes) -> int | None:
    """Return a class by its id or name, or by its index if no class is named by that number."""
    named = find_named_class(text, classes.names, classes.ids)
    return find_class(text, classes.names, classes.ids) if named is None else named
