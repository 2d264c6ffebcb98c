"""Probabilities in one array per fold, placed by the column of the labels that names the fold."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from curation.loading.join.row_matching import Match
from curation.loading.labels.labelled_examples import Examples
from curation.loading.probs.stored_probs import StoredProbs
from curation.loading.vocabulary import FOLD_COLUMNS, find_column


def find_fold_join(examples: Examples, probs: StoredProbs) -> Match | None:
    """Return the row of each example if the labels name its fold and every fold is an array.

    The examples of a fold are in the order of the labels. None if the numbers do not fit.
    """
    table = examples.table
    if table is None or len(probs.parts) < 2 or probs.keys.table is not None:
        return None
    column = find_column(table.data.column_names, FOLD_COLUMNS)
    if column is None or table.kind(column) not in ("text", "integer"):
        return None
    texts = table.text(column)
    folds = np.array([each or "" for each in texts.to_pylist()], dtype=object)
    names = sorted(set(folds), key=lambda text: (len(text), text))  # 10 comes after 9
    sizes = [int((folds == name).sum()) for name in names]
    if sizes != [len(part) for part in probs.parts]:
        return None
    starts = np.cumsum([0, *sizes])
    rows = np.empty(len(folds), dtype=np.int64)
    for name, start, size in zip(names, starts[:-1], sizes, strict=True):
        rows[folds == name] = np.arange(start, start + size)
    how = f"column {column!r} and the order of the rows in each fold"
    return Match(pa.array(rows), texts, texts, "fold", how, (column, column))
