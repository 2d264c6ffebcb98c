"""Which row and column of the probabilities belongs to which example and class."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from curation.class_names import find_class, find_named_class
from curation.core.matrix import BoolArray, IntArray
from curation.loading.formats.base import Array
from curation.loading.join.keys import Match
from curation.loading.labels.class_list import Classes
from curation.loading.probs.prob_sources import Probs
from curation.loading.report_builder import ReportBuilder, list_few, stop
from curation.report import FIRST_ROWS


def check_shape(probs: Probs, num_labels: int, *, joined: bool) -> None:
    """Stop if the matrix lies on its side, or has another number of rows than there are labels."""
    shape = probs.shape
    if shape[0] == num_labels or joined:
        return
    if len(shape) == 2 and shape[1] == num_labels:
        raise stop(
            code="probs.transposed",
            where=probs.where,
            what=f"looks transposed: {shape}; expected {shape[::-1]}.",
            fix="Save the transpose: one row for each example.",
            why="Each example needs a row of its own.",
        )
    raise stop(
        code="probs.row_count",
        where=probs.where,
        what=f"{shape[0]} rows of probabilities for {num_labels} labels.",
        fix="Save one row for each label, or give both files an id column to be joined by.",
        why="Joined by position, rows would belong to other examples.",
    )


def join_rows(
    probs: Probs, match: Match | None, report: ReportBuilder, *, drop: bool
) -> tuple[IntArray | None, BoolArray | None]:
    """Return the row of the probabilities for each example, and which examples have one.

    None and None: they follow one another alike.
    """
    if match is None:
        return None, None
    if match.key == "id":
        check_ids(match.theirs, probs.where)
    has_row = np.asarray(match.rows.is_valid().to_numpy(zero_copy_only=False), dtype=bool)
    rows = match.rows.fill_null(0).to_numpy(zero_copy_only=False).astype(np.int64)
    _report_unmatched(probs, match, has_row, rows, report, drop=drop)
    in_order = has_row.all() and np.array_equal(rows, np.arange(probs.shape[0]))
    if in_order and match.plain:
        report.add_passed(f"{match.key}s of labels and probabilities are in the same order")
        return None, None
    report.add_auto_fix(
        code="probs.joined",
        where=probs.where,
        what=f"{int(has_row.sum()):,} rows were joined to the labels by {match.how}.",
        fix=f"If these {match.key}s are not of the same examples, give one file others, or none.",
        why="Rows at one place of both files are not of one example.",
        count=int(has_row.sum()),
    )
    return (None, None) if in_order else (rows, has_row)


def _report_unmatched(
    probs: Probs,
    match: Match,
    has_row: BoolArray,
    rows: IntArray,
    report: ReportBuilder,
    *,
    drop: bool,
) -> None:
    lost = np.flatnonzero(~has_row)
    if len(lost):
        names = [match.mine[int(row)].as_py() for row in lost[:5]]
        add = report.add_warning if drop else report.add_block
        add(
            code="probs.missing_ids",
            where=probs.where,
            what=f"{len(lost)} of {len(rows)} labelled {match.key}s have no probabilities "
            f"({len(rows)} labels, {probs.shape[0]} rows of probabilities).",
            fix="Left out, as drop_rows says."
            if drop
            else "Predict them too, or pass drop_rows=True to leave them out.",
            why="An example without probabilities cannot be judged.",
            count=len(lost),
            first_rows=names,
            override={} if drop else {"drop_rows": True},
        )
    used = np.zeros(probs.shape[0], bool)
    used[rows[has_row]] = True
    extra = np.flatnonzero(~used)
    if len(extra):
        report.add_warning(
            code="probs.extra_ids",
            where=probs.where,
            what=f"{len(extra)} of {probs.shape[0]} rows have {_a(match.key)} that no label has; "
            "these "
            "stay out.",
            fix="Check that both files are of one dataset.",
            why="Predictions without a label may mean that rows of the label file were lost.",
            count=len(extra),
            first_rows=(match.theirs[int(row)].as_py() for row in extra[:FIRST_ROWS]),
        )


def _a(key: str) -> str:
    return f"an {key}" if key == "id" else f"a {key}"


def check_ids(ids: pa.ChunkedArray, where: str) -> None:
    """Stop at an id that is missing or that two rows share."""
    empty = pc.sum(pc.or_kleene(pc.is_null(ids), pc.equal(ids, ""))).as_py() or 0
    if empty:
        rows = np.flatnonzero([not each for each in ids.to_pylist()])
        raise stop(
            code="ids.missing",
            where=where,
            what=f"{empty} of {len(ids)} rows {'has' if empty == 1 else 'have'} no id.",
            fix="Give every row an id, or pass another id_column.",
            why="Decisions are kept by id, and files are joined by it.",
            count=int(empty),
            first_rows=(f"row {row}" for row in rows[:5]),
        )
    counts = ids.value_counts()
    if len(counts) == len(ids):
        return
    twice = counts.filter(pc.greater(counts.field("counts"), 1)).field("values").to_pylist()
    raise stop(
        code="ids.duplicate",
        where=where,
        what=f"{len(twice)} {'id occurs' if len(twice) == 1 else 'ids occur'} more than once: "
        f"{list_few(twice)}.",
        fix="Give every row its own id.",
        why="A decision is kept by id: two examples would share it.",
        count=len(twice),
        first_rows=twice[:5],
    )


def order_columns(probs: Probs, classes: Classes, report: ReportBuilder) -> IntArray | None:
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
        what=f"columns that are no class: {list_few(unknown) or 'none'}; classes without a column: "
        f"{list_few(missing) or 'none'}.",
        fix=f"Name the columns as {classes.where} names the classes.",
        why="Columns are joined to classes by name, never by position.",
        count=len(missing) + len(unknown),
    )


def _permutation(probs: Probs, known: Sequence[str], report: ReportBuilder) -> IntArray | None:
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
        fix="If the names in the file are wrong, say the true order with class_order.",
        why="Columns are joined to classes by name, never by position.",
        count=int((order != np.arange(len(order))).sum()),
    )
    return order


def apply_class_order(
    columns: IntArray | None, order: Sequence[Any], classes: Classes, where: str
) -> IntArray:
    """Return the columns when a person says which class each of them really is.

    `order[k]` is the class, by name, id or index, whose probabilities column k holds.
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
            what=f"class_order does not name each of the {wide} classes once: {list_few(order)}.",
            fix=f"Name them as in {classes.where}.",
            why="A column without a class, or with two, has no meaning.",
        )
    inverse = np.argsort(np.array(found, dtype=np.int64))
    return inverse if columns is None else columns[inverse]


@np.errstate(all="ignore")  # odd numbers are counted, not warned of
def expand_binary(probs: Probs, classes: Classes, positive: str | int | None) -> tuple[Array, ...]:
    """Return two columns from one, if a person said which class it is about."""
    place = None if positive is None else _find_class(str(positive), classes)
    if place is None or len(classes) != 2:
        raise stop(
            code="probs.binary",
            where=probs.where,
            what=f"one probability for each example, of shape {probs.shape}: of which class?",
            fix=f"Pass positive_class={classes.ids[-1]!r} if it is that of {classes.names[-1]!r}."
            + ("" if positive is None else f" {positive!r} is not a class."),
            why="Taken for the other class, every probability would be turned round.",
            override={"positive_class": classes.ids[-1]},
        )
    chance = np.concatenate([np.asarray(part).reshape(-1) for part in probs.parts])
    chance = chance.astype(np.float64)
    both = np.stack([chance, 1 - chance] if place == 0 else [1 - chance, chance], axis=1)
    return (both,)


def _find_class(text: str, classes: Classes) -> int | None:
    """Return a class by its id or name, or by its index where no class is called by that number."""
    named = find_named_class(text, classes.names, classes.ids)
    return find_class(text, classes.names, classes.ids) if named is None else named
