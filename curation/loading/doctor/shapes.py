"""Checks that labels and probabilities fit together, and that there are enough rows."""

from __future__ import annotations

from collections.abc import Sequence

from curation.report import Diagnosis, Severity

NEEDED = "Each example needs one label and one probability for each class."


def diagnose_shapes(
    num_labels: int,
    shape: tuple[int, ...],
    class_names: Sequence[str],
    *,
    where: str = "probabilities",
) -> list[Diagnosis]:
    """Return what is wrong with the shape of the probabilities, given labels and classes."""
    num_classes = len(class_names)
    if num_labels == 0 or (shape and shape[0] == 0):
        why = "There is nothing to check."
        return [_block("rows.none", "There are no rows.", where, "Add labelled examples.", why)]
    if num_classes == 1:
        what = f"There is only one class ('{class_names[0]}')."
        why = "A label can only be wrong if another class could be right."
        return [_block("classes.one", what, where, "Add examples of a second class.", why)]
    found = _diagnose_matrix(num_labels, shape, class_names, where)
    if found is None and num_labels == 1:
        return [_one_row(where)]
    return [found] if found else []


def _diagnose_matrix(
    num_labels: int, shape: tuple[int, ...], class_names: Sequence[str], where: str
) -> Diagnosis | None:
    expected = (num_labels, len(class_names))
    if shape == expected:
        return None
    if shape in ((num_labels,), (num_labels, 1)) and len(class_names) == 2:
        return _one_column(shape, class_names, where)
    if shape == expected[::-1]:
        what = f"The probabilities look transposed: {shape}; expected {expected}."
        return _block("probs.transposed", what, where, "Save their transpose, `probs.T`.")
    if len(shape) != 2 or shape[1] != len(class_names):
        what = (
            f"The probabilities have the shape {shape}, but there are {len(class_names)} classes."
        )
        fix = "Save one row for each example and one column for each class."
        return _block("probs.columns", what, where, fix)
    what = f"There are {num_labels:,} labels, but {shape[0]:,} rows of probabilities."
    fix = "Save both for the same examples, or give both an id column."
    return _block("probs.rows", what, where, fix)


def _one_column(shape: tuple[int, ...], class_names: Sequence[str], where: str) -> Diagnosis:
    return Diagnosis(
        severity=Severity.BLOCK,
        code="probs.binary",
        what=f"There is one probability per example {shape}, but two classes.",
        where=where,
        why="Nothing in the file says which class the probability is for.",
        fix=f"Pass the class it is for, '{class_names[0]}' or '{class_names[1]}', as "
        "positive_class.",
        override={"positive_class": class_names[1]},
        choices=tuple({"positive_class": each} for each in reversed(class_names)),
    )


def _one_row(where: str) -> Diagnosis:
    return Diagnosis(
        severity=Severity.WARN,
        code="rows.one",
        what="There is only one row.",
        where=where,
        why="A threshold from a single example says nothing about others.",
        fix="Add more labelled examples.",
    )


def _block(code: str, what: str, where: str, fix: str, why: str = NEEDED) -> Diagnosis:
    return Diagnosis(severity=Severity.BLOCK, code=code, what=what, where=where, why=why, fix=fix)
