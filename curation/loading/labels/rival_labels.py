"""Several columns, arrays or files that could be the labels: those that differ stop the loading."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from curation.loading.formats.table import Table
from curation.loading.report_builder import ReportBuilder, list_few, stop

WHICH = (
    "One may hold the given labels and another the corrected ones; with the wrong one, no label "
    "error would be found."
)


def settle_label_columns(table: Table, columns: Sequence[str], report: ReportBuilder) -> None:
    """Report that the first column is used if all agree; stop if they do not."""
    if len(columns) < 2:
        return
    first = columns[0]
    texts = table.text(first)
    others = [c for c in columns[1:] if not labels_agree(texts, table.text(c))]
    if not others:
        report.add_auto_fix(
            code="table.label_columns",
            where=table.name,
            what=f"columns {list_few(columns)} agree; {first!r} is read as the labels.",
            fix=f'To use another one, pass it, such as label_column="{columns[1]}".',
            why="Decisions are written back to the column that was read.",
            count=len(columns),
        )
        return
    rows = rows_that_differ(texts, table.text(others[0]))
    raise stop(
        code="table.label_columns",
        where=table.name,
        what=f"several columns could be the labels: {list_few(columns)}; {first!r} and "
        f"{others[0]!r} differ in {len(rows)} of {len(table)} rows.",
        fix=f'Pass the one to check, such as label_column="{first}".',
        why=WHICH,
        count=len(rows),
        first_rows=(f"row {row}" for row in rows),
        choices=[{"label_column": each} for each in columns],
    )


def settle_label_arrays(
    where: str,
    first: str,
    texts: pa.ChunkedArray,
    others: Mapping[str, pa.ChunkedArray],
    report: ReportBuilder,
) -> None:
    """Report that the first array of an archive is used; stop if another one disagrees."""
    others = {name: each for name, each in others.items() if len(each) == len(texts)}
    if not others:
        return
    names = [first, *others]
    odd = next((name for name in others if not labels_agree(texts, others[name])), None)
    if odd is None:
        report.add_auto_fix(
            code="npz.label_arrays",
            where=where,
            what=f"arrays {list_few(names)} agree; {first!r} is read as the labels.",
            fix=f'To use another one, pass it, such as label_column="{names[1]}".',
            why="The cleaned labels are those of the array that was read.",
            count=len(names),
        )
        return
    rows, names = rows_that_differ(texts, others[odd]), given_first(names)
    raise stop(
        code="npz.label_arrays",
        where=where,
        what=f"several arrays could be the labels: {list_few(names)}; {first!r} and {odd!r} differ "
        f"in {len(rows)} of {len(texts)} rows.",
        fix=f'Pass the one to check, such as label_column="{names[0]}".',
        why=WHICH,
        count=len(rows),
        first_rows=(f"row {row}" for row in rows),
        choices=[{"label_column": each} for each in given_first(names)],
    )


def given_first(names: Sequence[str]) -> list[str]:
    """Return the names of label files, those of given labels first.

    >>> given_first(["labels.npy", "noisy_labels.npy"])
    ['noisy_labels.npy', 'labels.npy']
    """
    return sorted(names, key=lambda name: not name.startswith(("noisy", "given")))


def labels_agree(one: pa.ChunkedArray, other: pa.ChunkedArray) -> bool:
    """Return whether each value of one column always goes with the same value of the other."""
    both = pa.table({"one": one, "other": other})
    pairs = len(both.group_by(["one", "other"]).aggregate([]))
    return all(pairs == len(pc.unique(both.column(name))) for name in ("one", "other"))


def rows_that_differ(one: pa.ChunkedArray, other: pa.ChunkedArray) -> list[int]:
    """Return the rows in which two columns differ as text."""
    same = pc.equal(one.fill_null(""), other.fill_null(""))
    return [int(row) for row in np.flatnonzero(~np.asarray(same))]
