"""Pairs of confused classes: their numbers, the kind of overlap, and their examples."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from curation.analysis.findings import Findings
from curation.core.matrix import IntArray, Probabilities
from curation.core.overlap import (
    CHANCE_AGREEMENT,
    FEW_EXAMPLES,
    FEW_SHARE,
    ONE_WAY_SHARE,
    PLURAL_LETTERS,
    TOGETHER_SHARE,
    WIDER_SHARE,
    OverlapKind,
    Pair,
    count_confident_in_both,
    fold_name,
    fold_overlaps,
    rank_overlaps,
    score_agreement,
    suggest_overlap_kind,
)
from curation.core.rank import rank_examples
from curation.wording import isolate, percent, verb_of, write_share

KIND_NAMES: dict[OverlapKind, str] = {
    "same name": "one class that exists twice",
    "errors": "plain labelling errors",
    "one way": "one is a kind or a part of the other",
    "together": "both appear in the same examples",
    "interchangeable": "labels used interchangeably: two names for one thing, or no clear rule",
    "look alike": "two classes that are easily confused",
}
SHORT_KIND_NAMES: dict[OverlapKind, str] = {
    "same name": "one class twice",
    "errors": "plain errors",
    "one way": "kind or part of",
    "together": "both at once",
    "interchangeable": "interchangeable",
    "look alike": "look-alikes",
}
KIND_RULES = f"""
The first rule that applies gives the suggestion. Look at the examples before you decide.

1. **One class twice**: the names differ only in case, spaces and punctuation, or one is the
   plural of the other, with s or es (names of at least {PLURAL_LETTERS} letters).
2. **Plain errors**: fewer than {FEW_EXAMPLES} examples are counted between the two classes, or
   fewer than {percent(FEW_SHARE)} of the examples with either label.
3. **A kind or a part**: at least {percent(ONE_WAY_SHARE)} go in one direction, more than chance
   explains for an even pair (the difference exceeds the square root of the total), the confusion
   counts lean the same way, and at least {percent(WIDER_SHARE)} of what is confidently the
   narrower class has the wider label. If rule 4 applies too, the difference must be three times
   as large.
