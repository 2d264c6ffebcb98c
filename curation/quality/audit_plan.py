"""Which examples an audit judges, and in which order: drawn by a seed, before anyone looks.

Every example that is not decided yet may be drawn, flagged or not, without replacement. An example
is drawn more often the more the model doubts its label. How much more is a fixed rule of the
model's odds against the given label, so nothing that is seen during the audit can change it.

Everything is worked out in whole numbers from the findings, so that a seed gives the same plan on
every machine and with every version of numpy.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from numbers import Integral
from typing import Any, Self
from weakref import WeakKeyDictionary

import numpy as np

from curation.analysis.findings import Findings, Method
from curation.core.matrix import BoolArray, IntArray
from curation.errors import InputError

RULE = "odds-1"  # the name of the rule below; another rule gets another name

# Odds against the given label are sorted into levels, each twice as high as the one below.
LOWEST_LEVEL, HIGHEST_LEVEL = -32, 12
NUM_LEVELS = HIGHEST_LEVEL - LOWEST_LEVEL + 1
NUM_BINS = 2 * NUM_LEVELS  # each level, flagged and not
# The model's odds are worth about this much less: a model also doubts labels that are right.
ODDS_DISCOUNT = 6
# Added to the variance of each example: no example is ever too sure to be drawn.
VARIANCE_FLOOR = 0.03
WEIGHT_UNIT = 100  # weights are whole numbers of hundredths

PARTS = ("labels", "scores", "flags")  # what a plan depends on, each with a hash of its own


@dataclass(frozen=True, eq=False)
class AuditPlan:
    """Rows to judge, in order, and all that is needed to draw them again.

    The examples that may be drawn are sorted into bins of equal odds and equal flag. All examples
    of a bin have the same weight.
    """

    rows: IntArray  # (k,) in the order they are to be judged
    seed: int
    size: int  # as asked for; `rows` is shorter if fewer examples are left
    method: Method  # whose flags count
    known: IntArray  # rows decided before the plan was drawn, ascending; never drawn
    num_examples: int
    rule: str
    digests: dict[str, str]  # a hash of each part of the findings
    bin_levels: IntArray  # (b,) odds of about 2 ** level against the given label
    bin_flagged: BoolArray  # (b,)
    bin_counts: IntArray  # (b,) examples that may be drawn
    bin_weights: IntArray  # (b,) weight of each of them
    row_bins: IntArray  # (k,) bin of each planned row

    def to_dict(self) -> dict[str, Any]:
        """Return what has to be stored, ready for JSON."""
        return {
            "rule": self.rule,
            "seed": self.seed,
            "size": self.size,
            "method": self.method,
            "num_examples": self.num_examples,
            "known": self.known.tolist(),
            "rows": self.rows.tolist(),
            "digests": dict(self.digests),
        }

    @classmethod
    def from_dict(cls, stored: dict[str, Any], findings: Findings) -> Self:
        """Draw a stored plan again, and refuse it if it does not come out the same."""
        if stored["rule"] != RULE:
            raise InputError(
                f"The audit was drawn by rule {stored['rule']!r}, this version knows {RULE!r}.",
                "Open it with the version that drew it, or draw a new audit.",
            )
        check_digests(stored["digests"], findings, stored["method"])
        plan = plan_audit(
            findings,
            size=stored["size"],
            seed=stored["seed"],
            known=stored["known"],
            method=stored["method"],
        )
        if plan.rows.tolist() != list(stored["rows"]):
            raise InputError(
                f"The stored rows are not the ones that seed {plan.seed} draws.",
                "The stored plan was changed. Draw a new audit.",
            )
        return cls(**vars(plan))


def plan_audit(
    findings: Findings,
    *,
    size: int = 200,
    seed: int = 0,
    known: Iterable[int] | None = None,
    method: Method = "confident_joint",
) -> AuditPlan:
    """Draw the examples to judge, in order, from all that are not known yet.

    `known` are the rows that are decided already. They are facts, so they are never drawn. If
    fewer than `size` examples are left, all of them are drawn. A longer plan with the same seed
    begins with the same rows. Intervals are narrowest when all of the plan is judged.

    >>> from curation import analyze
    >>> findings = analyze([0, 0, 1, 1], [[.9, .1], [.2, .8], [.3, .7], [.1, .9]])
    >>> plan_audit(findings, size=3, seed=1, known=[0]).rows
    array([1, 2, 3])
    """
    flagged = findings.mask(method)
    num_examples = len(flagged)
    check_whole_number("size", size, 1)
    check_whole_number("seed", seed, 0)
    known_rows = check_rows(() if known is None else known, num_examples, "known rows")
    bins = sort_into_bins(score_levels(findings), flagged, known_rows)
    by_bin = np.argsort(bins.rows.astype(np.uint8), kind="stable")
    rows, row_bins = _draw(by_bin, bins.counts, bins.weights, int(size), int(seed))
    return AuditPlan(
        rows=rows,
        seed=int(seed),
        size=int(size),
        method=method,
        known=known_rows,
        num_examples=num_examples,
        rule=RULE,
        digests=hash_findings(findings, method),
        bin_levels=bins.levels,
        bin_flagged=bins.flagged,
        bin_counts=bins.counts,
        bin_weights=bins.weights,
        row_bins=row_bins,
    )


@dataclass(frozen=True, eq=False)
class Bins:
    """All examples that may be drawn, sorted by their level and whether they are flagged."""

    rows: IntArray  # (n,) a number for each pair of level and flag; NUM_BINS for known rows
    used: IntArray  # (b,) the numbers that occur, ascending
    counts: IntArray  # (b,)

    @property
    def levels(self) -> IntArray:
        return self.used // 2 + LOWEST_LEVEL

    @property
    def flagged(self) -> BoolArray:
        flagged: BoolArray = self.used % 2 == 1
        return flagged

    @property
    def weights(self) -> IntArray:
        return weigh_levels(self.levels)

    def find(self, rows: IntArray) -> IntArray:
        """Return the place of each row's bin among those used."""
        return np.searchsorted(self.used, self.rows[rows])


