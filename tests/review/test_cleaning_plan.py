"""Whose word counts, what is pruned, and what no longer fits."""

from __future__ import annotations

import io

import numpy as np
import pytest

import curation
from curation.analysis.findings import METHODS
from curation.errors import InputError
from curation.exports.cleaned_labels import keep_mask, write_labels


def test_only_relabel_and_exclude_change_the_file(small):
    small.decide(0, "keep").decide(1, "skip").decide(2, "needs_review")
    small.decide(3, "ambiguous", labels=["cat", "dog"]).decide(4, "relabel", "cat")
    assert small.cleaned() == (small.root / "labels.csv").read_bytes()
    assert b"e3" not in small.cleaned(ambiguous="exclude")


def test_a_policy_chooses_whose_decision_counts_and_lists_the_rest(small):
    small.decide(1, "relabel", "eel", by="ana").decide(1, "keep", by="bo")
    small.decide(2, "relabel", "eel", by="ana").decide(2, "relabel", "eel", by="bo")
    small.decide(2, "exclude", by="cy")
    assert b"e1,dog" in small.cleaned() and b"e2" not in small.cleaned()
    majority = small.cleaned(policy="majority")
    assert b"e1,dog" in majority and b"e2,eel" in majority
    exported = small.export(policy="agreed only")
    assert exported.left_out == ("e1", "e2")
    assert exported.labels.read_bytes() == (small.root / "labels.csv").read_bytes()
    assert small.manifest["left_out"]["curators_differ"] == ["e1", "e2"]
    assert "<code>e1</code> <code>e2</code>" in (small.out / "report.html").read_text()


@pytest.mark.parametrize("method", METHODS)
def test_undecided_issues_are_pruned_by_the_chosen_method(small, method):
    mask = curation.analyze(small.dataset.labels, small.dataset.pred_probs).mask(method)
    assert mask.any()
    plan = small.plan(undecided=method)
    assert plan.pruned.tolist() == mask.tolist()
    kept = write_labels(plan, io.BytesIO())
    assert keep_mask(plan, kept).tolist() == (~mask).tolist()


def test_what_a_person_decided_or_disputes_is_never_pruned(small):
    small.decide(1, "keep").decide(2, "keep", by="ana").decide(2, "exclude", by="bo")
    assert not small.plan(undecided="confusion", policy="agreed only").pruned.any()
    small.decide(1, "skip")  # somebody looked at it, so it is not undecided
    assert not small.plan(undecided="confusion").pruned.any()


def test_decisions_that_no_longer_fit_are_listed_and_never_applied(small):
    small.relabel({1: "eel", 2: "eel", 3: "eel"}).decide(4, "exclude")
    rows = (small.root / "labels.csv").read_bytes()
    small.write("labels.csv", rows.replace(b"text 1", b"other").replace(b"e4,", b"x4,"))
    small.close()
    exported = small.export()
    causes = {each.decision.example_id: each.cause for each in exported.misfits}
    assert causes == {"e1": "content changed", "e4": "id gone"}
    cleaned = exported.labels.read_bytes()
    assert b"e1,dog,other" in cleaned and b"x4,cat" in cleaned and b"e2,eel" in cleaned
    assert [each["id"] for each in small.manifest["left_out"]["misfits"]] == ["e1", "e4"]
    assert "content has changed since it was judged" in (small.out / "report.html").read_text()


def test_rows_that_moved_keep_their_decisions(small):
    small.relabel({1: "eel"})
    head, *rows = (small.root / "labels.csv").read_bytes().splitlines(keepends=True)
    small.write("labels.csv", head + b"".join(reversed(rows)))
    np.save(small.root / "probs.npy", np.load(small.root / "probs.npy")[::-1])
    small.close()
    after = head + b"".join(reversed(rows)).replace(b"e1,dog", b"e1,eel")
    assert small.cleaned() == after


def test_what_was_undone_is_not_in_the_export(small):
    store = small.store
    store.decide("e1", "relabel", label="eel", curator="ana")
    store.decide("e2", "exclude", curator="ana")
    store.undo(curator="ana")
    assert small.cleaned().count(b"eel") == 3 and b"e2" in small.cleaned()
    assert {each.example_id: each for each in store.current()} == {
        each.example_id: each for each in small.plan().outcome.by_row.values()
    }
    assert len(small.export().folder.joinpath("audit.jsonl").read_text().splitlines()) == 3


def test_the_outcome_of_a_log_agrees_with_the_store(small):
    store = small.store
    for row in range(6):
        for curator in ("ana", "bo", "cy"):
            action = ("keep", "exclude", "skip")[(row * 7 + len(curator) + row // 2) % 3]
            store.decide(f"e{row}", action, curator=curator)
    store.resolve("e0", "keep", curator="lead")
    store.decide_classes("merge", 0, 1, into=1, curator="ana")
    store.decide_classes("rename", 2, into="x", curator="ana")
    store.undo(curator="ana")
    for policy in ("latest", "majority", "agreed only"):
        outcome = small.plan(policy=policy).outcome
        assert sorted(outcome.by_row.values(), key=lambda d: d.seq) == store.current(policy)
        assert sorted(outcome.left_out) == sorted(store.left_out(policy))
        assert list(outcome.class_decisions) == store.class_decisions()
        assert list(outcome.agreement) == store.agreement()


@pytest.mark.parametrize(
    ("option", "value", "words"),
    [("policy", "loudest", "'majority'"), ("excluded", "hide", "'drop', 'flag'"),
     ("undecided", "all", "'leave'"), ("colour", "red", "The options are method")],
)  # fmt: skip
def test_an_unknown_option_or_value_is_refused_with_a_message(small, option, value, words):
    with pytest.raises(InputError, match=words):
        small.export(**{option: value})
    assert not small.out.exists()
