"""The paper as slow loops, written from its text alone; the fast versions must agree with them."""

from __future__ import annotations

from typing import Any

import numpy as np

from curation.core.count import THRESHOLD_TOLERANCE


def slow_thresholds(labels: Any, pred_probs: Any, threshold: Any = "mean") -> list[float]:
    """Algorithm 1, part 1."""
    thresholds = []
    for j in range(len(pred_probs[0])):
        confidences = [
            float(row[j]) for label, row in zip(labels, pred_probs, strict=True) if label == j
        ]
        if not confidences:
            thresholds.append(float("inf"))
        elif threshold == "mean":
            thresholds.append(sum(confidences) / len(confidences))
        else:
            thresholds.append(float(np.percentile(confidences, threshold)))
    return thresholds


def slow_counted(
    labels: Any, pred_probs: Any, threshold: Any = "mean", collisions: str = "argmax"
) -> list[int | None]:
    """Algorithm 1, part 2: the class each example is counted into, or None."""
    thresholds = slow_thresholds(labels, pred_probs, threshold)
    guesses: list[int | None] = []
    for row in pred_probs:
        probabilities = [float(p) for p in row]
        reached = [
            j
            for j, p in enumerate(probabilities)
            if p >= max(thresholds[j] - THRESHOLD_TOLERANCE, THRESHOLD_TOLERANCE)
        ]
        if len(reached) <= 1:
            guesses.append(reached[0] if reached else None)
            continue
        present = [j for j, t in enumerate(thresholds) if t < float("inf")]
        candidates = reached if collisions == "confident" else present
        guesses.append(max(candidates, key=lambda j: (probabilities[j], -j)))
    return guesses


def slow_confident_joint(labels: Any, guesses: list[int | None], m: int) -> Any:
    counts = np.zeros((m, m), int)
    for label, guess in zip(labels, guesses, strict=True):
        if guess is not None:
            counts[label][guess] += 1
    return counts


def slow_joint(counts: Any, labels: Any) -> Any:
    """Algorithm 2; a given class without counts keeps its mass on the diagonal."""
    m = len(counts)
    calibrated = np.zeros((m, m))
    for i in range(m):
        examples = sum(1 for label in labels if label == i)
        total = sum(counts[i])
        for j in range(m):
            share = counts[i][j] / total if total else float(i == j)
            calibrated[i][j] = share * examples
    return calibrated / calibrated.sum()


def slow_error_counts(counts: Any, labels: Any) -> list[list[int]]:
    """n * joint in whole numbers by largest remainders, one example left on each diagonal."""
    m, rounded = len(counts), []
    for i in range(m):
        examples = sum(1 for label in labels if label == i)
        row = [int(count) for count in counts[i]]
        if sum(row) == 0:
            row[i] = 1
        whole = [count * examples // sum(row) for count in row]
        by_remainder = sorted(range(m), key=lambda j: (-(row[j] * examples % sum(row)), j))
        for j in by_remainder[: examples - sum(whole)]:
            whole[j] += 1
        if examples and whole[i] == 0:
            largest = max(range(m), key=lambda j: (whole[j], -j))
            whole[largest] -= 1
            whole[i] = 1
        rounded.append(whole)
    return rounded


def slow_masks(labels: Any, pred_probs: Any, guesses: list[int | None]) -> dict[str, set[int]]:
    """Section 3.2: the rows that each of the five methods flags."""
    m, rows = len(pred_probs[0]), range(len(labels))
    counts = slow_confident_joint(labels, guesses, m)
    errors = slow_error_counts(counts, labels)
    probs = [[float(p) for p in row] for row in pred_probs]
    by_class: set[int] = set()
    by_noise_rate: set[int] = set()
    for i in range(m):
        members = [k for k in rows if labels[k] == i]
        least = sorted(members, key=lambda k: (probs[k][i], k))
        by_class |= set(least[: sum(errors[i]) - errors[i][i]])
        for j in range(m):
            if j != i:
                widest = sorted(members, key=lambda k: (-(probs[k][j] - probs[k][i]), k))
                by_noise_rate |= set(widest[: errors[i][j]])
    predicted = [max(range(m), key=lambda j: (probs[k][j], -j)) for k in rows]
    return {
        "confusion": {k for k in rows if predicted[k] != labels[k]},
        "confident_joint": {k for k in rows if guesses[k] not in (None, labels[k])},
        "prune_by_class": by_class,
        "prune_by_noise_rate": by_noise_rate,
        "both": by_class & by_noise_rate,
    }
