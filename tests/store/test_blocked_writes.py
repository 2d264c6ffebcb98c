"""SQLite files that cannot be written: locked, on a full disk, or read-only."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from curation.errors import NotSavedError
from curation.store import Store
from devtools.store_dataset import StoreDataset
from tests.fault_messages import Messages
from tests.store.child_process import run_python

Opener = Callable[..., Store]


Filler = Callable[..., Store]


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
    fill: Filler, after_a_crash: bool, messages: Messages
) -> None:
    folder = Path(tempfile.mkdtemp())  # pytest's own folders are closed to other users
    store = fill(folder / "decisions.db")
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
