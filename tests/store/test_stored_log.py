"""The log keeps what was said, in order, whatever it holds and whatever the clock shows."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

import curation
from curation.store import Store
from curation.store.schema import escape, unescape
from devtools.store_dataset import StoreDataset
from tests.fault_messages import Messages
from tests.store.short_decisions import says

Opener = Callable[..., Store]


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
