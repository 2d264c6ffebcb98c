"""SQLite files that are full, locked, read-only, damaged, deleted or replaced."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import sqlite3
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from curation.errors import NotSavedError, ReadOnlyError, StoreError
from curation.store import Store, sqlite_files
from devtools.store_dataset import StoreDataset
from tests.fault_messages import Messages
from tests.store.helpers import run_python

Opener = Callable[..., Store]


def fill(opened: Opener, dataset: StoreDataset, path: Path, count: int = 6) -> Store:
    store = opened(dataset, path)
    for k in range(count):
        store.decide(f"e{k}", "keep", curator="ana", note="words " * 50)
    return store


# ---- where it lies


def test_the_store_is_next_to_the_dataset(dataset: StoreDataset, opened: Opener) -> None:
    store = opened(dataset)
    assert store.backend.where == str(dataset.root / ".curation" / "decisions.db")
    with sqlite_files.open_existing(Path(store.backend.where), "ro") as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    connection.close()
    with store.backend.writer.connect() as writer:
        assert writer.exec_driver_sql("PRAGMA synchronous").scalar() == 2  # FULL


def test_the_store_of_a_read_only_dataset_is_in_the_users_folder(
    dataset: StoreDataset, opened: Opener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "mine"))
    monkeypatch.setattr("curation.store.location.writable", lambda path: path != dataset.root)
    store = opened(dataset)
    assert Path(store.backend.where).is_relative_to(tmp_path / "mine" / "curation")
    store.decide("e0", "keep", curator="ana")
    store.close()
    monkeypatch.undo()
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "mine"))
    assert len(opened(dataset).current()) == 1, "found again once the dataset can be written"


@pytest.mark.fault(
    76,
    "WARN",
    says="Use these decisions from one computer only, or keep them in PostgreSQL. … is on a "
    "network file system (nfs4), where SQLite's locks may fail.",
)
@pytest.mark.fault(
    83,
    "WARN",
    says="Open this dataset with one curate command at a time. The SQLite of this Python (…, "
    "older than 3.51.3) may damage the decisions if two write them at once.",
)
def test_notices_name_an_old_sqlite_and_a_network_folder(
    dataset: StoreDataset,
    opened: Opener,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    messages: Messages,
) -> None:
    monkeypatch.setattr("curation.store.sqlite.sqlite3.sqlite_version_info", (3, 40, 1))
    monkeypatch.setattr("curation.store.sqlite.network_file_system", lambda path: "nfs4")
    store = opened(dataset, tmp_path / "a.db")
    for notice in store.notices:
        messages.add("WARN", notice)
    assert "older than 3.51.3" in store.notices[0]
    assert "one curate command at a time" in store.notices[0]
    assert "network file system (nfs4)" in store.notices[1]
    assert store.backend.writer.pool.size() == 1, "one writing connection in this process"  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("mysql://host/x", "Decisions cannot be kept in 'mysql'"),
        ("sqlite://", "Decisions cannot be kept in 'sqlite'"),
        ("://", "address cannot be read"),
    ],
)
def test_other_addresses_are_refused(dataset: StoreDataset, url: str, words: str) -> None:
    with pytest.raises(StoreError, match=words):
        from curation.store import open_store

        open_store(dataset, url)


# ---- what is not a sound store


@pytest.mark.fault(
    75,
    "BLOCK",
    says="decisions.db cannot be used as a decision store: is …. It was not changed. "
    "Restore a backup with `curate restore BACKUP …`. It keeps this file under another "
    "name.",
)
@pytest.mark.parametrize(
    ("content", "words"),
    [(b"", "is empty (zero bytes)"), (b"id,label\n1,cat\n" * 99, "is not a database")],
)
def test_a_file_that_is_not_a_database_is_not_changed(
    dataset: StoreDataset, opened: Opener, tmp_path: Path, content: bytes, words: str
) -> None:
    path = tmp_path / "decisions.db"
    path.write_bytes(content)
    with pytest.raises(StoreError) as error:
        opened(dataset, path)
    assert words in error.value.problem and "It was not changed." in error.value.problem
    assert f"`curate restore BACKUP {path}`" in error.value.remedy
    assert path.read_bytes() == content and os.listdir(tmp_path) == ["decisions.db", "pets"]


def test_a_database_of_another_program_is_not_changed(
    dataset: StoreDataset, opened: Opener, tmp_path: Path
) -> None:
    path = tmp_path / "other.db"
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE recipes (name)")
    before = path.read_bytes()
    with pytest.raises(StoreError, match="is a database of another program"):
        opened(dataset, path)
    assert path.read_bytes() == before


@pytest.mark.fault(
    75,
    "BLOCK",
    says="cannot be used as a decision store: … It was not changed. Restore a backup with "
    "`curate restore BACKUP …`.",
)
def test_random_damage_is_either_noticed_or_harmless(
    dataset: StoreDataset, opened: Opener, tmp_path: Path
) -> None:
    store = fill(opened, dataset, tmp_path / "good.db")
    truth = store.log()
    store.close()
    good, rng, noticed = (tmp_path / "good.db").read_bytes(), random.Random(75), 0
    for round_ in range(25):
        path, damaged = tmp_path / f"bad{round_}.db", bytearray(good)
        page = rng.randrange(len(good) // 4096)
        damaged[4096 * page + 20 : 4096 * (page + 1)] = rng.randbytes(4076)
        path.write_bytes(damaged)
        try:
            again = opened(dataset, path)
            assert again.log() == truth
            again.close()
        except StoreError as error:
            noticed += 1
            assert "curate restore" in error.remedy
            assert path.read_bytes() == damaged, "the damaged file is evidence: not touched"
    assert noticed > 15


def test_a_store_damaged_while_open_is_not_written(
    dataset: StoreDataset, opened: Opener, tmp_path: Path
) -> None:
    path = tmp_path / "decisions.db"
    store = fill(opened, dataset, path)
    store.close()
    store = opened(dataset, path)
    with path.open("r+b") as file:  # same file, other bytes
        file.seek(4096)
        file.write(os.urandom(path.stat().st_size - 4096))
    with pytest.raises(StoreError, match="cannot be used as a decision store"):
        for k in range(6):
            store.decide(f"e{k}", "exclude", curator="bo")


# ---- gone or replaced while open


@pytest.mark.fault(
    75,
    "BLOCK",
    says="NOT saved: … was deleted while it was open. Put it back, or restore a backup with "
    "`curate restore BACKUP …`, then open the dataset again.",
)
def test_a_deleted_file_is_neither_written_nor_created_again(
    dataset: StoreDataset, opened: Opener, tmp_path: Path
) -> None:
    path = tmp_path / "decisions.db"
    store = fill(opened, dataset, path)
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
def test_a_replaced_file_is_not_written(
    dataset: StoreDataset, opened: Opener, tmp_path: Path
) -> None:
    path = tmp_path / "decisions.db"
    store = fill(opened, dataset, path)
    other = fill(opened, dataset, tmp_path / "other.db", 1)
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
    dataset: StoreDataset, opened: Opener, tmp_path: Path
) -> None:
    path = tmp_path / "decisions.db"
    store = fill(opened, dataset, path)
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
from tests.store.test_faults import take_wal_away
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
    dataset: StoreDataset, opened: Opener, tmp_path: Path, twice: bool
) -> None:
    path = tmp_path / "decisions.db"
    store = fill(opened, dataset, path, count=2)
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


# ---- locked, full, read-only


@pytest.mark.fault(
    76,
    "BLOCK",
    says="NOT saved: … was locked by another program for 0.4 seconds. Try again; if it "
    "stays locked, close other programs that use it.",
)
def test_a_write_waits_for_a_short_lock_and_reports_a_long_one(
    dataset: StoreDataset, opened: Opener, tmp_path: Path
) -> None:
    store = opened(dataset, tmp_path / "decisions.db", wait_seconds=0.4)
    with contextlib.closing(
        sqlite3.connect(tmp_path / "decisions.db", check_same_thread=False)
    ) as c:
        c.isolation_level = None
        c.execute("BEGIN IMMEDIATE")
        with pytest.raises(NotSavedError) as error:
            store.decide("e0", "keep", curator="ana")
        assert "was locked by another program for 0.4 seconds" in error.value.problem
        assert error.value.problem.startswith("NOT saved") and "Try again" in error.value.remedy
        assert store.current() == [], "reading goes on"
        store.backend.wait_seconds = 20
        timer = threading.Timer(0.2, lambda: c.execute("ROLLBACK"))
        timer.start()
        store.decide("e0", "keep", curator="ana")
        timer.join()
    assert len(store.log()) == 1


FULL_DISK = """
import resource, sys
from pathlib import Path
from curation.errors import NotSavedError
from curation.store import open_store
from devtools.store_dataset import make_dataset

