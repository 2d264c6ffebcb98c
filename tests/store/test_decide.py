"""What one curator says, stored and read back, in both databases."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

import curation
from curation.errors import StoreError
from curation.store import Store
from curation.store.schema import escape, unescape
from devtools.store_dataset import StoreDataset
from tests.fault_messages import Messages

Opener = Callable[..., Store]


def says(decisions: list[Any]) -> list[tuple[str, str, str | None]]:
    return [(each.example_id, each.action, each.label) for each in decisions]


def test_a_decision_is_stored_with_all_its_details(store: Store, dataset: StoreDataset) -> None:
    stored = store.decide(
        "e0", "relabel", label="dog", curator="ana", kind="error", note="paws", seconds=2.5
    )
    assert store.current() == [stored] == store.log()
    assert (stored.seq, stored.entry, stored.given, stored.label) == (1, "decide", "cat", "dog")
    assert stored.content_hash == dataset.content.digest(0)
    assert stored.fingerprint == dataset.fingerprint
    assert (stored.kind, stored.note, stored.seconds) == ("error", "paws", 2.5)
    assert datetime.fromisoformat(stored.time).utcoffset().total_seconds() == 0  # type: ignore[union-attr]


def test_a_label_may_be_a_name_or_an_index(store: Store) -> None:
    for example, label in (("e0", "dog"), ("e2", 1), ("e4", np.int64(1))):
        assert store.decide(example, "relabel", label=label, curator="ana").label == "dog"


def test_every_action_is_stored(store: Store) -> None:
    store.decide("e0", "keep", curator="ana")
    store.decide("e1", "relabel", label="eel", curator="ana")
    store.decide("e2", "ambiguous", labels=["dog", "cat"], curator="ana")
    store.decide("e3", "exclude", curator="ana")
    store.decide("e4", "skip", curator="ana")
    store.decide("e5", "needs_review", curator="ana")
    assert says(store.current()) == [
        ("e0", "keep", None),
        ("e1", "relabel", "eel"),
        ("e2", "ambiguous", None),
        ("e3", "exclude", None),
        ("e4", "skip", None),
        ("e5", "needs_review", None),
    ]
    assert store.history("e2")[0].labels == ("cat", "dog")
    assert store.counts() == dict.fromkeys(
        ("keep", "relabel", "ambiguous", "exclude", "skip", "needs_review"), 1
    )


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("nope", "keep", {}), "NOT saved: the dataset has no example 'nope'"),
        (("e0", "burn", {}), "unknown action 'burn'. Use keep, relabel, ambiguous"),
        (("e0", "relabel", {}), "relabel needs a label"),
        (("e0", "keep", {"label": "dog"}), "keep takes no label"),
        (("e0", "keep", {"labels": ["dog"]}), "keep takes no `labels`"),
        (("e0", "ambiguous", {"labels": "dog"}), "`labels` is a single text"),
        (("e0", "relabel", {"label": "fox"}), "no class 'fox'. The classes are 'cat', 'dog'"),
        (("e0", "relabel", {"label": 3}), "3 is not the index of a class. Indices are 0 to 2"),
        (("e0", "relabel", {"label": -1}), "-1 is not the index of a class"),
        (("e0", "relabel", {"label": True}), "True is not the index of a class"),
        (("e0", "keep", {"kind": "odd"}), "unknown kind 'odd'. Use error, ontological"),
        (("e0", "keep", {"seconds": float("nan")}), "nan seconds"),
        (("e0", "keep", {"curator": " "}), "no curator was named"),
    ],
)
def test_what_cannot_be_stored_is_refused_with_a_message(
    local_store: Store, arguments: tuple[str, str, dict[str, Any]], words: str
) -> None:
    example, action, options = arguments
    with pytest.raises(StoreError) as error:
        local_store.decide(example, action, **{"curator": "ana", **options})
    assert words in str(error.value)
    assert local_store.log() == []


def test_a_name_that_two_classes_share_needs_the_class_id(
    dataset: StoreDataset, url: str, opened: Opener
) -> None:
    cranes = replace(
        dataset, class_names=("crane", "crane", "eel"), class_ids=("n1", "n2", "n3"), more={}
    )
    store = opened(cranes, url)
    with pytest.raises(StoreError) as error:
        store.decide("e0", "relabel", label="crane", curator="ana")
    assert "2 classes are called 'crane'" in error.value.problem
    assert "class id ('n1', 'n2') or its index (0, 1)" in error.value.remedy
    assert store.decide("e0", "relabel", label="n2", curator="ana").label_id == "n2"
    assert store.decide("e0", "relabel", label=1, curator="ana").label_id == "n2"


def test_the_same_operation_twice_is_one_decision(store: Store) -> None:
    first = store.decide("e0", "keep", curator="ana", op_id="click")
    assert store.decide("e0", "keep", curator="ana", op_id="click", seconds=9) == first
    assert store.log() == [first]


def test_an_op_id_with_other_content_is_refused(store: Store) -> None:
    store.decide("e0", "keep", curator="ana", op_id="click")
    for example, action in (("e1", "keep"), ("e0", "exclude")):
        with pytest.raises(StoreError, match="op_id 'click' was already used for something else"):
            store.decide(example, action, curator="ana", op_id="click")
    with pytest.raises(StoreError, match="already used"):
        store.undo(curator="ana", op_id="click")
    assert len(store.log()) == 1


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


def test_decisions_about_classes_are_stored_and_undone(store: Store) -> None:
    store.decide_classes("merge", "cat", "dog", into="pet", curator="ana", note="same here")
    merged = store.class_decisions()[0]
    assert (merged.given, merged.other, merged.into, merged.into_id) == ("cat", "dog", "pet", None)
    store.decide_classes("is_a", "cat", "eel", curator="ana")
    assert store.class_decisions()[1].into == "eel", "the parent, unless another is named"
    store.decide_classes("rename", "eel", into="Eel", curator="ana")
    store.decide_classes("distinct", "dog", "cat", curator="ana")
    assert [(each.action, each.into) for each in store.class_decisions()] == [
        ("is_a", "eel"),
        ("rename", "Eel"),
        ("distinct", None),  # replaces the merge of the same two
    ]
    taken = store.undo(curator="ana")
    assert taken is not None and (taken.action, taken.example_id) == ("distinct", None)
    assert [each.action for each in store.class_decisions()] == ["merge", "is_a", "rename"]
    assert store.current() == []


@pytest.mark.parametrize(
    ("arguments", "options", "words"),
    [
        (("merge", "cat", "dog"), {}, "merge needs the name of a class"),
        (("merge", "cat"), {"into": "x"}, "merge needs two classes"),
        (("merge", "cat", "cat"), {"into": "x"}, "both are 'cat'"),
        (("rename", "cat", "dog"), {"into": "x"}, "rename is about one class"),
        (("distinct", "cat", "dog"), {"into": "x"}, "keep their names"),
        (("is_a", "cat", "dog"), {"into": "eel"}, "'eel' is neither of the two"),
        (("split", "cat", "dog"), {}, "unknown action 'split'"),
        (("distinct", "cat", "fox"), {}, "no class 'fox'"),
    ],
)
def test_class_decisions_are_checked(
    local_store: Store, arguments: tuple[str, ...], options: dict[str, str], words: str
) -> None:
    with pytest.raises(StoreError, match=words):
        local_store.decide_classes(*arguments, curator="ana", **options)
    assert local_store.log() == []


@pytest.mark.fault(72, "HOLDS")
def test_the_log_cannot_be_changed_even_by_hand(store: Store) -> None:
    store.decide("e0", "keep", curator="ana")
    for statement in ("UPDATE log SET curator = 'x'", "DELETE FROM log"):
        with pytest.raises(DBAPIError, match="append-only"):
            with store.backend.writer.begin() as connection:
                connection.execute(text(statement))
    assert store.log()[0].curator == "ana"


@pytest.mark.fault(
    72,
    "WARN",
    says="The stored state (units, examples) did not agree with the log of decisions; it "
    "was rebuilt from the log.",
)
def test_a_state_that_differs_from_the_log_is_reported_and_rebuilt(
    dataset: StoreDataset, url: str, opened: Opener, messages: Messages
) -> None:
    store = opened(dataset, url)
    store.decide("e0", "keep", curator="ana")
    store.decide("e1", "exclude", curator="bo")
    before = store.current()
    with store.backend.writer.begin() as connection:
        connection.execute(text("UPDATE examples SET in_force = 2"))
        connection.execute(text("DELETE FROM units"))
    store.close()
    again = opened(dataset, url)
    messages.add("WARN", again.notices[-1])
    assert again.notices[-1] == (
        "The stored state (units, examples) did not agree with the log of decisions; "
        "it was rebuilt from the log."
    )
    assert again.current() == before
    assert again.undo(curator="bo").example_id == "e1"  # type: ignore[union-attr]
    again.close()
    assert not any("agree" in notice for notice in opened(dataset, url).notices)


@pytest.mark.fault(81, "HOLDS")
def test_a_clock_that_goes_back_does_not_change_the_order(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    times = iter(["2030-01-02T00:00:00+00:00", "2030-01-01T00:00:00+00:00", "2029-12-31T00:00:00"])
    monkeypatch.setattr("curation.store.transactions.now", lambda: next(times))
    for action in ("keep", "exclude", "skip"):
        store.decide("e0", action, curator="ana")
    assert [entry.action for entry in store.log()] == ["keep", "exclude", "skip"]
    assert store.log()[0].time > store.log()[2].time
    assert says(store.current()) == [("e0", "skip", None)]


@pytest.mark.fault(81, "HOLDS")
def test_times_are_written_in_utc_and_clocks_that_differ_change_no_order(
    dataset: StoreDataset, url: str, opened: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two computers, one ten minutes ahead and both in zones that change to summer time."""
    ahead, behind = opened(dataset, url), opened(dataset, url)
    for number, (store, zone, shift) in enumerate(
        [(ahead, "Europe/Berlin", 600), (behind, "America/New_York", 0)] * 2
    ):
        monkeypatch.setenv("TZ", zone)
        time.tzset()
        moment = datetime(2026, 3, 29, 1, 0, number, tzinfo=UTC) + timedelta(seconds=shift)
        clock = type("Clock", (datetime,), {"now": staticmethod(moment.astimezone)})
        monkeypatch.setattr("curation.store.transactions.datetime", clock)
        store.decide("e0", ["keep", "exclude"][number % 2], curator="ana")
    monkeypatch.undo()
    time.tzset()
    log = behind.log()
    assert [entry.seq for entry in log] == [1, 2, 3, 4]
    assert [entry.time[11:19] for entry in log] == ["01:10:00", "01:00:01", "01:10:02", "01:00:03"]
    assert all(datetime.fromisoformat(entry.time).utcoffset() == timedelta(0) for entry in log)
    assert says(ahead.current()) == says(behind.current()) == [("e0", "exclude", None)]


