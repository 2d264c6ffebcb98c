"""Made-up inputs for the mathematics: by Hypothesis, by seed, and by the paper's conditions."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray


@st.composite
def problems(draw: st.DrawFn, *, every_class: bool = False) -> tuple[Any, Any]:
    """Labels and probabilities full of ties, zeros, empty classes and collisions."""
    m = draw(st.integers(2, 5))
    labels = draw(st.lists(st.integers(0, m - 1), min_size=1, max_size=25))
    if every_class:
        labels = draw(st.permutations([*range(m), *labels]))
    weights = st.lists(st.integers(0, 6), min_size=m, max_size=m).filter(any)
    rows = [draw(weights) for _ in labels]
    matrix = np.array(rows, float)
    return np.array(labels), matrix / matrix.sum(axis=1, keepdims=True)


def noisy_problem(
    rng: np.random.Generator,
    n: int = 2000,
    m: int = 6,
    *,
    noise: float = 0.2,
    sharpness: float = 6.0,
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.int64]]:
    """Given labels, probabilities without ties, and true labels, for a fairly good model."""
    true = rng.integers(0, m, n)
    given = np.where(rng.random(n) < noise, rng.integers(0, m, n), true)
    logits = rng.normal(size=(n, m))
    logits[np.arange(n), true] += sharpness * rng.random(n)
    probs = np.exp(logits)
    return given, probs / probs.sum(axis=1, keepdims=True), true


def ideal_problem(counts: NDArray[np.int64]) -> tuple[Any, Any, Any]:
    """Examples in the numbers `counts[given, true]`, with the paper's ideal probabilities.

    Every example's probabilities are the noise rates p(given | true) of its true class.
    """
    given, true = np.nonzero(counts)
    repeats = counts[given, true]
    noise_matrix = counts / counts.sum(axis=0)
    given, true = np.repeat(given, repeats), np.repeat(true, repeats)
    return given, noise_matrix.T[true], true