def sort_into_bins(levels: IntArray, flagged: BoolArray, known: IntArray) -> Bins:
    """Return the bins of all examples; known rows are in none."""
    rows = 2 * (levels - LOWEST_LEVEL) + flagged
    rows[known] = NUM_BINS  # past the last bin: sorted behind all others
    counts = np.bincount(rows, minlength=NUM_BINS + 1)[:NUM_BINS]
    used = np.flatnonzero(counts)
    return Bins(rows, used, counts[used])


def view_by_method(plan: AuditPlan, findings: Findings, method: Method) -> AuditPlan:
    """Return the same draws, sorted by the flags of another method.

    The chance to be drawn depends on an example's level alone, so the draws are as random for the
    flags of one method as for those of another.
    """
    bins = sort_into_bins(score_levels(findings), findings.mask(method), plan.known)
    return replace(
        plan,
        method=method,
        digests=hash_findings(findings, method),
        bin_levels=bins.levels,
        bin_flagged=bins.flagged,
        bin_counts=bins.counts,
        bin_weights=bins.weights,
        row_bins=bins.find(plan.rows),
    )


def score_levels(findings: Findings) -> IntArray:
    """Return for each example the level of the odds against its label: about log2, rounded up.

    The odds are those of the likeliest other class against the given one. They are cut off at
    2 ** -32 and 2 ** 12; zeros belong to the lowest or the highest level.
    """
    own = np.clip(findings.self_confidence, 0, None)
    other = np.clip(own - findings.normalized_margin, 0, None)
    with np.errstate(divide="ignore", over="ignore"):
        odds = np.divide(other, own, out=np.full(len(own), np.inf), where=own > 0)
    odds[other == 0] = 0
    odds = np.clip(odds, 2.0 ** (LOWEST_LEVEL - 1), 2.0 ** (HIGHEST_LEVEL - 1))
    levels: IntArray = np.frexp(odds)[1].astype(np.int64)  # exact, unlike a logarithm
    return levels


def weigh_levels(levels: IntArray) -> IntArray:
    """Return the sampling weight of an example at each level, as a whole number.

    The best weights are in proportion to the standard deviation of "this label is wrong". Of that
    only a guess is known before the audit, so a floor is added to the variance.

    >>> weigh_levels(np.array([-32, 0, 3, 12]))
    array([17, 39, 52, 18])
    """
    odds = np.ldexp(1.0, levels) / ODDS_DISCOUNT
    share = odds / (1 + odds)
    weights: IntArray = np.rint(WEIGHT_UNIT * np.sqrt(share * (1 - share) + VARIANCE_FLOOR)).astype(
        np.int64
    )
    return weights