@pytest.mark.fault(58, "HOLDS")
def test_sql_in_every_field_is_only_text(dataset: StoreDataset, url: str, opened: Opener) -> None:
    evil = "'; DROP TABLE log; -- \" OR 1=1 %s :x ? \\"
    odd = replace(dataset, ids=(evil, *dataset.ids[1:]))
    store = opened(odd, url)
    first = store.decide(evil, "keep", curator=evil, note=evil, op_id=evil)
    store.undo(curator=evil)
    store.redo(curator=evil)
    assert store.history(evil)[0] == first and store.current()[0].note == evil
    assert [each.curator for each in store.progress()] == [evil]
    assert len(store.log()) == 3


def test_open_store_is_found_in_the_package(dataset: StoreDataset) -> None:
    with curation.open_store(dataset) as store:
        store.decide("e0", "keep", curator="ana")
    assert (dataset.root / ".curation" / "decisions.db").is_file()
    assert "open_store" in dir(curation)


@given(st.text(st.characters(exclude_categories=())))
def test_any_text_survives_escaping(words: str) -> None:
    assert unescape(escape(words)) == words
    escape(words).encode("utf-8")
    assert "\x00" not in escape(words)


@settings(
    max_examples=30,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(note=st.text(st.characters(exclude_categories=()), max_size=30), who=st.text(min_size=1))
def test_any_text_is_read_back_as_it_was_stored(store: Store, note: str, who: str) -> None:
    curator = f"curator {who}"
    stored = store.decide("e0", "keep", curator=curator, note=note)
    assert (stored.note, stored.curator) == (note, curator)
    assert store.history("e0")[-1] == stored


def test_a_new_class_is_stored_read_back_and_taken_back(
    store: Store, dataset: StoreDataset, url: str, opened: Opener
) -> None:
    name = "plains zebra \U0001f993 '; DROP TABLE log; --"
    first = store.decide("e0", "relabel", new_class=f"  {name}", curator="ana")
    second = store.decide("e0", "relabel", new_class=name.upper(), curator="bo")
    assert (first.label, first.label_id) == (name, f"new class: {name.lower()}")
    assert first.answer == second.answer and store.disagreements() == []
    again = opened(dataset, url)
    assert again.current() == [second] and again.misfits() == []
    store.undo(curator="bo")
    store.undo(curator="ana")
    assert again.current() == []


def test_new_classes_go_through_the_log_to_another_store(
    local_store: Store, dataset: StoreDataset, url: str, opened: Opener
) -> None:
    asked = [
        {"example_id": each, "action": "relabel", "new_class": "zebra"} for each in ("e0", "e2")
    ]
    local_store.decide_many(asked, curator="ana")
    copy = opened(dataset, url)
    copy.import_log(curation.store.from_jsonl(curation.store.to_jsonl(local_store.log())))
    assert [each.label_id for each in copy.current()] == ["new class: zebra"] * 2
