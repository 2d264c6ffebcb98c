"""The true labels, if a dataset has them, to check the findings against."""

from __future__ import annotations

import numpy as np

from curation.core.matrix import IntArray
from curation.loading.dataset_parts import Parts
from curation.loading.formats.base import TableFile
from curation.loading.formats.npy import read_npy
from curation.loading.formats.registry import is_array, read_table
from curation.loading.join import row_join
from curation.loading.join.crosscheck import note_names
from curation.loading.join.row_matching import Match, match_rows
from curation.loading.labels.label_arrays import cells_of_array
from curation.loading.labels.label_cells import Cells
from curation.loading.labels.label_classes import Labels, index_labels
from curation.loading.labels.labelled_examples import Examples, cells_of_column
from curation.loading.overrides import Options
from curation.loading.report_builder import ReportBuilder, list_few, stop
from curation.loading.row_keys import Keys, table_keys
from curation.loading.vocabulary import LABEL_COLUMNS, TRUE_COLUMNS
from curation.report import FIRST_ROWS


def read_true_labels(
    parts: Parts,
    examples: Examples,
    labels: Labels,
    keep: IntArray,
    options: Options,
    report: ReportBuilder,
) -> IntArray | None:
    """Return the true labels where they are known; -1 for an example that has none."""
    if parts.true_labels is None:
        if examples.true_cells is None or len(examples.true_cells.values) != len(examples):
            return None
        return index_labels(examples.true_cells, labels, report)[keep]
    cells, keys = _read_true(parts, parts.true_labels, options, report)
    codes = index_labels(cells, labels, report)
    match = match_rows(examples.keys, keys)
    if match is not None:
        note_names(match, keys, report)
        if match.key == "id":
            row_join.check_ids(match.theirs, parts.true_labels)
        _note_unmatched(match, len(codes), parts.true_labels, report)
        if match.rows.null_count == len(match.rows):
            return None
        places = match.rows.fill_null(len(codes)).to_numpy(zero_copy_only=False)
        return np.asarray(np.append(codes, -1)[places][keep])
    if len(codes) != len(examples):
        raise stop(
            code="true_labels.row_count",
            where=parts.true_labels,
            what=f"{len(codes)} true labels for {len(examples)} labels.",
            fix="Save one true label for each label, or give both files an id column.",
            why="Joined by position, they would belong to other examples.",
        )
    return codes[keep]


def _note_unmatched(match: Match, total: int, where: str, report: ReportBuilder) -> None:
    """Report how many examples have no true label; warn if true labels have no example."""
    lost = np.flatnonzero(~np.asarray(match.rows.is_valid().to_numpy(zero_copy_only=False)))
    used = len(match.rows.drop_null().unique())
    names = [match.mine[int(row)].as_py() for row in lost[:FIRST_ROWS]]
    if used < total:
        report.add_warning(
            code="true_labels.unmatched",
            where=where,
            what=f"{total - used} of {total} true labels match no example: joined by {match.how}, "
            f"{len(match.rows) - len(lost)} of {len(match.rows)} examples have one.",
            fix=f"Write the {match.key}s as in the label file, or name another file as true_labels "
            "in curation.toml.",
            why="Counts of right and wrong findings leave out examples without a true label.",
            count=total - used,
            first_rows=names,
        )
    elif len(lost):
        report.add_auto_fix(
            code="true_labels.partial",
            where=where,
            what=f"{len(lost)} of {len(match.rows)} examples have no true label, by their "
            f"{match.how}.",
            fix=f"If they should have one, write their {match.key}s into the file.",
            why="Counts of right and wrong findings leave out these examples.",
            count=len(lost),
            first_rows=names,
        )


def _read_true(
    parts: Parts, name: str, options: Options, report: ReportBuilder
) -> tuple[Cells, Keys]:
    path, limit = parts.path(name), options.memory_limit
    if is_array(path.name):
        array = read_npy(path, name, memory_limit=limit)
        return cells_of_array(array, name, options, ReportBuilder()), Keys()
    table = read_table(TableFile(path, name, limit, options.encoding), report)
    lower = {column.lower(): column for column in reversed(table.data.column_names)}
    column = next((lower[c] for c in (*TRUE_COLUMNS, *LABEL_COLUMNS) if c in lower), None)
    if column is None:
        raise stop(
            code="true_labels.column",
            where=name,
            what=f"no column of true labels among {list_few(table.columns, most=12)}.",
            fix="Name it true_label.",
            why="With the wrong column as the truth, every score would be wrong.",
        )
    return cells_of_column(table, column), table_keys(table, (column,))
