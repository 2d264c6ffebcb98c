"""The check of the joined matrix: which rows are wrong, and what is done about them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curation.core import count
from curation.core.checks import FIRST_ROWS, Places
from curation.core.matrix import FloatArray, IntArray, Probabilities, ShareDone
from curation.loading.doctor import diagnose, diagnose_conversion, list_passed
from curation.loading.doctor.row_alignment import MAX_FLAGGED_SHARE
from curation.loading.doctor.values import name_rows
from curation.loading.join.index_join import diagnose_index
from curation.loading.join.joined_matrix import MatrixPlan
from curation.loading.join.matrix_survey import (
    MatrixSurvey,
    find_rows_to_rescale,
    find_unusable,
    survey_matrix,
)
from curation.loading.join.row_matching import Match
from curation.loading.join.saved_check import Checked, CheckMemory
from curation.loading.labels.label_classes import Labels
from curation.loading.labels.labelled_examples import Examples, name_examples
from curation.loading.report_builder import ReportBuilder
from curation.report import Diagnosis, Severity

FAR_OFF = 0.05  # distance from 1 that rounding cannot explain


def explain_rescaled(
    diagnosis: Diagnosis, scaled: tuple[IntArray, FloatArray], ids: Sequence[Any] | Any
) -> Diagnosis:
    """Return the doctor's warning about a few wrong sums, with what was done about them.

    Rounding leaves a row a little off. A row that is far off was not a distribution, and dividing
    it by its sum makes it look like one. Such rows are listed first, with their sums.
    """
    if diagnosis.code != "probs.sums" or diagnosis.severity is not Severity.WARN:
        return diagnosis
    rows, sums = scaled
    what = f"{diagnosis.what} These rows are divided by their sum when read."
    far = np.flatnonzero(np.abs(sums - 1) > FAR_OFF)
    if not len(far):
        fix = "Nothing needs to be done. Save the probabilities with more digits to avoid this."
        return replace(diagnosis, what=what, fix=fix, override={})
    worst = far[np.argsort(-np.abs(sums[far] - 1), kind="stable")][:FIRST_ROWS]
    first = tuple(
        f"{name} (adds up to {sums[each]:.4g})"
        for each, name in zip(worst, name_rows(Places(0, tuple(rows[worst])), ids), strict=True)
    )
    return replace(
        diagnosis,
        what=f"{what} {len(far):,} {'is' if len(far) == 1 else 'are'} off by more than "
        f"{FAR_OFF:g}, which is more than rounding.",
        why="Divided by its sum, a damaged row looks like a valid one and may hide a label error.",
        fix="Look at these rows and predict them again; do not trust the findings about them.",
        first_rows=first,
        override={},
    )


def check_matrix(
    plan: MatrixPlan,
    keep: IntArray,
    labels: Labels,
    examples: Examples,
    where: str,
    report: ReportBuilder,
    *,
    root: Path,
    drop: bool,
    share: ShareDone | None = None,
    rival: Match | None = None,
) -> tuple[Probabilities, IntArray]:
    """Return the matrix, fixed where a person agreed, and the rows kept; stop if it is unusable.

    `drop` leaves out rows without usable probabilities. `rival` is another way to join the rows,
    which is offered if the model agrees with far more labels that way. What is found in large
    files is saved under `root`, and recalled as long as they are unchanged.
    """
    memory = CheckMemory(root, plan, keep, labels, examples, where, drop, rival is None)
    checked = memory.recall() if rival is None else None
    is_new = checked is None
    if checked is None:
        checked = _check(plan, keep, labels, examples, where, drop=drop, share=share, rival=rival)
    if len(checked.dropped):
        plan, keep = plan.without(checked.dropped), np.delete(keep, checked.dropped)
    report.diagnoses += checked.found
    report.passed += list_passed(report.diagnoses)
    report.stop_if_blocked()
    if is_new and rival is None:
        memory.save(checked)
    return plan.matrix(scaled=checked.scaled), keep


def save_check(
    plan: MatrixPlan,
    keep: IntArray,
    labels: Labels,
    examples: Examples,
    where: str,
    seen: MatrixSurvey,
    *,
    root: Path,
) -> list[Diagnosis]:
    """Save the check of a matrix that was read elsewhere, and return what was found in it."""
    checked = _check(
        plan, keep, labels, examples, where, drop=False, share=None, rival=None, seen=seen
    )
    if not any(each.severity is Severity.BLOCK for each in checked.found):
        CheckMemory(root, plan, keep, labels, examples, where, False, True).save(checked)
    return list(checked.found)


def _check(
    plan: MatrixPlan,
    keep: IntArray,
    labels: Labels,
    examples: Examples,
    where: str,
    *,
    drop: bool,
    share: ShareDone | None,
    rival: Match | None,
    seen: MatrixSurvey | None = None,
) -> Checked:
    """Return what is wrong with the matrix; it is read as a whole unless it was `seen`."""
    matrix = plan.matrix()
    seen = seen or survey_matrix(matrix, labels.codes[keep], share)
    dropped: list[Diagnosis] = []
    bad = find_unusable(matrix, seen.survey) if drop else keep[:0]
    if len(bad) == len(keep):
        bad = bad[:0]  # all are unusable: they stay, so that the doctor can say why
    if len(bad):
        dropped = [_explain_dropped(bad, where, _row_names(keep, examples))]
        plan, keep = plan.without(bad), np.delete(keep, bad)
        matrix = plan.matrix()
        seen = survey_matrix(matrix, labels.codes[keep], share)
    scaled = find_rows_to_rescale(matrix, seen.survey)
    found = _ask_doctor(plan, keep, labels, examples, where, seen, scaled)
    if rival is not None and seen.survey.valid:
        found = (
            diagnose_index(rival, labels.codes[keep], seen.predicted_labels, keep, where) + found
        )
    if plan.convert is not None:
        stored = replace(plan, convert=None).matrix()
        found = diagnose_conversion(plan.convert, stored, where=where) + found
    return Checked(bad, scaled, dropped + found)


def _ask_doctor(
    plan: MatrixPlan,
    keep: IntArray,
    labels: Labels,
    examples: Examples,
    where: str,
    seen: MatrixSurvey,
    scaled: tuple[IntArray, FloatArray] | None,
) -> list[Diagnosis]:
    """Return what the doctor finds, with what was done about rows that are rescaled."""
    codes, names = labels.codes[keep], _row_names(keep, examples)
    usable = plan.matrix(scaled=scaled)
    found = diagnose(
        codes,
        seen.predicted_labels,
        seen.self_confidence,
        seen.survey,
        labels.classes.names,
        labels.classes.ids,
        names,
        pred_probs=plan.matrix(),
        top_confidence=seen.top_confidence,
        flagged=_count_flagged(usable, codes, seen, rescaled=scaled is not None),
        probs_name=where,
        labels_name=examples.cells.where,
        ids_name=_where_ids_are(examples),
    )
    return found if scaled is None else [explain_rescaled(each, scaled, names) for each in found]


def _count_flagged(
    matrix: Probabilities, labels: IntArray, seen: MatrixSurvey, *, rescaled: bool
) -> int:
    """Return how many labels the confident joint flags, as an analysis with no options would.

    Counting reads the matrix again. If the model agrees with most labels, too few can be flagged,
    and 0 is returned without counting. `rescaled` says that invalid rows were divided by their
    sums.
    """
    if not (seen.survey.valid or rescaled):
        return 0
    if np.mean(seen.predicted_labels == labels) >= MAX_FLAGGED_SHARE:
        return 0
    confidence = count.read_self_confidence(labels, matrix)
    thresholds = count.estimate_thresholds(labels, confidence, matrix.shape[1], threshold="mean")
    counted = count.count_examples(labels, matrix, thresholds, collisions="argmax")
    return int(counted.find_moved(labels).sum())


def _row_names(keep: IntArray, examples: Examples) -> NDArray[np.object_] | None:
    """Return the names of the examples in messages; None if they are numbered as in the file."""
    if examples.ids is not None:
        return name_examples(examples, keep)
    if len(keep) == len(examples):
        return None
    return np.array([f"row {row}" for row in keep.tolist()], dtype=object)


def _where_ids_are(examples: Examples) -> str:
    table, column = examples.table, examples.source.id_column
    return f"{table.name}, column {column!r}" if table is not None and column else "ids"


def _explain_dropped(rows: IntArray, where: str, names: NDArray[np.object_] | None) -> Diagnosis:
    shown = rows[:FIRST_ROWS].tolist()
    return Diagnosis(
        severity=Severity.WARN,
        code="probs.dropped",
        what=f"{len(rows)} rows without usable probabilities (NaN, infinite or all zero) are left "
        "out.",
        where=where,
        why="They cannot be judged; exports keep them as they are.",
        fix="Predict these rows again to include them.",
        count=len(rows),
        first_rows=tuple(f"row {row}" if names is None else str(names[row]) for row in shown),
    )