4. **Interchangeable**: the given label agrees with the confident one hardly more than by chance
   (Cohen's kappa of the two is at most {CHANCE_AGREEMENT}): two names for one thing, or nobody
   knows which to use. Numbers cannot tell these apart; the examples can.
5. **Both at once**: at least {percent(TOGETHER_SHARE)} of the examples with either label reach
   the thresholds of both classes.
6. **Look-alikes**: the model tells most of them apart, and some are confused.

"Counted" means off the diagonal of the confident joint.
"""


@dataclass(frozen=True)
class Suggestion:
    """What kind of overlap a pair looks like, and why, in a sentence."""

    kind: OverlapKind
    reason: str

    @property
    def words(self) -> str:
        return KIND_NAMES[self.kind]


@dataclass(frozen=True)
class PairRow:
    """A row of every table of pairs: one direction, from the given label to the true label."""

    given: int
    true: int
    counted: int  # in the confident joint
    change: int  # counted now minus counted before
    estimated: float  # examples, by the joint
    joint: float  # share of all examples
    share_of_given: float  # of the examples with this given label
    share_of_true: float  # of the examples with this true label
    confusion: int  # examples whose likeliest class is the true label, without thresholds


def describe_pairs(
    findings: Findings, given: IntArray, true: IntArray, before: Findings | None = None
) -> list[PairRow]:
    """Return a row for each pair of given and true label, with its value in each matrix.

    With the findings `before`, each row has its change; without, the change is 0.
    """
    counted, joint = findings.confident_joint[given, true], findings.joint[given, true]
    change = counted - before.confident_joint[given, true] if before else np.zeros_like(counted)
    columns = (
        given, true, counted, change, len(findings.labels) * joint, joint,
        findings.inverse_noise_matrix[true, given], findings.noise_matrix[given, true],
        findings.confusion[given, true],
    )  # fmt: skip
    return [PairRow(*row) for row in zip(*(each.tolist() for each in columns), strict=True)]


def list_pairs(findings: Findings) -> list[Pair]:
    """Return every pair of classes with counted examples between them, largest first."""
    return fold_overlaps(findings.confident_joint, count_given(findings))


def rank_compared(now: IntArray, before: IntArray) -> tuple[IntArray, IntArray]:
    """Return the given and true class of each pair counted now, then of those counted only before.

    >>> given, true = rank_compared(np.array([[5, 2], [0, 3]]), np.array([[5, 1], [4, 3]]))
    >>> list(zip(given.tolist(), true.tolist()))
    [(0, 1), (1, 0)]
    """
    (given, true), (old_given, old_true) = rank_overlaps(now), rank_overlaps(before)
    gone = now[old_given, old_true] == 0
    return np.append(given, old_given[gone]), np.append(true, old_true[gone])


def list_vanished(now: Findings, before: Findings) -> list[Pair]:
    """Return the pairs with counted examples before and none now, the largest then first."""
    counts, sizes = now.confident_joint, count_given(now)
    return [
        Pair(pair.a, pair.b, 0, 0, int(sizes[pair.a] + sizes[pair.b]))
        for pair in list_pairs(before)
        if not counts[pair.a, pair.b] + counts[pair.b, pair.a]
    ]


def count_given(findings: Findings) -> IntArray:
    """Return how many examples are labelled each class."""
    return np.bincount(findings.labels, minlength=len(findings.class_names)).astype(np.int64)


def make_pair(findings: Findings, a: int, b: int) -> Pair:
    """Return a pair in the order of the table: first the class that loses more examples."""
    counts = findings.confident_joint
    if (counts[b, a], -b) > (counts[a, b], -a):
        a, b = b, a
    size = sum(int((findings.labels == label).sum()) for label in (a, b))
    return Pair(a, b, int(counts[a, b]), int(counts[b, a]), size)


def find_kind(
    pair: Pair, own_names: tuple[str, ...], findings: Findings, pred_probs: Probabilities
) -> OverlapKind:
    """Return the kind of overlap; probabilities are read only if they can change it."""
    names = own_names[pair.a], own_names[pair.b]
    own, predicted = _count_own(findings, pair), _count_predicted(findings, pair)
    kind = suggest_overlap_kind(pair, *names, own, 0, predicted)
    if kind != "look alike":
        return kind
    in_both = count_confident_in_both(pair, findings.labels, pred_probs, findings.thresholds)
    return suggest_overlap_kind(pair, *names, own, in_both, predicted)


def _count_own(findings: Findings, pair: Pair) -> tuple[int, int]:
    """Return how many labelled each class are counted as that class."""
    counts = findings.confident_joint
    return int(counts[pair.a, pair.a]), int(counts[pair.b, pair.b])


def _count_predicted(findings: Findings, pair: Pair) -> tuple[int, int]:
    """Return how many examples of each label are predicted as the other, without thresholds."""
    confusion = findings.confusion
    return int(confusion[pair.a, pair.b]), int(confusion[pair.b, pair.a])


def suggest(
    pair: Pair, own_names: tuple[str, ...], findings: Findings, pred_probs: Probabilities
) -> Suggestion | None:
    """Return the kind of overlap with its reason in numbers.

    None if no example is counted between the two, unless their names are nearly the same.
    """
    kind = find_kind(pair, own_names, findings, pred_probs)
    if not pair.total and kind != "same name":
        return None
    names = str(findings.class_names[pair.a]), str(findings.class_names[pair.b])
    if kind == "together":
        in_both = count_confident_in_both(pair, findings.labels, pred_probs, findings.thresholds)
        share = percent(in_both / max(pair.size, 1))
        are = verb_of(in_both, "is", "are")
        return Suggestion(
            kind,
            f"{in_both:,} of the {pair.size:,} with either label {are} confidently both ({share})",
        )
    agreement = score_agreement(pair, _count_own(findings, pair))
    return Suggestion(kind, _give_reason(kind, pair, own_names, names, agreement))


def _give_reason(
    kind: OverlapKind,
    pair: Pair,
    own_names: tuple[str, ...],
    names: tuple[str, str],
    agreement: float,
) -> str:
    ways = describe_directions(pair, *names)
    if kind == "same name":
        difference = _compare_names(own_names[pair.a], own_names[pair.b])
        return f"{difference}; {ways}" if pair.total else difference
    if kind == "errors":
        share = write_share(pair.total / max(pair.size, 1))
        are = verb_of(pair.total, "is", "are")
        return (
            f"only {pair.total:,} of the {pair.size:,} with either label {are} in doubt ({share})"
        )
    if kind == "one way":
        return f"{ways}, so {isolate(names[1])} would be the narrower class"
    score = f"kappa {max(agreement, 0):.2f}, where 0 is chance and 1 is full agreement"
    if kind == "interchangeable":
        return f"{ways}: which label was given hardly matters ({score})"
    return f"{ways}, but the model tells most of them apart ({score})"


def _compare_names(name_a: str, name_b: str) -> str:
    """Return how two names that are nearly the same differ.

    >>> _compare_names("sunglass", "sunglasses")
    'one name looks like the plural of the other'
    """
    if name_a == name_b:
        return "they have the same name"
    if fold_name(name_a) == fold_name(name_b):
        return "their names differ only in case, spaces or punctuation"
    return "one name looks like the plural of the other"


def describe_directions(pair: Pair, name_a: str, name_b: str) -> str:
    """Return the counts of both directions.

    >>> describe_directions(Pair(0, 1, 645, 433, 2600), "projectile", "missile")
    '645 labelled projectile are probably missile, 433 the other way'
    >>> describe_directions(Pair(0, 1, 1, 0, 90), "cat", "dog")
    '1 labelled cat is probably dog, none the other way'
    """
    verb = verb_of(pair.a_to_b, "is", "are")
    name_a, name_b = isolate(name_a), isolate(name_b)
    back = f"{pair.b_to_a:,}" if pair.b_to_a else "none"
    return f"{pair.a_to_b:,} labelled {name_a} {verb} probably {name_b}, {back} the other way"


def find_doubtful(findings: Findings, given: int, true: int) -> IntArray:
    """Return the examples that the confident joint counts at [given, true], the worst first."""
    counted = findings.mask("confident_joint") & (findings.labels == given)
    return rank_examples(counted & (findings.suggested_labels == true), findings.normalized_margin)
