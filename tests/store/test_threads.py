"""Many threads and processes at once: nothing lost, nothing doubled, numbers without gaps."""

from __future__ import annotations

import multiprocessing
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from curation.errors import NotSavedError
from curation.store import ConflictError, Store, open_store
from curation.store.write_queue import PendingWrite, WriteQueue
from devtools.store_dataset import StoreDataset, make_dataset
from tests.store.child_process import run_python

WRITERS, EACH = 50, 6


@pytest.mark.fault(76, "HOLDS")
def test_fifty_writers_who_submit_twice_lose_and_duplicate_nothing(
    tmp_path: Path, url: str, opened: Callable[..., Store]
) -> None:
    store = opened(make_dataset(tmp_path, WRITERS * EACH), url, wait_seconds=60)

    def submit(number: int) -> int:
        op_id = f"op{number // 2}"
        example = f"e{number // 2}"
        return store.decide(example, "keep", curator=f"c{number % WRITERS // 2}", op_id=op_id).seq

    with ThreadPoolExecutor(WRITERS) as pool:
        seqs = list(pool.map(submit, range(2 * WRITERS * EACH)))
    assert seqs[::2] == seqs[1::2], "both submissions are told of the same decision"
    assert sorted(seqs[::2]) == list(range(1, WRITERS * EACH + 1))
    log = store.log()
    assert Counter(entry.op_id for entry in log).most_common(1)[0][1] == 1
    assert {entry.op_id: entry.seq for entry in log} == {
        f"op{k}": seq for k, seq in enumerate(seqs[::2])
    }
    assert len(store.current()) == WRITERS * EACH


def test_of_many_writers_with_one_revision_one_wins_and_the_others_get_a_conflict(
    dataset: StoreDataset, url: str, opened: Callable[..., Store]
) -> None:
    store = opened(dataset, url, wait_seconds=60)

    def decide(number: int) -> str:
        label = number % 3
        try:
            store.decide("e0", "relabel", label=label, curator=f"c{number}", revision=0)
        except ConflictError as error:
            assert error.stored.label_id != error.attempted.label_id
            return "conflict"
        return "stored"

    with ThreadPoolExecutor(12) as pool:
        outcomes = list(pool.map(decide, range(12)))
    first = store.log()[0]
    assert Counter(entry.entry for entry in store.log()) == {"decide": 4, "conflict": 8}
    assert Counter(outcomes) == {"stored": 4, "conflict": 8}
    assert store.current()[0].label == first.label  # type: ignore[union-attr]


def _write_some(root: Path, url: str, name: str) -> None:
    with open_store(make_dataset(root, 60), url, wait_seconds=60) as store:
        for k in range(20):
            store.decide(f"e{k}", "keep", curator=name, op_id=f"{name}-{k}")
            store.decide(f"e{20 + k}", "keep", curator="both", op_id=f"both-{k}")


@pytest.mark.fault(76, "HOLDS")
def test_two_processes_write_one_store(tmp_path: Path, url: str) -> None:
    context = multiprocessing.get_context("spawn")
    names = ("one", "two")
    processes = [context.Process(target=_write_some, args=(tmp_path, url, each)) for each in names]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
        assert process.exitcode == 0
    with open_store(make_dataset(tmp_path, 60), url) as store:
        log = store.log()
        assert [entry.seq for entry in log] == list(range(1, 61))
        assert Counter(entry.curator for entry in log) == {"one": 20, "two": 20, "both": 20}


def test_a_failing_write_does_not_affect_the_others(local_store: Store) -> None:
    """Works that wait are written together; one that fails is taken out, the others stay."""
    start, results = threading.Barrier(9), []

    def good(number: int) -> None:
        start.wait()
        results.append(local_store.decide(f"e{number % 6}", "keep", curator=f"c{number}").seq)

    def bad() -> None:
        def fail(connection: object) -> None:
            connection.exec_driver_sql("DELETE FROM words")  # type: ignore[attr-defined]
            raise ZeroDivisionError

        start.wait()
        with pytest.raises(ZeroDivisionError):
            local_store.backend.write(fail)

    threads = [threading.Thread(target=good, args=(k,)) for k in range(8)]
    threads.append(threading.Thread(target=bad))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(results) == list(range(1, 9))
    assert sum(each.decided for each in local_store.progress()) == 8


def test_a_write_gives_up_if_it_is_never_started() -> None:
    held, free = threading.Event(), threading.Event()

    def run(batch: object) -> None:
        held.set()
        free.wait()

    queue = WriteQueue(run)
    first = threading.Thread(target=queue.submit, args=(lambda _: None, 9))
    first.start()
    held.wait()
    with pytest.raises(TimeoutError):
        queue.submit(lambda _: None, 0.01)
    free.set()
    first.join()
    assert queue.submit(lambda _: None, 1) is None


def test_an_interrupted_leader_leaves_nobody_waiting() -> None:
    def run(batch: list[PendingWrite]) -> None:
        raise KeyboardInterrupt

    queue = WriteQueue(run)  # type: ignore[arg-type]
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            queue.submit(lambda _: None, 1)


def test_a_writer_that_waits_too_long_gets_an_error(
    dataset: StoreDataset, tmp_path: Path, opened: Callable[..., Store]
) -> None:
    store = opened(dataset, tmp_path / "a.db", wait_seconds=0.05)
    held, free = threading.Event(), threading.Event()

    def hold(connection: object) -> None:
        held.set()
        free.wait()

    holder = threading.Thread(target=store.backend.write, args=(hold,))
    holder.start()
    held.wait()
    with pytest.raises(NotSavedError, match="NOT saved: .* was locked"):
        store.decide("e0", "keep", curator="ana")
    free.set()
    holder.join()
    assert store.log() == []


ENDING = """
import sys, threading
from pathlib import Path
from curation.store import open_store
from curation.store.backend import finish_writes
from devtools.store_dataset import make_dataset

store = open_store(make_dataset(Path(sys.argv[1])), Path(sys.argv[1]) / "decisions.db")
begun, free = threading.Event(), threading.Event()

def hold(connection):
    begun.set()
    free.wait()

threading.Thread(target=store.backend.write, args=(hold,), daemon=True).start()
begun.wait()
assert not finish_writes(0.01), "a write is under way"
free.set()
assert finish_writes(60)
late = threading.Thread(target=store.decide, args=("e0", "keep"), kwargs={"curator": "ana"})
late.daemon = True
late.start()
late.join(0.3)
print(late.is_alive(), len(store.log()))
"""


def test_a_process_that_ends_finishes_what_has_begun_and_begins_nothing_more(
    tmp_path: Path,
) -> None:
    assert run_python(ENDING, tmp_path).split() == ["True", "0"]
