"""Probabilities in the label table, next to those in a file of their own."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from curation.core.matrix import IntArray, Probabilities
from curation.loading.dataset_parts import Parts
from curation.loading.formats.base import Array
from curation.loading.join import joined_matrix
from curation.loading.labels.label_classes import Labels
from curation.loading.labels.labelled_examples import Examples, name_examples
from curation.loading.overrides import Options
from curation.loading.probs.class_named_columns import KnownClasses, gather_known
from curation.loading.probs.prob_column_names import are_prob_names
from curation.loading.probs.rival_columns import differ
from curation.loading.probs.stored_probs import StoredProbs
from curation.loading.probs.table_probs import find_in_labels
from curation.loading.report_builder import ReportBuilder, Stop, list_few, stop
from curation.loading.vocabulary import PROB_LIST_COLUMNS

BLOCK_ROWS = 65_536  # compared at once, as the matrix may be on disk


def compare_label_table(
    parts: Parts,
    examples: Examples,
    labels: Labels,
    matrix: Probabilities,
    keep: IntArray,
    options: Options,
    report: ReportBuilder,
) -> None:
    """Compare probabilities in the label table with those that were read; stop if they differ.

    Only a person can say which to use. If a person named the file, nothing is compared.
    """
    if options.probs is not None or parts.probs_with_labels:
        return
    known = gather_known(examples, labels.classes)
    inside = _find_inside(examples, known, options.memory_limit)
    if inside is None or not parts.probs or parts.labels is None:
        return
    named = _look_like_probs(inside.source_columns)
    values = _in_class_order(inside, labels) if named else None
    rows = None if values is None else _rows_that_differ(matrix, values, keep)
    if rows is None or not len(rows):
        _report_unused(inside, parts, report, equal=rows is not None)
        return
    ids = name_examples(examples, keep[rows])
    raise stop(
        code="probs.two_sets",
        where=inside.where,
        what=f"there are two sets of probabilities: its columns {list_few(inside.source_columns)}, "
        f"and {list_few(parts.probs)}; they differ in {len(rows)} of {len(keep)} rows.",
        fix=f'Pass probs={_probs_setting(parts)!r}, or probs="{parts.labels}" for the columns.',
        why="They may come from two models, or describe other rows or classes; it is unclear which "
        "to use.",
        count=len(rows),
        first_rows=ids if examples.ids is not None else (f"row {each}" for each in ids),
        choices=[{"probs": _probs_setting(parts)}, {"probs": parts.labels}],
    )


def _look_like_probs(columns: Sequence[str]) -> bool:
    return are_prob_names(columns) or columns[0].lower() in PROB_LIST_COLUMNS


def _report_unused(
    inside: StoredProbs, parts: Parts, report: ReportBuilder, *, equal: bool
) -> None:
    report.add_auto_fix(
        code="probs.inside_unused",
        where=inside.where,
        what="columns that could be probabilities are not read: "
        f"{list_few(inside.source_columns)}"
        + ("; they equal those that are" if equal else "")
        + ".",
        fix=f'Pass probs="{parts.labels}" to use them instead.',
        why=f"The probabilities are read from {list_few(parts.probs)}, a file that holds nothing "
        "else.",
        count=len(inside.source_columns),
    )


def _probs_setting(parts: Parts) -> str | list[str]:
    return parts.probs[0] if len(parts.probs) == 1 else list(parts.probs)


def _find_inside(examples: Examples, known: KnownClasses, memory_limit: int) -> StoredProbs | None:
    if examples.table is None:
        return None
    try:
        return find_in_labels(
            examples.table, known, ReportBuilder(), memory_limit=memory_limit, unnamed_lists=False
        )
    except Stop:  # nothing can be read as probabilities
        return None


def _in_class_order(inside: StoredProbs, labels: Labels) -> Array | None:
    """Return the numbers with one column for each class; None if they have other columns."""
    array = np.asarray(inside.parts[0])
    if inside.binary or inside.num_classes != len(labels.classes):
        return None
    try:
        order = joined_matrix.order_columns(inside, labels.classes, ReportBuilder())
    except Stop:
        return None
    return array if order is None else array[:, order]


def _rows_that_differ(matrix: Probabilities, values: Array, keep: IntArray) -> IntArray:
    found = [
        start + np.flatnonzero(differ(np.asarray(matrix[start : start + BLOCK_ROWS]), values[rows]))
        for start in range(0, len(keep), BLOCK_ROWS)
        for rows in (keep[start : start + BLOCK_ROWS],)
    ]
    return np.concatenate(found)
