"""The labels that a model is trained on after the decisions."""

from __future__ import annotations

from curation.review.benefit_decisions import read_decided


def test_each_decision_becomes_a_label_to_train_on(pets, findings, ledger):
    store = ledger.store
    before = read_decided(pets, findings, store.log())
    assert before.labels.tolist() == pets.labels.tolist() and not before.changes(pets)
    store.decide("e1", "relabel", label="dog", curator="ana")
    store.decide("e4", "exclude", curator="ana")
    store.decide("e0", "keep", curator="ana")
    store.decide("e2", "both", labels=["cat", "dog"], curator="ana")
    store.decide("e3", "skip", curator="ana")
    decided = read_decided(pets, findings, store.log())
    assert decided.labels.tolist() == [0, 1, 0, 1, 0, 1, 0, 1]
    assert decided.excluded.nonzero()[0].tolist() == [4]
    assert decided.confirmed.nonzero()[0].tolist() == [0, 1]
    assert decided.changes(pets)


def test_merged_classes_become_one(pets, findings, ledger):
    store = ledger.store
    store.decide_classes("merge", "cat", "dog", into="dog", curator="ana")
    assert read_decided(pets, findings, store.log()).becomes.tolist() == [1, 1]