root = Path(sys.argv[1])
store = open_store(make_dataset(root, 3000), root / "decisions.db")
_, most = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, most))
saved = []
try:
    for k in range(3000):
        store.decide(f"e{k}", "keep", curator="ana", note="n" * 2000, op_id=str(k))
        saved.append(str(k))
except NotSavedError as error:
    print(error.problem)
    print(error.remedy)
assert [each.op_id for each in store.log()] == saved, "earlier decisions can be read"
try:
    store.decide("e2999", "keep", curator="ana", note="n" * 2000)
except NotSavedError:
    print("again")
resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
store.decide("e2999", "keep", curator="ana", note="n" * 2000)
assert len(store.log()) == len(saved) + 1, "works again without being opened again"
store.close()
"""


@pytest.mark.fault(
    73,
    "BLOCK",
    says="NOT saved: the disk refused to write … (disk I/O error; … MB left). The disk may be "
    "full or failing. Free at least 10 MB, then try again; earlier decisions are safe.",
)
def test_a_full_disk_is_reported_and_writing_works_again_once_freed(
    tmp_path: Path, messages: Messages
) -> None:
    said = run_python(FULL_DISK, tmp_path).splitlines()
    messages.add("BLOCK", f"{said[0]} {said[1]}")
    assert said[0].startswith("NOT saved: the disk") and "full" in said[0] and "MB left" in said[0]
    assert said[1:] == [
        "Free at least 10 MB, then try again; earlier decisions are safe.",
        "again",
    ]


TINY_DISK = """
import sys
from pathlib import Path
from curation.errors import NotSavedError
from curation.store import open_store
from devtools.store_dataset import make_dataset

