"""How right the suggestions were where a curator decided, and which ones an export takes."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats

from curation.errors import InputError
from curation.review.suggestion_precision import SuggestionPrecision, measure_suggestions
from tests.bench import Bench

SURE = (0.95,) * 16 + (0.7,) * 14  # of eel, for thirty examples labelled cat


@pytest.fixture
def eels(bench: Bench) -> Bench:
    """Thirty examples labelled cat are probably eels, the first sixteen surely."""
    labels = ["cat"] * 30 + ["dog"] * 20 + ["eel"] * 20 + ["cat"] * 20
    rows = "".join(f"e{row},{label}\n" for row, label in enumerate(labels))
    bench.write("labels.csv", f"id,label\n{rows}".encode())
    sure = np.array([*SURE, *(0.6,) * 60])
    likeliest = np.array([2] * 30 + [1] * 20 + [2] * 20 + [0] * 20)
    probs = np.repeat(((1 - sure) / 2)[:, None], 3, axis=1)
    probs[np.arange(90), likeliest] = sure
    np.save(bench.root / "probs.npy", probs)
    return bench.classes(("cat", "dog", "eel"))


def test_a_suggestion_is_right_only_if_it_was_accepted(eels):
    eels.relabel({row: "eel" for row in range(8)}).decide(8, "keep").decide(9, "relabel", "dog")
    eels.decide(10, "exclude").decide(11, "ambiguous", labels=["cat", "eel"])
    eels.decide(12, "skip").decide(13, "needs_review")  # no verdict
    eels.decide(20, "keep")  # less sure
    found = measure_suggestions(eels.plan(), 0.9)
    assert (found.decided, found.right) == (12, 8)
    assert found.undecided == 2  # 14 and 15; somebody looked at 12 and 13
    assert (found.interval[0], found.interval[1]) == pytest.approx(
        scipy.stats.beta(8.5, 4.5).interval(0.95)
    )
    low, high = 38.7, 87.6  # 38.76 to 87.55, rounded outwards
    assert found.summary == (
        "2 undecided examples have a suggestion with a probability of 0.9 or more. Of 12 like "
        f"them that curators decided, the suggestion was right for 8 (66.7 %; 95 % interval {low} "
        f"to {high} %)."
    )


def test_precision_is_not_stated_if_few_were_decided(eels):
    eels.relabel({row: "eel" for row in range(9)})
    found = measure_suggestions(eels.plan(), 0.9)
    assert found.summary.endswith(
        "Too few like them are decided to say how often the suggestion is right (9; at least 10 "
        "are needed)."
    )


def test_interval_reaches_the_end_if_none_or_all_were_right():
    assert SuggestionPrecision(0.9, 20, 20, 0).interval[1] == 1
    assert SuggestionPrecision(0.9, 20, 0, 0).interval[0] == 0


def test_interval_holds_the_true_share_as_often_as_it_says():
    rng = np.random.default_rng(2)
    for share in (0.5, 0.8, 0.95):
        right = rng.binomial(60, share, 400)
        ends = {k: SuggestionPrecision(0.9, 60, k, 0).interval for k in set(right.tolist())}
        held = np.mean([ends[k][0] <= share <= ends[k][1] for k in right.tolist()])
        assert held >= 0.91


def test_an_export_takes_sure_suggestions_that_nobody_decided(eels):
    eels.decide(0, "keep").decide(1, "keep", by="bo").decide(1, "relabel", "dog", by="ana")
    eels.decide(2, "skip")
    plan = eels.plan(undecided="suggest", policy="agreed only")
    assert np.flatnonzero(plan.taken).tolist() == list(range(3, 16))  # 1 is disputed, 2 skipped
    assert (plan.new_labels[3:16] == 2).all() and not plan.pruned.any()
    assert np.flatnonzero(eels.plan(undecided="suggest", min_confidence=0.7).taken).max() == 29
    exported = eels.export(undecided="suggest")
    assert exported.counts["suggestions_taken"] == 13 == exported.counts["labels_changed"] - 1
    cleaned = exported.labels.read_text().splitlines()
    assert cleaned[1] == "e0,cat" and cleaned[4] == "e3,eel" and cleaned[17] == "e16,cat"
    assert eels.manifest["suggestions_taken"] == [f"e{row}" for row in range(3, 16)]
    issues = (eels.out / "issues.csv").read_text()
    (line,) = (each for each in issues.splitlines() if each.startswith("e5,"))
    assert line.endswith(",relabel,eel,,,")  # nobody is credited
    assert "13 flagged examples took the suggested label without a decision" in exported.notes[-1]


@pytest.mark.parametrize("value", [0, 1.2, "often", None])
def test_a_confidence_that_is_not_a_probability_is_refused(eels, value):
    with pytest.raises(InputError, match="min_confidence"):
        eels.plan(undecided="suggest", min_confidence=value)


def test_what_a_person_decided_comes_first_among_the_changes(eels):
    eels.decide(80, "exclude").decide(70, "relabel", "dog").decide(5, "keep")
    eels.decide_classes("rename", "eel", into="moray")
    plan = eels.plan(undecided="suggest", apply_merges=True)
    rows = plan.changes.tolist()
    assert rows[:2] == [70, 80]  # a label, then a row that is removed
    assert rows[2:17] == [row for row in range(16) if row != 5]  # suggestions
    assert rows[17:] == list(range(50, 70))  # the renamed class
