"""The dataset as the decisions leave it, against answers by hand and a slow oracle."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import curation
from curation.analysis.merge import preview_merge
from curation.errors import InputError
from curation.review.corrected_dataset import compare, correct_dataset
from curation.store import open_store
from tests import oracle
from tests.bench import Bench
from tests.problems import noisy_problem

NAMES = ("cat", "dog", "eel", "fox")


@pytest.fixture
def bench(tmp_path):
    """Forty examples of four classes, a fifth of the labels wrong, true labels known."""
    labels, probs, true = noisy_problem(np.random.default_rng(3), n=40, m=4)
    made = Bench(tmp_path).classes(NAMES)
    rows = "".join(f"e{k},{NAMES[label]},text {k}\n" for k, label in enumerate(labels))
    made.write("labels.csv", b"id,label,text\n" + rows.encode())
    truth = "".join(f"e{k},{NAMES[label]}\n" for k, label in enumerate(true) if k)
    made.write("true_labels.csv", b"id,label\n" + truth.encode())
    np.save(made.root / "probs.npy", probs)
    yield made
    made.close()


def findings_of(dataset):
    return curation.analyze(dataset.labels, dataset.pred_probs, dataset.class_names)


def test_four_examples_agree_with_a_calculation_by_hand(tmp_path):
    # cats: rows 0 and 1, dogs: rows 2 and 3. Row 1 is surely a dog. As given: t_cat =
    # (.9 + .2) / 2 = .55, t_dog = (.7 + .9) / 2 = .8, so row 0 counts as cat, rows 1 and 3 as
    # dog, row 2 as nothing: of the cats 1 of 2 counted is wrong, and 2 * 1/2 = 1 label.
    bench = Bench(tmp_path).classes(("cat", "dog"))
    bench.write("labels.csv", b"id,label\na,cat\nb,cat\nc,dog\nd,dog\n")
    np.save(bench.root / "probs.npy", np.array([[0.9, 0.1], [0.2, 0.8], [0.3, 0.7], [0.1, 0.9]]))
    before = findings_of(bench.dataset)
    assert before.estimated_errors == pytest.approx(1)
    # Row 1 becomes a dog, row 2 is left out: t_cat = .9, t_dog = (.8 + .9) / 2 = .85. Row 0
    # counts as cat, row 3 as dog: nothing is wrong.
    bench.decide(1, "relabel", "dog").decide(2, "exclude").decide(3, "keep")
    found = compare(bench.dataset, before, bench.log)
    assert found.findings.thresholds == pytest.approx([0.9, 0.85])
    assert found.findings.confident_joint.tolist() == [[1, 0], [0, 1]]
    assert found.findings.estimated_errors == 0
    corrected = found.corrected
    assert list(corrected.dataset.ids) == ["a", "b", "d"]
    assert corrected.dataset.labels.tolist() == [0, 1, 1]
    assert corrected.confirmed.tolist() == [False, True, True]
    assert (corrected.relabelled, corrected.excluded, corrected.merged) == (1, 1, 0)


def test_examples_of_an_added_class_are_left_out_since_the_model_does_not_know_it(tmp_path):
    # As above, but row 1 becomes a zebra: rows 0, 2 and 3 are left, with t_cat = .9 and
    # t_dog = (.7 + .9) / 2 = .8. Row 0 counts as cat, row 3 as dog: nothing is wrong.
    bench = Bench(tmp_path).classes(("cat", "dog"))
    bench.write("labels.csv", b"id,label\na,cat\nb,cat\nc,dog\nd,dog\n")
    np.save(bench.root / "probs.npy", np.array([[0.9, 0.1], [0.2, 0.8], [0.3, 0.7], [0.1, 0.9]]))
    bench.decide(1, "relabel", new_class="zebra")
    bench.decide_classes("rename", "cat", into="feline")
    found = compare(bench.dataset, findings_of(bench.dataset), bench.log)
    corrected = found.corrected
    assert list(corrected.dataset.ids) == ["a", "c", "d"]
    assert found.findings.thresholds == pytest.approx([0.9, 0.8])
    assert found.findings.confident_joint.tolist() == [[1, 0], [0, 1]]
    assert (corrected.relabelled, corrected.excluded, corrected.beyond) == (0, 0, 1)
    assert corrected.changes == 1 and len(corrected.confirmed) == 3


ACTIONS = ("relabel", "keep", "exclude", "ambiguous", "skip", "needs_review")


@settings(max_examples=40)
@given(
    said=st.lists(
        st.tuples(
            st.integers(0, 39), st.sampled_from(ACTIONS), st.integers(0, 3), st.sampled_from("ab")
        ),
        max_size=25,
    ),
    merge=st.none() | st.permutations(range(4)).map(lambda order: order[:2]),
    collisions=st.sampled_from(["argmax", "confident"]),
)
def test_agrees_with_a_slow_oracle(tmp_path_factory, said, merge, collisions):
    """Rows and columns are copied, changed and left out one by one; then the paper's loops run."""
    folder = tmp_path_factory.mktemp("oracle")
    labels, probs, _ = noisy_problem(np.random.default_rng(3), n=40, m=4)
    bench = Bench(folder).classes(NAMES)
    rows = "".join(f"e{k},{NAMES[label]}\n" for k, label in enumerate(labels))
    bench.write("labels.csv", b"id,label\n" + rows.encode())
    np.save(bench.root / "probs.npy", probs)
    for row, action, label, who in said:
        bench.decide(row, action, NAMES[label] if action == "relabel" else None, by=who)
    if merge:
        bench.decide_classes("merge", NAMES[merge[0]], NAMES[merge[1]], NAMES[merge[1]])
    last = slow_latest(said)
    kept_labels, kept_probs = [], []
    for row, label in enumerate(labels.tolist()):
        action, chosen = last.get(row, ("skip", 0))
        if action == "exclude":
            continue
        label = chosen if action == "relabel" else label
        values = [float(each) for each in probs[row]]
        if merge:
            values[merge[1]] += values[merge[0]]
            values[merge[0]] = 0.0
            label = merge[1] if label == merge[0] else label
        kept_labels.append(label)
        kept_probs.append(values)
    found = compare(bench.dataset, findings_of(bench.dataset), bench.log, collisions=collisions)
    guesses = oracle.slow_counted(kept_labels, kept_probs, collisions=collisions)
    counts = oracle.slow_confident_joint(kept_labels, guesses, 4)
    joint = oracle.slow_joint(counts, kept_labels)
    masks = oracle.slow_masks(kept_labels, kept_probs, guesses)
    assert found.corrected.dataset.labels.tolist() == kept_labels
    assert (found.findings.confident_joint == counts).all()
    assert found.findings.joint == pytest.approx(joint)
    wrong = len(kept_labels) * (1 - joint.trace())
    assert found.findings.estimated_errors == pytest.approx(wrong)
    for method, flagged in masks.items():
        assert set(np.flatnonzero(found.findings.mask(method)).tolist()) == flagged