root = Path(sys.argv[1])
store = open_store(make_dataset(root, 3000), root / "decisions.db")
filler, count = root / "filler", 0
filler.write_bytes(b"x" * 1_000_000)
try:
    for count in range(3000):
        store.decide(f"e{count}", "keep", curator="ana", note="n" * 2000)
except NotSavedError as error:
    print(error.problem)
assert len(store.log()) == count
filler.unlink()
store.decide("e2999", "keep", curator="ana")
assert len(store.log()) == count + 1
store.close()
"""


def test_a_disk_that_is_really_full_is_reported(tmp_path: Path) -> None:
    mounted = os.geteuid() == 0 and not os.system(
        f"mount -t tmpfs -o size=2500k tmpfs {tmp_path} 2>/dev/null"
    )
    if not mounted:
        pytest.skip("a small disk can only be mounted by root")
    try:
        said = run_python(TINY_DISK, tmp_path)
    finally:
        os.system(f"umount {tmp_path}")
    assert said.startswith(f"NOT saved: the disk is full ({tmp_path} has 0 MB left).")


READ_ONLY = """
import os, sys
from pathlib import Path
from curation.errors import ReadOnlyError
from curation.store import open_store
from devtools.store_dataset import make_dataset
import curation.store.decision_store, encodings.idna

root = Path(sys.argv[1])
if os.geteuid() == 0:
    os.seteuid(65534)
store = open_store(make_dataset(root), root / "decisions.db")
print(store.read_only, len(store.current()))
for write in (
    lambda: store.decide("e0", "keep", curator="bo"),
    lambda: store.undo(curator="ana"),
):
    try:
        write()
    except ReadOnlyError as error:
        print(error)
store.close()
"""


@pytest.mark.fault(
    74,
    "BLOCK",
    says="NOT saved: … can only be read. Make the file and its folder writable",
)
@pytest.mark.parametrize("after_a_crash", [False, True])
def test_a_read_only_folder_is_opened_for_reading(
    dataset: StoreDataset, opened: Opener, after_a_crash: bool, messages: Messages
) -> None:
    folder = Path(tempfile.mkdtemp())  # pytest's own folders are closed to other users
    store = fill(opened, dataset, folder / "decisions.db")
    if after_a_crash:  # the decisions are still in the -wal file
        for suffix in ("", "-wal"):
            shutil.copyfile(f"{folder}/decisions.db{suffix}", f"{folder}/kept{suffix}")
    store.close()
    if after_a_crash:
        for suffix in ("", "-wal"):
            os.replace(f"{folder}/kept{suffix}", f"{folder}/decisions.db{suffix}")
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    for path in (*folder.iterdir(), folder):
        path.chmod(0o555)
    try:
        lines = run_python(READ_ONLY, folder).splitlines()
        after = {path.name: path.read_bytes() for path in folder.iterdir()}
    finally:
        shutil.rmtree(folder)
    assert lines[0] == "True 6"
    messages.add("BLOCK", lines[1])
    assert len(lines) == 3 and all("can only be read" in line for line in lines[1:])
    assert "Make the file and its folder writable" in lines[1]
    assert after == before


def test_a_place_that_cannot_be_written_is_reported(dataset: StoreDataset, tmp_path: Path) -> None:
    from curation.store import open_store

    (tmp_path / "file").write_text("")
    with pytest.raises(
        ReadOnlyError,
        match="Decisions cannot be kept in .*: it cannot be written .*another place with --store",
    ):
        open_store(dataset, tmp_path / "file" / "decisions.db")


def test_a_store_that_cannot_be_read_is_reported(
    dataset: StoreDataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from curation.store import open_store

    def refuse(path: Path) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("curation.store.sqlite_files.create_if_new", refuse)
    with pytest.raises(
        StoreError,
        match="cannot be opened: Permission denied. Allow reading it and the folders above it",
    ):
        open_store(dataset, tmp_path / "decisions.db")
