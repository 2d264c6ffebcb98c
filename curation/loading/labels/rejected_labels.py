"""Labels that an annotator already rejected, as Prodigy notes in its column `answer`."""

from __future__ import annotations

import numpy as np
import pyarrow.compute as pc

from curation.loading.formats.table import Table
from curation.loading.labels.label_columns import find_label_columns
from curation.loading.report_builder import ReportBuilder, stop


def warn_of_rejected(table: Table, named: str | None, report: ReportBuilder) -> None:
    """Warn about labels that somebody already rejected, as Prodigy notes in a column."""
    if "answer" not in table.data.column_names or table.kind("answer") != "text":
        return
    answers = table.text("answer")
    counts = {each["values"]: each["counts"] for each in answers.value_counts().to_pylist()}
    if "accept" not in counts or not counts.keys() <= {"accept", "reject", "ignore"}:
        return
    rows = np.flatnonzero(np.asarray(pc.not_equal(answers, "accept")))
    if len(rows) and named is None:
        _refuse_single_label(table, len(rows))
    if len(rows):
        report.add_warning(
            code="labels.rejected",
            where=f"{table.name}, column 'answer'",
            what=f"{len(rows)} of {len(table)} rows were answered reject or ignore; their labels "
            "are read like the others.",
            fix="If their labels should not count, leave these rows out of the file.",
            why="A rejected label is not the label of its example.",
            count=len(rows),
            first_rows=(f"row {row}" for row in rows),
        )


def _refuse_single_label(table: Table, rejected: int) -> None:
    """Stop if one label was accepted or rejected: then the answers are the labels."""
    columns = find_label_columns(table)
    if len(columns) != 1 or len(pc.unique(table.text(columns[0])).drop_null()) != 1:
        return
    only = table.text(columns[0]).drop_null()[0].as_py()
    raise stop(
        code="labels.rejected",
        where=f"{table.name}, column 'answer'",
        what=f"every row has the label {only!r}, and {rejected} of {len(table)} were answered "
        "reject or ignore.",
        fix='Pass label_column="answer" to check whether it was rightly accepted or rejected.',
        why="With one label for all, only the answers can be right or wrong.",
        count=rejected,
        override={"label_column": "answer"},
        choices=[{"label_column": "answer"}],
    )