def _draw(
    by_bin: IntArray, counts: IntArray, weights: IntArray, size: int, seed: int
) -> tuple[IntArray, IntArray]:
    """Draw rows one by one, each with a chance in proportion to its weight among those left."""
    bits = np.random.PCG64(seed)
    starts = np.concatenate([[0], np.cumsum(counts)])
    left = counts.copy()
    moved: dict[int, int] = {}  # place -> the place whose row stands there now
    rows, row_bins = [], []
    for _ in range(min(size, int(counts.sum()))):
        ends = np.cumsum(left * weights)
        ticket = _draw_below(bits, int(ends[-1]))
        chosen = int(np.searchsorted(ends, ticket, side="right"))
        ticket -= int(ends[chosen - 1]) if chosen else 0
        place = int(starts[chosen]) + ticket // int(weights[chosen])
        left[chosen] -= 1
        last = int(starts[chosen] + left[chosen])
        rows.append(int(by_bin[moved.get(place, place)]))
        moved[place] = moved.get(last, last)  # the last row of the bin fills the gap
        row_bins.append(chosen)
    return np.array(rows, dtype=np.int64), np.array(row_bins, dtype=np.int64)


def _draw_below(bits: np.random.PCG64, limit: int) -> int:
    """Return a whole number below the limit, all equally likely, from the raw bits.

    The raw bits of PCG64 never change between versions of numpy; what `Generator` makes of them
    may. Numbers that would make some results likelier than others are drawn again.
    """
    while True:
        product = int(bits.random_raw()) * limit
        if product % 2**64 >= 2**64 % limit:
            return product >> 64


_known_digests: WeakKeyDictionary[Findings, dict[str, str]] = WeakKeyDictionary()


def hash_findings(findings: Findings, method: Method) -> dict[str, str]:
    """Return a hash of each part of the findings that a plan depends on."""
    known = _known_digests.setdefault(findings, {})
    if "labels" not in known:
        known["labels"] = _hash(findings.labels.astype("<i8", copy=False))
        known["scores"] = _hash(
            findings.self_confidence.astype("<f8", copy=False),
            findings.normalized_margin.astype("<f8", copy=False),
        )
    if method not in known:
        known[method] = _hash(np.packbits(findings.mask(method)))
    return {"labels": known["labels"], "scores": known["scores"], "flags": known[method]}


def _hash(*arrays: Any) -> str:
    digest = hashlib.sha256(str(len(arrays[0])).encode())
    for array in arrays:
        digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()


def check_digests(digests: dict[str, str], findings: Findings, method: Method) -> None:
    """Refuse a plan that was drawn for other findings, and say what differs."""
    found = hash_findings(findings, method)
    other = [part for part in PARTS if digests.get(part) != found[part]]
    if other:
        first = other[0]
        raise InputError(
            f"The audit was drawn for other findings: the {' and the '.join(other)} differ "
            f"(hash of the {first} {digests.get(first, 'missing')[:12]} in the plan, "
            f"{found[first][:12]} in the findings).",
            "Pass the findings that the audit was drawn from, or draw a new audit.",
        )


def check_rows(rows: Iterable[Any], num_examples: int, what: str) -> IntArray:
    """Return rows ascending and without repetition, or say which one does not exist."""
    found = set()
    for row in rows:
        if isinstance(row, bool | np.bool_) or not isinstance(row, Integral):
            raise InputError(f"The {what} hold {row!r}, not a row.", "Pass whole numbers.")
        if not 0 <= int(row) < num_examples:
            raise InputError(
                f"The {what} hold {int(row):,}, and there are {num_examples:,} examples.",
                f"Rows go from 0 to {num_examples - 1:,}.",
            )
        found.add(int(row))
    return np.array(sorted(found), dtype=np.int64)


def check_whole_number(name: str, value: Any, least: int) -> None:
    if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
        raise InputError(f"The {name} is {value!r}.", f"Pass a whole number from {least} up.")