def slow_latest(said):
    """The latest word on each row: of each curator the last, of those the last that is no skip."""
    words = {}
    for place, (row, action, label, who) in enumerate(said):
        words.setdefault(row, {})[who] = (place, action, label)
    latest = {}
    for row, each in words.items():
        spoken = [word for word in each.values() if word[1] != "skip"]
        place, action, label = max(spoken or each.values())
        latest[row] = (action, label)
    return latest


def test_a_merge_gives_the_numbers_of_its_preview(bench):
    before = findings_of(bench.dataset)
    bench.decide_classes("merge", "cat", "dog", "dog")
    found = compare(bench.dataset, before, bench.log)
    preview = preview_merge(before, bench.dataset.pred_probs, kept=1, taken_in=0)
    assert found.findings.estimated_errors == pytest.approx(preview.errors[1])
    assert int(found.findings.mask().sum()) == preview.issues[1]
    assert found.corrected.merged == 1
    assert not found.findings.confident_joint[0].any()
    assert not found.findings.confident_joint[:, 0].any()
    true = bench.dataset.true_labels
    expected = np.where(true == 0, 1, true)
    assert (found.corrected.dataset.true_labels == expected).all() and expected[0] < 0


def test_rename_distinct_and_is_a_change_no_number(bench):
    before = findings_of(bench.dataset)
    bench.decide_classes("rename", "cat", None, "tiger").decide_classes("distinct", "cat", "dog")
    bench.decide_classes("is_a", "eel", "fox").decide(0, "ambiguous").decide(1, "needs_review")
    found = compare(bench.dataset, before, bench.log)
    assert found.corrected.changes == 0
    assert found.corrected.dataset.pred_probs is bench.dataset.pred_probs
    assert (found.findings.joint == before.joint).all()


def test_undone_decision_does_not_count(bench):
    dataset = bench.dataset
    with open_store(dataset, bench.database) as store:
        store.decide("e0", "exclude", curator="ana")
        store.decide("e1", "exclude", curator="ana")
        store.undo(curator="ana")
        corrected = correct_dataset(dataset, findings_of(dataset), store.log())
    assert corrected.excluded == 1 and "e0" not in corrected.dataset.ids


def test_content_stays_with_its_row(bench):
    bench.decide(0, "exclude").decide(5, "exclude")
    dataset = correct_dataset(bench.dataset, findings_of(bench.dataset), bench.log).dataset
    texts = [dataset.content.text(row) for row in range(len(dataset))]
    assert texts == [f"text {str(each)[1:]}" for each in dataset.ids]
    assert len(texts) == 38


def test_a_dataset_without_any_row_left_is_reported(bench):
    for row in range(40):
        bench.decide(row, "exclude")
    with pytest.raises(InputError, match="There are no rows"):
        compare(bench.dataset, findings_of(bench.dataset), bench.log)
