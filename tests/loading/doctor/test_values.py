"""Numbers that are no probabilities are recognised for what they are."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from curation.core.checks import survey_probabilities
from curation.loading.doctor.values import diagnose_values
from curation.report import Diagnosis, Severity
from tests.loading.doctor.examining import make


def values(probs: Any, ids: Any = None) -> list[Diagnosis]:
    return diagnose_values(survey_probabilities(probs), probs, ids, where="probs.npy")


@pytest.mark.parametrize(
    ("value", "code", "what", "why"),
    [
        (np.nan, "probs.nan", "NaN", "hides some of the label errors"),
        (np.inf, "probs.infinite", "an infinity", "exp(float16(12)) is inf"),
    ],
)
def test_rows_that_hold_no_number_are_named(value: float, code: str, what: str, why: str) -> None:
    probs = make()[1]
    probs[[7, 9], 0] = value
    (found,) = values(probs, [f"id{row}" for row in range(300)])
    assert (found.severity, found.code, found.count) == (Severity.BLOCK, code, 2)
    assert found.what == f"2 of 300 rows hold {what}."
    assert found.first_rows == ("id7", "id9") and found.where == "probs.npy" and why in found.why
    assert found.override == {"drop_rows": True}


def test_rows_of_zeros_are_named() -> None:
    probs = make()[1]
    probs[4] = 0
    (found,) = values(probs)
    assert (found.code, found.what) == ("probs.zero", "1 of 300 rows holds only zeros.")
    assert found.first_rows == ("row 4",)


def test_logits_are_recognised_and_softmax_is_offered() -> None:
    logits = np.random.default_rng(0).normal(0, 4, (300, 3))
    (found,) = values(logits)
    assert (found.severity, found.code) == (Severity.BLOCK, "probs.logits")
    assert "looks like logits; apply softmax" in found.what and "Values run from -1" in found.what
    assert found.override == {"convert": "softmax"}
    (positive,) = values(np.abs(logits))
    assert positive.code == "probs.logits"


def test_log_probabilities_are_recognised() -> None:
    (found,) = values(np.log(make()[1]))
    assert "log-probabilities" in found.what and found.override == {"convert": "softmax"}


@pytest.mark.parametrize("digits", [0, 1, 6])
def test_percentages_are_recognised(digits: int) -> None:
    (found,) = values((100 * make()[1]).round(digits))
    assert (found.severity, found.code) == (Severity.BLOCK, "probs.percent")
    assert "rows add up to 100" in found.what and found.override == {"convert": "percent"}


def test_counts_of_votes_are_recognised() -> None:
    votes = np.random.default_rng(0).multinomial(50, [0.2, 0.3, 0.5], 300)
    (found,) = values(votes)
    assert "rows add up to 50" in found.what and found.override == {"convert": "rescale"}


def test_a_few_values_outside_are_not_logits() -> None:
    probs = make()[1]
    probs[5] = [1.4, -0.4, 0.0]
    (found,) = values(probs)
    assert (found.code, found.first_rows, found.override) == ("probs.range", ("row 5",), {})
    assert "1 of 300 rows holds values outside 0 to 1" in found.what


def test_sums_off_in_few_rows_warn_and_in_many_block() -> None:
    probs = make()[1]
    probs[[1, 2, 3]] *= 0.9
    (few,) = values(probs)
    assert (few.severity, few.code) == (Severity.WARN, "probs.sums")
    assert "3 of 300 rows do not add up to 1 within 0.001; the first adds up to 0.9" in few.what
    scores = np.random.default_rng(0).uniform(0, 1, (300, 3))
    (many,) = values(scores)
    assert many.severity is Severity.BLOCK
    assert "Are they independent sigmoid scores, as in multi-label data?" in many.what
    assert many.override == {"convert": "rescale"}


def test_rounded_rows_are_not_mistaken_for_independent_scores() -> None:
    rounded = make()[1].round(2)
    rounded[:, 0] += 0.005
    (found,) = values(rounded)
    assert found.severity is Severity.BLOCK
    assert found.what.endswith("Rounded, perhaps once saved as float16?")


@pytest.mark.fault(
    9,
    "AUTO",
    says="probs.npy: The probabilities are stored as float16 and computed with as float32. "
    "Nothing needs to be done.",
)
def test_half_precision_is_reported_without_a_warning() -> None:
    probs = make()[1].astype(np.float16)
    (found,) = values(probs)
    assert (found.severity, found.code) == (Severity.AUTO, "probs.float16")


def test_values_slightly_above_one_are_fixed_and_reported() -> None:
    probs = make()[1]
    probs[7] = [1.00001, 0.00001, 0]  # as in a published file: the row adds up to 1.00002
    (found,) = values(probs)
    assert (found.severity, found.code) == (Severity.AUTO, "probs.just_above_one")
    assert found.first_rows == ("row 7",) and found.count == 1
    assert "1 of 300 rows holds a value a little above 1, at most 1.00001. It counts" in found.what


@pytest.mark.parametrize("value", [1.0011, 1.00150001])
def test_no_message_says_that_one_is_outside_zero_to_one(value: float) -> None:
    probs = make()[1].clip(1e-5, 1)
    probs[7] = [value, 0, 0]
    (found,) = values(probs)
    shown = re.search(r"Values run from (\S+) to (\S+):", found.what)
    assert shown and float(shown[2]) > 1
