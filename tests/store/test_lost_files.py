"""SQLite files that are deleted or replaced while a store is open."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from curation.errors import NotSavedError, StoreError
from curation.store import Store
from devtools.store_dataset import StoreDataset
from tests.store.child_process import run_python

Opener = Callable[..., Store]


Filler = Callable[..., Store]


@pytest.mark.fault(
    75,
    "BLOCK",
    says="NOT saved: … was deleted while it was open. Put it back, or restore a backup with "
    "`curate restore BACKUP …`, then open the dataset again.",
)
def test_a_deleted_file_is_neither_written_nor_created_again(
    dataset: StoreDataset, opened: Opener, fill: Filler, tmp_path: Path
) -> None:
    path = tmp_path / "decisions.db"
    store = fill(path)
    path.unlink()
    with pytest.raises(NotSavedError) as error:
        store.decide("e0", "exclude", curator="bo")
    assert error.value.problem == f"NOT saved: {path} was deleted while it was open."
    assert "curate restore" in error.value.remedy
    with pytest.raises(StoreError, match="was deleted while it was open"):
        store.current()
    store.close()
    for leftover in tmp_path.glob("decisions.db-*"):
        leftover.unlink()
    with pytest.raises(StoreError, match="is missing, although it was there before"):
        opened(dataset, path)
    assert not path.exists()


def test_no_store_is_created_over_a_leftover_wal(
    dataset: StoreDataset, opened: Opener, tmp_path: Path
) -> None:
    wal = tmp_path / "lost.db-wal"
    wal.write_bytes(b"decisions")
    with pytest.raises(StoreError, match="missing, although its -wal file is still there"):
        opened(dataset, tmp_path / "lost.db")
    assert wal.read_bytes() == b"decisions"


@pytest.mark.fault(
    75,
    "BLOCK",
    says="NOT saved: … was replaced by another file while it was open. Put it back, or "
    "restore a backup with `curate restore BACKUP …`, then open the dataset again.",
)
def test_a_replaced_file_is_not_written(fill: Filler, tmp_path: Path) -> None:
    path = tmp_path / "decisions.db"
    store = fill(path)
    other = fill(tmp_path / "other.db", 1)
    other.close()
    os.replace(tmp_path / "other.db", path)
    before = path.read_bytes()
    with pytest.raises(NotSavedError, match="was replaced by another file while it was open"):
        store.decide("e0", "exclude", curator="bo")
    assert path.read_bytes() == before


def test_another_store_under_the_same_file_is_not_written(local_store: Store) -> None:
    local_store.decide("e0", "keep", curator="ana")
    with local_store.backend.writer.begin() as connection:
        connection.exec_driver_sql("UPDATE meta SET value = 'another' WHERE key = 'uuid'")
    with pytest.raises(NotSavedError, match="replaced by another one while it was open"):
        local_store.decide("e1", "keep", curator="ana")
    assert len(local_store.log()) == 1


def test_a_deleted_wal_is_noticed_and_earlier_decisions_are_rescued(
    dataset: StoreDataset, opened: Opener, fill: Filler, tmp_path: Path
) -> None:
    path = tmp_path / "decisions.db"
    store = fill(path)
    Path(f"{path}-wal").unlink()
    with pytest.raises(NotSavedError, match="NOT saved: The -wal file of .* was deleted"):
        store.decide("e0", "exclude", curator="bo", op_id="late")
    store.close()
    again = opened(dataset, path)
    assert [entry.curator for entry in again.log()][:6] == ["ana"] * 6
    again.decide("e0", "exclude", curator="bo", op_id="late")
    assert [entry.op_id for entry in again.log()].count("late") == 1


ANOTHER_PROGRAM = """
import sys
from pathlib import Path
from curation.store import open_store
from devtools.store_dataset import make_dataset
with open_store(make_dataset(Path(sys.argv[1]).parent), sys.argv[1]) as store:
    store.decide(sys.argv[2], "keep", curator="bo")
    print(*[entry.example_id for entry in store.log()])
"""


TAKE_AWAY = """
import sys
from pathlib import Path
from tests.store.test_lost_files import take_wal_away
take_wal_away(Path(sys.argv[1]))
"""


def test_a_store_opened_twice_keeps_its_locks_against_other_programs(
    dataset: StoreDataset, opened: Opener, tmp_path: Path
) -> None:
    path = tmp_path / "decisions.db"
    store = opened(dataset, path)
    store.decide("e0", "keep", curator="ana")
    opened(dataset, path)  # a look at the file must not drop the locks that are held on it
    run_python(ANOTHER_PROGRAM, path, "e1")  # and closes, the last one as far as it can tell
    assert Path(f"{path}-wal").exists()
    store.decide("e2", "keep", curator="ana")
    run_python(ANOTHER_PROGRAM, path, "e3")
    store.decide("e4", "keep", curator="ana")
    assert [entry.example_id for entry in store.log()] == [f"e{k}" for k in range(5)]


def take_wal_away(path: Path) -> None:
    """Bring the database's file up to date, then delete what lies beside it."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(FULL)")
    for suffix in ("-wal", "-shm"):
        Path(f"{path}{suffix}").unlink(missing_ok=True)


@pytest.mark.parametrize("twice", [False, True])
def test_a_rescue_never_overwrites_what_another_program_wrote(
    dataset: StoreDataset, opened: Opener, fill: Filler, tmp_path: Path, twice: bool
) -> None:
    path = tmp_path / "decisions.db"
    store = fill(path, count=2)
    take_wal_away(path)
    run_python(ANOTHER_PROGRAM, path, "e5")
    if twice:
        run_python(TAKE_AWAY, path)
    for _ in range(3):  # as a page does, again and again
        with pytest.raises(NotSavedError, match="The -wal file of .* was deleted"):
            store.decide("e3", "exclude", curator="ana", op_id="late")
    store.close()
    with pytest.raises(StoreError, match="Stop this program and start it again"):
        opened(dataset, path)
    assert run_python(ANOTHER_PROGRAM, path, "e3").split() == ["e0", "e1", "e5", "e3"]
