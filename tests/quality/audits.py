"""Small populations to audit, every order in which they can be drawn, and their true figures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations

import numpy as np

import curation
from curation.analysis.findings import Findings
from curation.quality import AuditPlan, plan_audit
from tests.problems import noisy_problem


def two_classes(*own: float) -> Findings:
    """Return findings on examples of two classes in turn, with these self-confidences."""
    labels = np.arange(len(own)) % 2
    right = np.array(own)
    probs = np.where(labels[:, None] == [0, 1], right[:, None], 1 - right[:, None])
    return curation.analyze(labels, probs)


def noisy_findings(seed: int, n: int = 400) -> tuple[Findings, np.ndarray]:
    """Return findings on simulated labels, and which of the labels are wrong."""
    labels, probs, true = noisy_problem(np.random.default_rng(seed), n)
    return curation.analyze(labels, probs), labels != true


def every_order(plan: AuditPlan) -> Iterator[tuple[AuditPlan, float]]:
    """Give each order in which the planned rows can be drawn, with its exact chance.

    The plan has to hold the whole population.
    """
    bins = dict(zip(plan.rows.tolist(), plan.row_bins.tolist(), strict=True))
    weights = {row: int(plan.bin_weights[bins[row]]) for row in bins}
    for order in permutations(bins):
        chance, left = 1.0, sum(weights.values())
        for row in order:
            chance *= weights[row] / left
            left -= weights[row]
        row_bins = np.array([bins[row] for row in order])
        yield replace(plan, rows=np.array(order), row_bins=row_bins), chance


def whole_plan(findings: Findings, **options: object) -> AuditPlan:
    return plan_audit(findings, size=len(findings.labels), seed=0, **options)


def judge(wrong, rows):
    """Return the true verdict on each of these rows."""
    return {int(row): bool(wrong[row]) for row in rows}


def true_figures(findings, wrong):
    """Return what an audit should find, counted over all labels."""
    flagged = findings.mask()
    total, hits = int(wrong.sum()), int((wrong & flagged).sum())
    return {
        "total_errors": total,
        "missed_errors": total - hits,
        "flagged_errors": hits,
        "precision": hits / flagged.sum() if flagged.any() else 1.0,
        "recall": hits / total if total else 1.0,
        "label_accuracy": 1 - total / len(wrong),
    }


def holds(quality, figures):
    """Return whether each interval holds its true figure."""
    return {
        name: getattr(quality, name).low - 1e-9 <= value <= getattr(quality, name).high + 1e-9
        for name, value in figures.items()
    }
