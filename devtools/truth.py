"""How good an analysis is, measured on a dataset whose true labels are known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import curation
from curation.analysis.findings import ORDERS, Findings, Order
from devtools.paper import measure_flags


@dataclass(frozen=True)
class Truth:
    """What confident learning says about a dataset, and what is so."""

    findings: Findings
    errors: int  # labels that are wrong
    precision: float  # of the default flags
    recall: float
    average_precision: Mapping[Order, float]  # of each order, over all examples


def read_truth(path: Path) -> Truth:
    """Return the measures of an .npz with `pred_probs`, `noisy_labels` and `true_labels`."""
    with np.load(path, allow_pickle=False) as arrays:
        labels, true_labels = (
            arrays[name].astype(np.int64) for name in ("noisy_labels", "true_labels")
        )
        return measure_truth(curation.analyze(labels, arrays["pred_probs"]), true_labels)


def measure_truth(findings: Findings, true_labels: NDArray[np.int64]) -> Truth:
    """Return the measures of an analysis whose true labels are known."""
    wrong = findings.labels != true_labels
    *_, precision, recall = measure_flags(findings.mask(), wrong)
    return Truth(
        findings=findings,
        errors=int(np.count_nonzero(wrong)),
        precision=precision / 100,
        recall=recall / 100,
        average_precision={
            order: measure_average_precision(getattr(findings, order), wrong) for order in ORDERS
        },
    )


def measure_average_precision(scores: NDArray[np.float64], wrong: NDArray[np.bool_]) -> float:
    """Return the mean precision at each wrong label, lowest score first; 0 if none is wrong.

    Examples with equal scores count together, so that their order does not matter.

    >>> measure_average_precision(np.array([.1, .2, .3]), np.array([True, False, True]))
    0.833...
    """
    order = np.argsort(scores, kind="stable")
    last_of_ties = np.flatnonzero(np.append(np.diff(scores[order]) > 0, True))
    hits = np.cumsum(wrong[order])[last_of_ties]
    new_hits = np.diff(hits, prepend=0)
    return float((new_hits * hits / (last_of_ties + 1)).sum() / max(1, hits[-1]))
