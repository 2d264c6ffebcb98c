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

OverlapKind = Literal["same name", "together", "errors", "one way", "both ways"]

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
    pair: Pair, name_a: str, name_b: str, in_both: int, predicted: tuple[int, int] | None = None
) -> OverlapKind:
    """Return what kind of overlap a pair looks like: the first rule that matches.

    1. "same name": the names are equal or nearly, see `is_nearly_one_name`: one class, twice.
    2. "errors": few examples, or few of the two classes: mistakes, no overlap of meaning.
    3. "one way": more go from given a to true b than back: b may be a kind or a part of a.
       `predicted`, the plain predictions both ways, must go the same way if it is known: it is
       less sure of each example but counts more of them.
    4. "together": many are confident in both at once: both may be in the same example.
    5. "both ways": about as many in each direction: two names for one thing, or no clear border.

    >>> suggest_overlap_kind(Pair(0, 1, 645, 30, 2600), "projectile", "missile", 12)
    'one way'
    """
    if is_nearly_one_name(name_a, name_b):
        return "same name"
    if is_few(pair):
        return "errors"
    if leans(pair.a_to_b, pair.b_to_a) and (predicted is None or leans(*predicted)):
        return "one way"
    if in_both >= TOGETHER_SHARE * pair.size:
        return "together"
    return "both ways"


def is_few(pair: Pair) -> bool:
    """Return whether too few examples are counted between the classes to speak of an overlap."""
    return pair.total < FEW_EXAMPLES or pair.total < FEW_SHARE * pair.size


def leans(forth: int, back: int) -> bool:
    """Return whether clearly more examples go forth than back.

    >>> leans(645, 433), leans(437, 435), leans(7, 3), leans(7, 5)
    (True, False, True, False)
    """
    total = forth + back
    by_chance = total**0.5
    return forth - back > by_chance and forth >= ONE_WAY_SHARE * total


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
