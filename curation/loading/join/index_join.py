"""Whether the row numbers in the first column of both files show that one file was shuffled.

Row numbers are never ids by themselves: they change whenever a table is sorted. But if they hold
the same numbers in both files, in different orders, and rows with the same number agree far more
often than rows at the same position, then rows with the same number belong together.
"""

from __future__ import annotations

import numpy as np

from curation.core.matrix import IntArray
from curation.loading.join.row_matching import Match, match_first_columns
from curation.loading.row_keys import Keys
from curation.report import Diagnosis, Severity
from curation.wording import percent

MIN_GAIN = 0.1  # of the labels: how much more must agree
MIN_GAIN_STANDARD_ERRORS = 4.0  # 1 in 30,000 by chance


def find_index_join(mine: Keys, theirs: Keys) -> Match | None:
    """Return the rows matched by the first columns of both files, if that reorders them."""
    match = match_first_columns(mine, theirs, numbers_only=True)
    return None if match is None or match.in_place else match


def diagnose_index(
    match: Match, labels: IntArray, predicted_labels: IntArray, rows: IntArray, where: str
) -> list[Diagnosis]:
    """Return an offer to join by the first columns, if the model then agrees far more often.

    Examples `rows` were joined by position, and `predicted_labels` are their likeliest classes.
    """
    others = match.rows.to_numpy(zero_copy_only=False).astype(np.int64)
    predicted = np.full(len(others), -1, np.int64)
    predicted[rows] = predicted_labels
    by_position = float(np.mean(predicted_labels == labels))
    by_index = float(np.mean(predicted[others[rows]] == labels))
    error = np.sqrt(0.5 / len(rows))  # of a difference of two shares, at most
    if by_index - by_position < max(MIN_GAIN, MIN_GAIN_STANDARD_ERRORS * error):
        return []
    mine, theirs = match.columns
    moved = np.flatnonzero(others != np.arange(len(others)))
    return [
        Diagnosis(
            severity=Severity.BLOCK,
            code="rows.index_join",
            where=where,
            what=f"The first columns of both files ({mine!r} and {theirs!r}) hold the same numbers "
            "in different orders. Joined by position, the model agrees with "
            f"{percent(by_position)} of the labels; joined by these numbers, with "
            f"{percent(by_index)}.",
            why="One of the files was shuffled. Joined by position, each example gets another "
            "example's probabilities.",
            fix=f'Join by these numbers: id_column="{mine}". If the rows at the same position '
            "belong together, leave the column out of one file.",
            count=len(moved),
            first_rows=tuple(f"row {row}: {match.mine[row].as_py()}" for row in moved[:5].tolist()),
            override={"id_column": mine},
        )
    ]
