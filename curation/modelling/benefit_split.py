"""Which examples are held out to measure what cleaning is worth, and what they are compared with.

The held-out part is chosen without looking at a flag: a given test split, or random examples whose
label is known to be right, or, where nothing better is known, random examples with the labels that
they were given.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from curation.core.matrix import BoolArray, IntArray
from curation.dataset import LabelledData
from curation.errors import InputError
from curation.modelling.folds import assign_folds, number_values
from curation.wording import count_of

Against = Literal["true", "split", "confirmed", "given"]
AGAINST: tuple[Against, ...] = get_args(Against)

SPLIT_COLUMNS = ("split", "subset", "partition")
TEST_NAMES, VALIDATION_NAMES = ("test", "testing"), ("validation", "valid", "val", "dev", "eval")
PARTS = {"true": 4, "confirmed": 2, "given": 4}  # one of so many parts is held out
MIN_HELD_OUT = 20  # examples; with fewer, an accuracy says nothing


@dataclass(frozen=True, eq=False)
class DecidedLabels:
    """What people decided about n examples and m classes."""

    labels: IntArray  # (n,) the class of each example after the decisions, before merges
    excluded: BoolArray  # (n,) left out by a decision
    confirmed: BoolArray  # (n,) somebody chose or kept the label
    becomes: IntArray  # (m,) what each class becomes by merges

    @classmethod
    def none(cls, data: LabelledData) -> DecidedLabels:
        """Return what holds before anybody has decided anything."""
        nothing = np.zeros(len(data), bool)
        return cls(data.labels.copy(), nothing, nothing, np.arange(len(data.class_names)))

    def changes(self, data: LabelledData) -> bool:
        """Return whether any example has another label now, or none."""
        moved = self.becomes[self.labels] != self.becomes[data.labels]
        return bool((moved | self.excluded).any())


@dataclass(frozen=True, eq=False)
class HeldOut:
    """The examples that can be held out, and the labels that predictions are compared with."""

    against: Against
    rows: IntArray  # that can be held out
    labels: IntArray  # (n,) what the prediction of each row is compared with
    trainable: BoolArray  # (n,) which rows can be trained on while they are not held out
    is_fixed: bool  # all rows are held out in every run

    @staticmethod
    def find_share(against: Against, is_fixed: bool) -> float:
        """Return the share of the rows that one run holds out."""
        return 1.0 if is_fixed else 1 / PARTS[against]

    def deal(self, units: IntArray, rng: np.random.Generator) -> tuple[IntArray, IntArray]:
        """Return the rows to train on and the rows held out, no unit on both sides."""
        held = self.rows
        if not self.is_fixed:
            own = number_values(units[self.rows].tolist())
            labels = number_values(self.labels[self.rows].tolist())
            parts = PARTS[self.against]
            folds = assign_folds(labels, own, int(labels.max()) + 1, folds=parts, rng=rng)
            held = self.rows[folds == 0]
        apart = self.trainable & ~np.isin(units, units[held])
        return np.flatnonzero(apart), held


def list_against(data: LabelledData, decided: DecidedLabels) -> list[Against]:
    """Return what predictions on this data can be compared with, the most telling first."""
    return [each for each in AGAINST if len(_find_rows(data, decided, each)) >= MIN_HELD_OUT]


def find_held_out(
    data: LabelledData, decided: DecidedLabels, against: Against, usable: BoolArray
) -> HeldOut:
    """Return the examples that can be held out; those that no model can read are left out."""
    rows = _find_rows(data, decided, against)
    rows = rows[usable[rows]]
    if len(rows) < MIN_HELD_OUT:
        raise InputError(
            f"{count_of(len(rows), 'example')} can be compared with {AGAINST_NAMES[against]}; that "
            "is too few to hold out.",
            f"At least {MIN_HELD_OUT} are needed.",
        )
    test, others = _find_split(data)
    fixed = against == "split" or (against == "true" and len(test) > 0)
    trainable = usable.copy()
    if fixed:
        trainable[[*test, *others]] = False
    labels = data.labels
    if against == "true" and data.true_labels is not None:
        labels = np.where(data.true_labels >= 0, data.true_labels, 0)
    elif against == "confirmed":
        labels = decided.labels
    return HeldOut(against, rows, decided.becomes[labels], trainable, fixed)


AGAINST_NAMES: dict[Against, str] = {
    "true": "the true labels",
    "split": "the given labels of the test split",
    "confirmed": "the labels that people confirmed",
    "given": "the labels as given",
}


def explain_against(against: Against, fixed: bool) -> str:
    """Return what an accuracy against these labels means, in a sentence or two."""
    held = "The held-out examples are the test split" if fixed else "Held-out examples are random"
    return {
        "true": f"{held}; their true labels are known, so this is the accuracy that counts.",
        "split": "The held-out examples are the test split, with its labels as given. As far as "
        "these are wrong, so is the accuracy.",
        "confirmed": "The held-out examples are random ones among those that a person confirmed or "
        "relabelled, with that label. People mostly look at doubtful examples, and see the "
        "suggestion, so this says more about hard cases than about all data.",
        "given": "Only the labels as given are known, and the held-out ones are as noisy as the "
        "others. A model that does not repeat an error is counted as wrong there. So a gain looks "
        "smaller than it is, and where errors follow a rule, cleaning can look harmful although it "
        "helps. Confirm some labels, or add true labels or a test split, to measure it properly.",
    }[against]


def _find_rows(data: LabelledData, decided: DecidedLabels, against: Against) -> IntArray:
    test, _ = _find_split(data)
    if against == "split":
        return test
    if against == "confirmed":
        return np.flatnonzero(decided.confirmed & ~decided.excluded)
    if against == "given":
        return np.arange(len(data))
    if data.true_labels is None:
        return np.zeros(0, np.int64)
    known = np.flatnonzero(data.true_labels >= 0)
    return np.intersect1d(known, test) if len(test) else known


def _find_split(data: LabelledData) -> tuple[IntArray, IntArray]:
    """Return the rows of the test split, and other rows that are not for training."""
    column = next((name for name in data.extras if name.strip().lower() in SPLIT_COLUMNS), None)
    nothing = np.zeros(0, np.int64)
    if column is None:
        return nothing, nothing
    values = np.array([str(each).strip().lower() for each in data.extras[column].tolist()])
    found = [_find_named(values, names) for names in (TEST_NAMES, VALIDATION_NAMES)]
    if not len(found[0]):
        found.reverse()  # without a test split, the validation split serves
    return found[0], found[1]


def _find_named(values: np.ndarray, names: Sequence[str]) -> IntArray:
    return np.flatnonzero(np.isin(values, names))
