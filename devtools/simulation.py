"""Datasets with wrong labels at known places, made by chance for the benchmarks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Simulation:
    """A dataset to make: noise of some kind, and a model of some strength and calibration.

    The model is trained on the noisy labels, so it has learned the noise of its classes. Its
    temperature is below 1 if it is too sure and above 1 if it is too unsure.
    """

    noise: str  # human: more on hard examples, towards what looks alike; uniform; pairs
    rate: float
    num_examples: int
    num_classes: int
    strength: float = 2.5
    temperature: float = 1.0

    @property
    def name(self) -> str:
        model = "strong" if self.strength > 2 else "weak"
        sure = {0.3: ", too sure", 3.0: ", too unsure"}.get(self.temperature, "")
        return (
            f"{self.noise} {self.rate:.1%}, n {self.num_examples:,}, m {self.num_classes}, "
            f"{model}{sure}"
        )


def simulate(
    made: Simulation, rng: np.random.Generator
) -> tuple[NDArray[np.int64], Floats, NDArray[np.int64]]:
    """Return given labels, out-of-sample probabilities and true labels."""
    n, m = made.num_examples, made.num_classes
    true, rows = rng.integers(0, m, n), np.arange(n)
    hardness = rng.exponential(1.0, n)
    logits = 1.5 * rng.standard_normal((n, m), dtype=np.float32)
    logits[rows, true] += 3 * made.strength * np.exp(-0.6 * hardness) + 0.5
    chance = np.ones(n)
    if made.noise == "human":  # people see part of what the model sees
        seen = 0.7 * (logits + 1.5 * rng.standard_normal((n, m), dtype=np.float32))
        seen[rows, true] = -np.inf
        confused = seen.argmax(axis=1)
        chance = hardness**1.5 + 0.15
    elif made.noise == "pairs":
        confused = (true + 1) % m
    else:
        confused = (true + rng.integers(1, m, n)) % m
    wrong = rng.random(n) < np.clip(scale_to_mean(chance, made.rate), 0, 1)
    given = np.where(wrong, confused, true)
    probs = np.exp(logits - logits.max(axis=1, keepdims=True)).astype(np.float64)
    probs /= probs.sum(axis=1, keepdims=True)
    if made.noise == "pairs":
        probs = (1 - made.rate) * probs + made.rate * np.roll(probs, 1, axis=1)
    elif made.noise == "uniform":
        probs = (1 - made.rate) * probs + made.rate * (1 - probs) / (m - 1)
    probs **= 1 / made.temperature
    probs /= probs.sum(axis=1, keepdims=True)
    return given, probs, true


def scale_to_mean(chance: Floats, mean: float) -> Floats:
    """Return the chances times a factor, cut off at 0.95, so that they have this mean."""
    low, high = 0.0, 1e4
    for _ in range(60):
        factor = (low + high) / 2
        if np.minimum(factor * chance, 0.95).mean() > mean:
            high = factor
        else:
            low = factor
    return np.minimum(low * chance, 0.95)
