"""What only a database server can do to us."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import Connection, text
from sqlalchemy.exc import OperationalError

from curation.errors import NotSavedError, ReadOnlyError, StoreError
from curation.store import Store, open_store
from devtools.store_dataset import StoreDataset

Opener = Callable[..., Store]


@pytest.fixture
def home(postgres: Any) -> str:
    return str(postgres.make_home())


class Lost(Exception):
    """What the driver raises when the server does not answer."""

    sqlstate = None


@contextmanager
def losing_the_answer(store: Store, times: int) -> Iterator[list[str]]:
    """Let commits happen, and then break the connection before their answer arrives."""
    engine, lost = store.backend.writer, []
    commit = engine.dialect.do_commit

    def do_commit(connection: Any) -> None:
        commit(connection)
        if len(lost) < times:
            lost.append("answer")
            raise OperationalError("COMMIT", {}, Lost("gone"), connection_invalidated=True)

    engine.dialect.do_commit = do_commit  # type: ignore[method-assign]
    try:
        yield lost
    finally:
        engine.dialect.do_commit = commit  # type: ignore[method-assign]


@pytest.mark.fault(82, "HOLDS")
def test_a_commit_with_an_unknown_result_is_stored_exactly_once(
    dataset: StoreDataset, home: str, opened: Opener
) -> None:
    store = opened(dataset, home)
    with losing_the_answer(store, 3) as lost:
        stored = store.decide("e0", "keep", curator="ana")
        assert len(lost) == 3 and store.log() == [stored]
    with losing_the_answer(store, 1):
        store.undo(curator="ana")
    assert [entry.entry for entry in store.log()] == ["decide", "undo"]


@pytest.mark.fault(
    82,
    "BLOCK",
    says="Probably NOT saved: the connection to … broke (…). Try again with the same op_id: "
    "a decision is never stored twice.",
)
def test_a_connection_that_stays_broken_is_reported_as_not_saved(
    dataset: StoreDataset, home: str, opened: Opener
) -> None:
    store = opened(dataset, home, wait_seconds=0.2)
    with losing_the_answer(store, 10_000):
        with pytest.raises(NotSavedError) as error:
            store.decide("e0", "keep", curator="ana", op_id="mine")
    assert error.value.problem.startswith("Probably NOT saved: the connection to")
    assert "same op_id" in error.value.remedy
    store.decide("e0", "keep", curator="ana", op_id="mine")
    assert len(store.log()) == 1


@pytest.mark.fault(82, "HOLDS")
def test_a_server_that_is_killed_and_restarted_loses_and_duplicates_nothing(
    dataset: StoreDataset, home: str, opened: Opener, postgres: Any
) -> None:
    store = opened(dataset, home, wait_seconds=30)
    stop, acknowledged = threading.Event(), []

    def work(thread: int) -> None:
        number = 0
        while not stop.is_set():
            op_id = f"{thread}-{number}"
            store.decide(f"e{thread}", "keep", curator=f"c{thread}", op_id=op_id)
            acknowledged.append(op_id)
            number += 1

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for _ in range(2):
        wanted = len(acknowledged) + 20
        while len(acknowledged) < wanted:
            stop.wait(0.01)
        postgres.stop("immediate")
        postgres.start()
    wanted = len(acknowledged) + 8
    while len(acknowledged) < wanted:
        stop.wait(0.01)
    stop.set()
    for thread in threads:
        thread.join()
    there = [entry.op_id for entry in store.log()]
    assert len(there) == len(set(there)) and set(there) == set(acknowledged)


def test_a_lock_that_stays_is_reported_as_not_saved(
    dataset: StoreDataset, home: str, opened: Opener
) -> None:
    store, other = opened(dataset, home, wait_seconds=0.3), opened(dataset, home)
    with other.backend.writer.begin() as connection:
        connection.execute(text("LOCK TABLE log IN EXCLUSIVE MODE"))
        with pytest.raises(NotSavedError, match="NOT saved: .* was locked by another program"):
            store.decide("e0", "keep", curator="ana")
        assert store.current() == [], "reading goes on"
    store.decide("e0", "keep", curator="ana")


def test_a_read_only_server_is_opened_for_reading(
    dataset: StoreDataset, home: str, opened: Opener
) -> None:
    opened(dataset, home).decide("e0", "keep", curator="ana")
    standby = opened(dataset, home + "%20-cdefault_transaction_read_only%3Don")
    assert standby.read_only and len(standby.current()) == 1
    with pytest.raises(ReadOnlyError, match="NOT saved: .* can only be read"):
        standby.decide("e1", "keep", curator="ana")


def test_an_empty_read_only_server_has_no_store(dataset: StoreDataset, postgres: Any) -> None:
    with pytest.raises(ReadOnlyError, match="holds no store and is read-only"):
        open_store(dataset, postgres.make_schema() + "%20-cdefault_transaction_read_only%3Don")


@pytest.mark.parametrize(
    ("state", "kind", "words"),
    [
        ("53100", NotSavedError, "NOT saved: the disk of .* is full"),
        ("42501", ReadOnlyError, "can only be read"),
        ("42P01", StoreError, "the tables of .* are gone"),
    ],
)
def test_refusals_of_the_server_are_explained(
    dataset: StoreDataset, home: str, opened: Opener, state: str, kind: type, words: str
) -> None:
    store = opened(dataset, home)

    def refuse(connection: Connection) -> None:
        connection.execute(
            text(f"DO $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '{state}'; END $$")
        )

    with pytest.raises(kind, match=words):
        store.backend.write(refuse)


def test_a_server_that_does_not_answer_is_reported_without_the_password(
    dataset: StoreDataset,
) -> None:
    with pytest.raises(StoreError) as error:
        open_store(dataset, "postgresql://ana:secret@127.0.0.1:1/x")
    assert "ana:***@127.0.0.1:1/x cannot be opened" in error.value.problem
    assert "secret" not in str(error.value)
    assert "Check the address and the user, and that the server is running." == error.value.remedy


def test_a_reader_sees_one_state_while_others_write(
    dataset: StoreDataset, home: str, opened: Opener
) -> None:
    store, other = opened(dataset, home), opened(dataset, home)
    store.decide("e0", "keep", curator="ana")
    with store.backend.read() as connection:
        count = text("SELECT count(*) FROM log")
        before = connection.scalar(count)
        other.decide("e1", "keep", curator="bo")
        assert connection.scalar(count) == before == 1
    assert len(store.log()) == 2


@pytest.mark.fault(
    82,
    "BLOCK",
    says="NOT saved: … was locked by another program for 0.3 seconds. Try again;",
)
def test_a_pool_without_a_free_connection_is_waited_for_and_then_reported(
    dataset: StoreDataset, home: str, opened: Opener
) -> None:
    store = opened(dataset, home, wait_seconds=0.3)
    pool = store.backend.writer.pool
    most = pool.size() + pool._max_overflow  # type: ignore[attr-defined]
    held = [store.backend.writer.connect() for _ in range(most)]
    with pytest.raises(NotSavedError):
        store.decide("e0", "keep", curator="ana", op_id="mine")
    with pytest.raises(StoreError, match="is busy. Try again in a moment"):
        store.current()
    store.backend.wait_seconds = 20
    freeing = threading.Timer(0.1, held.pop().close)
    freeing.start()
    store.decide("e0", "keep", curator="ana", op_id="mine")
    freeing.join()
    for connection in held:
        connection.close()
    assert len(store.log()) == 1
