"""The input doctor: what is wrong, or likely wrong, with labels and probabilities as arrays.

    shapes         do the arrays fit together, and are there enough rows?
    values         are the rows distributions, or logits, percentages, scores?
    names          classes too rare to judge; classes and ids that are nearly the same
    agreement      do predictions and labels agree as they should, and not too well?
    in_sample      was the model trained on the examples that it predicted?
    column_order   which class is each column of probabilities really for?
    row_alignment  is row k of labels and probabilities the same example?

The matrix of probabilities is not read again here. The survey, the predicted labels and the
confidences come from an earlier pass over it.

Pictures and texts are checked later, and not by `diagnose`: `plan_content_check` in
`curation/loading/content_checks.py` calls these.

    content_survey  which pictures and texts cannot be shown?
    copies          which examples show the same?
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from numpy.typing import NDArray

from curation.core.checks import Survey
from curation.core.matrix import BoolArray, FloatArray, IntArray, Probabilities
from curation.loading.doctor.agreement import diagnose_agreement
from curation.loading.doctor.names import diagnose_class_names, diagnose_class_sizes, diagnose_ids
from curation.loading.doctor.predictions import read_predictions
from curation.loading.doctor.shapes import diagnose_shapes
from curation.loading.doctor.values import diagnose_conversion, diagnose_values
from curation.report import Diagnosis, Severity, sort_worst_first

__all__ = [
    "CHECKS",
    "diagnose",
    "diagnose_agreement",
    "diagnose_class_names",
    "diagnose_class_sizes",
    "diagnose_conversion",
    "diagnose_ids",
    "diagnose_shapes",
    "diagnose_values",
    "list_passed",
    "read_predictions",
]

# Each sentence is true if none of its codes was found before the content is checked.
CHECKS: dict[str, tuple[str, ...]] = {
    "there are enough rows and classes": ("rows.none", "rows.one", "classes.one"),
    "labels and probabilities have matching sizes": (
        "probs.transposed",
        "probs.rows",
        "probs.columns",
        "probs.binary",
    ),
    "every probability is a number": ("probs.nan", "probs.infinite"),
    "every row of probabilities adds up to 1": (
        "probs.zero",
        "probs.logits",
        "probs.percent",
        "probs.scaled",
        "probs.range",
        "probs.sums",
    ),
    "every class has enough examples": ("classes.empty", "classes.rare"),
    "no two classes have nearly the same name": (
        "classes.duplicate",
        "classes.same_name",
        "classes.near_duplicate",
    ),
    "no two ids are nearly the same": ("ids.duplicate", "ids.near_duplicate"),
    "rows of labels and probabilities belong together": (
        "rows.misaligned",
        "rows.shifted",
        "rows.contradicted",
        "rows.labels_differ",
        "rows.order",
    ),
    "columns of probabilities are in the order of the classes": ("columns.permuted",),
    "probabilities are not predictions on the training data": ("probs.in_sample",),
    "the model uses its input": ("probs.constant",),
}


def diagnose(
    labels: IntArray,
    predicted_labels: IntArray | None,
    self_confidence: FloatArray | None,
    survey: Survey,
    class_names: Sequence[str],
    class_ids: Sequence[str] | None = None,
    ids: Sequence[Any] | NDArray[Any] | None = None,
    *,
    pred_probs: Probabilities,
    top_confidence: FloatArray | None = None,
    flagged: BoolArray | int | None = None,
    probs_name: str = "probabilities",
    labels_name: str = "labels",
    ids_name: str = "labels",
) -> list[Diagnosis]:
    """Return everything found, worst first.

    At most a thousand rows of `pred_probs` are read, and only if the survey found invalid rows.
    Agreement is not checked without `predicted_labels` and `self_confidence`, or if the values
    block, since it would mean nothing.
    """
    found = diagnose_shapes(
        len(labels), tuple(pred_probs.shape), class_names, where=probs_name
    ) + diagnose_values(survey, pred_probs, ids, where=probs_name)
    blocked = any(each.severity is Severity.BLOCK for each in found)
    found += diagnose_class_sizes(labels, class_names, class_ids, where=labels_name)
    found += diagnose_class_names(class_names, class_ids)
    if ids is not None:
        found += diagnose_ids(ids, where=ids_name)
    if predicted_labels is not None and self_confidence is not None and not blocked:
        found += diagnose_agreement(
            labels,
            predicted_labels,
            self_confidence,
            class_names,
            class_ids,
            top_confidence=top_confidence,
            flagged=flagged,
            ids=ids,
            where=probs_name,
        )
    return sort_worst_first(found)


def list_passed(diagnoses: Iterable[Diagnosis]) -> tuple[str, ...]:
    """Return the checks that found nothing, in words, for `Report.passed`.

    If something blocks, later checks did not run, so nothing is listed.
    """
    found = list(diagnoses)
    if any(each.severity is Severity.BLOCK for each in found):
        return ()
    codes = {each.code for each in found}
    return tuple(words for words, its_codes in CHECKS.items() if codes.isdisjoint(its_codes))
