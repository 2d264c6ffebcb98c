"""Overlap: the pairs of classes confused most often (the paper's Table 4), and possible reasons.

The kind of overlap is only a suggestion, with its reason. The rules are in
`suggest_overlap_kind`, in the order they are tried.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Literal

import numpy as np

from curation.core.count import find_cutoffs
from curation.core.matrix import FloatArray, IntArray, Probabilities

OverlapKind = Literal["same name", "errors", "one way", "interchangeable", "together", "look alike"]

# A pair is "together" when at least this share of the two classes is confident in both at once.
TOGETHER_SHARE = 0.1
# Fewer counted examples than this, or a smaller share of the two classes, are plain errors.
FEW_EXAMPLES = 5
FEW_SHARE = 0.02
# A pair is "one way" when at least this share of its examples goes in one direction, and the
# difference is more than chance gives an even pair (one standard deviation). In the paper's
# Table 4, missile and projectile (every missile is one) have 60 %, chameleon and green lizard
# (neither is the other) 50 %.
ONE_WAY_SHARE = 0.55
# And at least this share of the narrower class is given the wider label: people who may use either
# name do so often. Slips between classes that look alike are rarer: of CIFAR-10's trucks, 5 %
# are labelled automobile.
WIDER_SHARE = 0.1
# Two labels are used interchangeably when the given one agrees with the one the model is
# confident of hardly more than by chance. Simulated synonyms score within 0.1 of 0, CIFAR-10's
# cat and dog 0.92, the most alike of our simulated classes 0.65.
CHANCE_AGREEMENT = 0.25
# With fewer letters, adding an s may make a different word: new and news, pant and pants.
PLURAL_LETTERS = 5
# A space between digits, and a sign or a point before a digit, are part of the number.
SPACES = re.compile(r"(?<!\d)[\s_]+|[\s_]+(?!\d)")
MARKS = re.compile(r"[-.,;:'’\"/()]+(?!\d)")


@dataclass(frozen=True)
class Pair:
    """Two classes and the examples counted between them: given a and truly b, and the reverse."""

    a: int
    b: int
    a_to_b: int  # given a, confidently b
    b_to_a: int
    size: int  # examples given either

    @property
    def total(self) -> int:
        return self.a_to_b + self.b_to_a


def rank_overlaps(confident_joint: IntArray) -> tuple[IntArray, IntArray]:
    """Return the given and the true class of every counted pair, largest count first.

    These are the entries off the diagonal of the confident joint. In a tie, the lower given class
    and then the lower true class comes first.

    >>> rank_overlaps(np.array([[9, 1, 0], [3, 8, 0], [0, 1, 7]]))
    (array([1, 0, 2]), array([0, 1, 1]))
    """
    given, true = np.nonzero(confident_joint)
    given, true = given[given != true], true[given != true]
    order = np.argsort(-confident_joint[given, true], kind="stable")
    return given[order], true[order]


def fold_overlaps(confident_joint: IntArray, given_counts: IntArray) -> list[Pair]:
    """Return every pair of classes once, both directions together, largest total first.

    `a` is the class that gives away more: most examples go from given a to true b.

    >>> fold_overlaps(np.array([[9, 1, 0], [3, 8, 0], [0, 1, 7]]), np.array([10, 11, 8]))[0]
    Pair(a=1, b=0, a_to_b=3, b_to_a=1, size=21)
    """
    pairs = {}
    for i, j in zip(*rank_overlaps(confident_joint), strict=True):
        if (j, i) not in pairs:
            pairs[i, j] = Pair(
                int(i),
                int(j),
                int(confident_joint[i, j]),
                int(confident_joint[j, i]),
                int(given_counts[i] + given_counts[j]),
            )
    return sorted(pairs.values(), key=lambda pair: (-pair.total, pair.a, pair.b))


def count_confident_in_both(
    pair: Pair, labels: IntArray, pred_probs: Probabilities, thresholds: FloatArray
) -> int:
    """Return how many examples given either class reach the thresholds of both."""
    rows = np.flatnonzero((labels == pair.a) | (labels == pair.b))
    cutoffs = find_cutoffs(thresholds)
    reached = [pred_probs[rows, label] >= cutoffs[label] for label in (pair.a, pair.b)]
    return int(np.count_nonzero(reached[0] & reached[1]))


def suggest_overlap_kind(
    pair: Pair,
    name_a: str,
    name_b: str,
    own: tuple[int, int],
    in_both: int = 0,
    predicted: tuple[int, int] | None = None,
) -> OverlapKind:
    """Return what kind of overlap a pair looks like: the first rule that matches.

    `own` are the examples given a and counted as a, and the same for b.

    1. "same name": the names are equal or nearly, see `is_nearly_one_name`: one class, twice.
    2. "errors": few examples, or few of the two classes: mistakes, no overlap of meaning.
    3. "one way": more go from given a to true b than back, and they are many of the true b: b may
       be a kind or a part of a. `predicted`, the plain predictions both ways, must go the same
       way if it is known: it is less sure of each example but counts more of them. Where the
       next rule holds too, only a difference of three standard deviations counts.
    4. "interchangeable": the given label says nearly nothing about which of the two the model is
       confident of, see `score_agreement`: two names for one thing, or no rule for which to use.
    5. "together": many are confident in both at once: both may be in the same example.
    6. "look alike": the model tells most of them apart: two classes that are easily confused.

    >>> suggest_overlap_kind(Pair(0, 1, 645, 30, 2600), "projectile", "missile", (655, 800))
    'one way'
    >>> suggest_overlap_kind(Pair(0, 1, 494, 480, 2000), "sofa", "couch", (490, 494))
    'interchangeable'
    """
    if is_nearly_one_name(name_a, name_b):
        return "same name"
    if is_few(pair):
        return "errors"
    at_chance = score_agreement(pair, own) <= CHANCE_AGREEMENT
    if _is_one_way(pair, own, predicted, deviations=3 if at_chance else 1):
        return "one way"
    if at_chance:
        return "interchangeable"
    if in_both >= TOGETHER_SHARE * pair.size:
        return "together"
    return "look alike"


def _is_one_way(
    pair: Pair, own: tuple[int, int], predicted: tuple[int, int] | None, *, deviations: float
) -> bool:
    wider = pair.a_to_b >= WIDER_SHARE * (pair.a_to_b + own[1])
    counts = [(pair.a_to_b, pair.b_to_a)] + ([predicted] if predicted else [])
    return wider and all(clearly_exceeds(*each, deviations=deviations) for each in counts)


def score_agreement(pair: Pair, own: tuple[int, int]) -> float:
    """Return how far the given label agrees with the confident one, beyond chance: Cohen's kappa.

    Of the examples counted between and within the two classes, po is the share counted as its
    own label, and pe the share that would be if the two were independent. Kappa is
    (po - pe) / (1 - pe): 1 for full agreement, 0 for labels that are given at random.

    >>> score_agreement(Pair(0, 1, 10, 10, 100), own=(40, 40))
    0.6
    >>> score_agreement(Pair(0, 1, 20, 20, 100), own=(20, 20))
    0.0
    """
    counts = np.array([[own[0], pair.a_to_b], [pair.b_to_a, own[1]]], dtype=np.float64)
    if not counts.any():
        return 1.0
    shares = counts / counts.sum()
    by_chance = float(shares.sum(axis=1) @ shares.sum(axis=0))
    if by_chance == 1:  # a single label, and all of it counted as its own
        return 1.0
    return float(round((shares.trace() - by_chance) / (1 - by_chance), 12))


def is_few(pair: Pair) -> bool:
    """Return whether too few examples are counted between the classes to speak of an overlap."""
    return pair.total < FEW_EXAMPLES or pair.total < FEW_SHARE * pair.size


def clearly_exceeds(forth: int, back: int, *, deviations: float = 1) -> bool:
    """Return whether clearly more examples go forth than back.

    The difference must exceed what chance gives an even pair, by standard deviations.

    >>> [clearly_exceeds(*each) for each in ((645, 433), (437, 435), (7, 3), (7, 5))]
    [True, False, True, False]
    >>> clearly_exceeds(7, 3, deviations=3)
    False
    """
    total = forth + back
    return forth - back > deviations * total**0.5 and forth >= ONE_WAY_SHARE * total


def is_nearly_one_name(name_a: str, name_b: str) -> bool:
    """Return whether names are equal except for case, spaces, punctuation and a plural ending.

    A plural adds s or es to a name of at least `PLURAL_LETTERS` letters that ends in a letter.
    It never ends in ss. A different letter or digit makes a different name.

    >>> is_nearly_one_name("Sunglass", "sunglasses"), is_nearly_one_name("mouse", "house")
    (True, False)
    """
    one, several = sorted((fold_name(name_a), fold_name(name_b)), key=len)
    if one == several:
        return True
    long_enough = sum(map(str.isalpha, one)) >= PLURAL_LETTERS and one[-1].isalpha()
    return long_enough and several in (f"{one}s", f"{one}es") and not several.endswith("ss")


def fold_name(name: str) -> str:
    """Return a name without the differences in spelling that carry no meaning.

    >>> fold_name("Space_Bar") == fold_name("space bar "), fold_name("café") == fold_name("CAFE")
    (True, False)
    """
    return drop_marks(unicodedata.normalize("NFKC", name).casefold().strip())


def drop_marks(name: str) -> str:
    """Return a name without spaces and punctuation, unless it has nothing else or is a number.

    >>> drop_marks("hot-dog"), drop_marks("-1"), drop_marks("1 000"), drop_marks("c++")
    ('hotdog', '-1', '1 000', 'c++')
    """
    return MARKS.sub("", SPACES.sub("", name)) or name
