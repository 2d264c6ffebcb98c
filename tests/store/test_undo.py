"""Undo and redo go through what a curator decided, one unit at a time."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from curation.errors import StoreError
from curation.store import Store
from devtools.store_dataset import StoreDataset
from tests.store.short_decisions import says

Opener = Callable[..., Store]


@pytest.mark.fault(72, "HOLDS")
def test_undo_and_redo_go_through_the_whole_history(store: Store) -> None:
    store.decide("e0", "keep", curator="ana")
    store.decide("e0", "exclude", curator="ana")
    taken = store.undo(curator="ana")
    assert taken is not None and (taken.example_id, taken.action) == ("e0", "exclude")
    assert says(store.current()) == [("e0", "keep", None)]
    assert store.undo(curator="ana").action == "keep"  # type: ignore[union-attr]
    assert store.current() == [] and store.undo(curator="ana") is None
    assert store.redo(curator="ana").action == "keep"  # type: ignore[union-attr]
    assert store.redo(curator="ana").action == "exclude"  # type: ignore[union-attr]
    assert says(store.current()) == [("e0", "exclude", None)]
    assert store.redo(curator="ana") is None
    kinds = [entry.entry for entry in store.log()]
    assert kinds == ["decide", "decide", "undo", "undo", "redo", "redo"]


def test_a_new_decision_ends_redoing(store: Store) -> None:
    store.decide("e0", "keep", curator="ana")
    store.undo(curator="ana")
    store.decide("e1", "keep", curator="ana")
    assert store.redo(curator="ana") is None
    assert says(store.current()) == [("e1", "keep", None)]
    store.undo(curator="ana")
    assert store.undo(curator="ana") is None, "what was dropped is not undone a second time"


def test_undo_withdraws_the_expected_unit_or_nothing(store: Store) -> None:
    store.decide("e0", "keep", curator="ana", op_id="first")
    store.decide("e1", "keep", curator="ana", op_id="second")
    with pytest.raises(StoreError, match="NOT undone: this is no longer your latest decision"):
        store.undo(curator="ana", op_id="z", expect="first")
    assert len(store.current()) == 2
    once = store.undo(curator="ana", op_id="z", expect="second")
    assert store.undo(curator="ana", op_id="z", expect="second") == once
    assert [each.example_id for each in store.current()] == ["e0"]


def test_undo_with_an_op_id_happens_once(store: Store) -> None:
    store.decide("e0", "keep", curator="ana")
    store.decide("e1", "keep", curator="ana")
    once = store.undo(curator="ana", op_id="z")
    assert store.undo(curator="ana", op_id="z") == once
    assert says(store.current()) == [("e0", "keep", None)]


def test_undo_works_after_a_restart(dataset: StoreDataset, url: str, opened: Opener) -> None:
    store = opened(dataset, url)
    store.decide("e0", "keep", curator="ana")
    store.decide("e1", "keep", curator="ana")
    store.undo(curator="ana")
    store.close()
    again = opened(dataset, url)
    assert says(again.current()) == [("e0", "keep", None)]
    assert again.redo(curator="ana").example_id == "e1"  # type: ignore[union-attr]
    again.undo(curator="ana")
    assert again.undo(curator="ana").example_id == "e0"  # type: ignore[union-attr]


def test_curators_undo_only_their_own_decisions(store: Store) -> None:
    store.decide("e0", "keep", curator="ana")
    store.decide("e1", "keep", curator="bo")
    assert store.undo(curator="ana").example_id == "e0"  # type: ignore[union-attr]
    assert says(store.current()) == [("e1", "keep", None)]
    assert store.undo(curator="cy") is None


def test_a_bulk_unit_is_stored_and_undone_as_one(store: Store) -> None:
    rows = [{"example_id": f"e{k}", "action": "relabel", "label": "eel"} for k in range(6)]
    stored = store.decide_many(rows, curator="ana", op_id="bulk")
    assert [each.part for each in stored] == [0, 1, 2, 3, 4, 5]
    assert store.decide_many(rows, curator="ana", op_id="bulk") == stored
    assert len(store.current()) == 6
    taken = store.undo(curator="ana")
    assert taken is not None and len(taken.unit) == 6 and taken.label == "eel"
    assert store.current() == []
    assert {store.history(f"e{k}")[-1].entry for k in range(6)} == {"undo"}
    store.redo(curator="ana")
    assert len(store.current()) == 6


def test_a_bulk_unit_is_all_or_none(store: Store) -> None:
    good, bad = {"example_id": "e0", "action": "keep"}, {"example_id": "e9", "action": "keep"}
    for rows, words in (
        ([good, bad], "no example 'e9'"),
        ([good, good], "'e0' is in the list twice"),
        ([good, {"example_id": "e1"}], r"unknown keys \(action\)"),
        ([good, {**good, "example_id": "e1", "who": "x"}], r"unknown keys \(who\)"),
    ):
        with pytest.raises(StoreError, match=words):
            store.decide_many(rows, curator="ana")
    assert store.log() == [] and store.decide_many([], curator="ana") == []
