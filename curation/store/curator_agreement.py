"""How well curators agree: Cohen's kappa for each pair, on the examples both decided."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from curation.store.entries import Decision


@dataclass(frozen=True)
class Agreement:
    """How well two curators agree; kappa is None if both always gave the same single answer."""

    curators: tuple[str, str]
    examples: int
    agreed: int
    kappa: float | None


@dataclass(frozen=True)
class Disagreement:
    """An example on which curators differ: the decisions that compete, and late attempts."""

    example_id: str
    candidates: tuple[Decision, ...]
    attempts: tuple[Decision, ...]


def cohen_kappa(one: Sequence[Hashable], two: Sequence[Hashable]) -> float | None:
    """Return (observed - chance) / (1 - chance), the agreement beyond chance.

    Chance is the probability that both give the same answer if each picks one of
    their own answers at random. Here 3 of 4 agree and chance is (2*3 + 2*1) / 16 = 1/2:

    >>> cohen_kappa("kkrr", "kkkr")
    0.5
    """
    count = len(one)
    if not count:
        return None
    observed = sum(a == b for a, b in zip(one, two, strict=True))
    first, second = Counter(one), Counter(two)
    chance = sum(times * second[answer] for answer, times in first.items())
    if chance == count * count:  # in whole numbers, so exact: both always gave the same answer
        return None
    return (observed * count - chance) / (count * count - chance)


def find_agreement(opinions: Mapping[str, Mapping[str, Decision]]) -> list[Agreement]:
    """Return the agreement of each pair of curators; `opinions` is by curator, then example."""
    found = []
    for one, two in combinations(sorted(opinions), 2):
        both = sorted(set(opinions[one]) & set(opinions[two]))
        if both:
            first = [opinions[one][each].answer for each in both]
            second = [opinions[two][each].answer for each in both]
            agreed = sum(a == b for a, b in zip(first, second, strict=True))
            found.append(Agreement((one, two), len(both), agreed, cohen_kappa(first, second)))
    return found
