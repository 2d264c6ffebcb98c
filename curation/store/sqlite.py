"""Decisions in SQLite: one file, one writer, every commit on disk.

The file is opened only if it exists (`mode=rw`), so a missing file is an error and never replaced
by an empty one. Before and after each write, the file and its write-ahead log must be the ones that
were opened: a decision written to a deleted file would be lost.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import shutil
import sqlite3
import tempfile
import weakref
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import QueuePool

from curation.errors import NotSavedError, ReadOnlyError, StoreError
from curation.paths import writable
from curation.store import migrations, sqlite_files
from curation.store.backend import WAIT_SECONDS, Backend, TryAgain, busy_error
from curation.store.location import network_file_system

# In older versions, several connections that checkpoint at once can damage the file.
SAFE_SQLITE = (3, 51, 3)
POOLED_READERS = 8  # more are opened when needed and closed afterwards
SQLITE_READONLY_DBMOVED = 1032  # the sqlite3 module has no name for it
_abandoned: set[tuple[int, int] | None] = set()  # files that this process must not open again
PRAGMAS = ("synchronous=FULL", "fullfsync=1", "checkpoint_fullfsync=1")


class SQLiteBackend(Backend):
    """One SQLite file."""

    def __init__(self, path: Path, wait_seconds: float = WAIT_SECONDS) -> None:
        super().__init__(str(path), wait_seconds)
        self.path = path
        sqlite_files.create_if_new(path)
        _refuse_abandoned(path)
        found = sqlite_files.inspect(path)
        self.read_only = not (writable(path) and writable(path.parent))
        self.kept_copy: Path | None = None  # of the store before it was upgraded just now
        self._has_wal = False  # some file systems do not support it
        self._wal: tuple[int, int] | None = None
        self._lost = False  # the -wal file was deleted: nothing more is written to this store
        if self.read_only and not found.readable_in_place:
            self.path = _snapshot(self, path)
        self._file = _identity(self.path)
        self.identity = found.identity
        self.notices = _notices(path)
        self.reader = self._engine("ro", POOLED_READERS)
        self.writer = self._engine("rw", 1)
        try:
            self._upgrade(found.version)
        except BaseException:
            self.close()
            raise
        sqlite_files.remember(path)

    def _upgrade(self, version: int) -> None:
        if not migrations.check_version(version, self.where):
            return
        if self.read_only:
            raise ReadOnlyError(
                f"{self.where} has an older schema ({version}) and cannot be written.",
                "Make the file and its folder writable once, so that it can be upgraded.",
            )
        self.write(self._migrate)

    def _migrate(self, connection: Connection) -> None:
        """Keep a copy and upgrade, unless another program has done so while this one waited."""
        version = int(migrations.read_meta(connection)["schema"])
        if version < migrations.HEAD:
            self.kept_copy = sqlite_files.keep_copy(self.path, version)
            migrations.migrate(connection)

    def _engine(self, mode: str, size: int) -> Engine:
        def connect() -> sqlite3.Connection:
            connection = sqlite3.connect(
                f"{self.path.as_uri()}?mode={mode}",
                uri=True,
                timeout=self.wait_seconds / 4,
                isolation_level=None,  # BEGIN is sent below
                check_same_thread=False,  # the pool gives it to one thread at a time
            )
            for pragma in PRAGMAS:
                connection.execute(f"PRAGMA {pragma}")
            if mode == "rw":
                mode_now = connection.execute("PRAGMA journal_mode=WAL").fetchone()[0]
                self._has_wal, self._wal = mode_now == "wal", None
            return connection

        engine = create_engine(
            "sqlite://",
            creator=connect,
            poolclass=QueuePool,
            pool_size=size,
            max_overflow=0 if mode == "rw" else -1,
            pool_timeout=self.wait_seconds,
        )
        begin = "BEGIN IMMEDIATE" if mode == "rw" else "BEGIN"
        event.listen(engine, "begin", lambda connection: _execute(connection, begin))
        return engine

    def check_unchanged(self) -> None:
        if self._lost:
            raise _vanished_error(self.path, "The -wal file of ")
        if _identity(self.path) != self._file:
            raise _vanished_error(self.path)

    def check_writable(self) -> None:
        self.check_unchanged()
        self._check_wal()

    def check_written(self) -> None:
        self.check_unchanged()
        self._check_wal(expected=self._has_wal)

    def drop_writer(self) -> None:
        super().drop_writer()
        self._wal = None  # the next connection may find or create another

    def _check_wal(self, expected: bool = False) -> None:
        """Raise an error if the -wal file is no longer the one that the writer has open."""
        wal = _identity(self.path.with_name(self.path.name + "-wal"))
        if (expected and wal is None) or (self._has_wal and self._wal not in (None, wal)):
            self._lost = True
            # Another program made the new one, and has written to it or will.
            if wal is not None or not self._rescue():
                _abandon(self._file, self.writer)
            raise _vanished_error(self.path, "The -wal file of ")
        self._wal = wal if self._has_wal else None

    def _rescue(self) -> bool:
        """Move the content of our deleted -wal file into the main file, if that is safe.

        It is not safe if another program has written since: its decisions would be overwritten.
        """
        connection = self.writer.raw_connection()  # outside of any transaction
        try:
            cursor = connection.cursor()
            safe = _is_prefix(self.path, cursor)
            if safe:
                cursor.execute("PRAGMA wal_checkpoint(FULL)")
            return safe
        finally:
            connection.close()

    def explain(self, error: DBAPIError) -> StoreError | TryAgain:
        code = getattr(error.orig, "sqlite_errorcode", 0)
        kind = code & 0xFF
        if kind in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL):
            return TryAgain(busy_error(self.where, self.wait_seconds))
        if kind in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
            return _no_room_error(self.path, error)
        if kind in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
            return sqlite_files.damaged_error(self.path, str(error.orig))
        if code == SQLITE_READONLY_DBMOVED or not self.path.exists():
            return _vanished_error(self.path)
        if kind == sqlite3.SQLITE_READONLY:
            return ReadOnlyError(
                f"NOT saved: {self.where} can no longer be written.",
                "Make the file and its folder writable, then try again.",
            )
        if kind == sqlite3.SQLITE_CANTOPEN:
            return NotSavedError(f"NOT saved: {self.where} cannot be opened.", "Try again.")
        raise error


def _abandon(file: tuple[int, int] | None, engine: Engine) -> None:
    """Never use a file again in this process, and keep one connection to it open.

    When the last connection is closed, SQLite moves the -wal file into the main file, even if the
    -wal file was deleted and the main file has changed since. Python before 3.12 cannot turn that
    off. Other connections of this process would also share the outdated state of the open one.
    """
    connection = engine.raw_connection()
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(connection.driver_connection))
    connection.detach()
    _abandoned.add(file)


def _refuse_abandoned(path: Path) -> None:
    if _identity(path) in _abandoned:
        raise StoreError(
            f"The -wal file of {path} was deleted while it was open, and another program has "
            "written to it since.",
            "Stop this program and start it again.",
        )


def _is_prefix(path: Path, cursor: Any) -> bool:
    """Return whether the last entry in the main file, without the -wal file, is one of ours."""
    last = "SELECT seq, op_id FROM log ORDER BY seq DESC LIMIT 1"
    address = f"{path.as_uri()}?mode=ro&immutable=1"  # ignores locks and the -wal file
    with contextlib.closing(sqlite3.connect(address, uri=True)) as alone:
        found = alone.execute(last).fetchone()
    if found is None:
        return True
    mine = cursor.execute("SELECT op_id FROM log WHERE seq = ?", found[:1]).fetchone()
    return mine is not None and mine[0] == found[1]


def _execute(connection: Connection, statement: str) -> None:
    connection.exec_driver_sql(statement)


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _vanished_error(path: Path, whose: str = "") -> StoreError:
    happened = "was deleted" if not path.exists() or whose else "was replaced by another file"
    return StoreError(
        f"{whose}{path} {happened} while it was open.",
        f"Put it back, or restore a backup with `curate restore BACKUP {path}`, then open the "
        "dataset again.",
    )


def _no_room_error(path: Path, error: DBAPIError) -> NotSavedError:
    free = shutil.disk_usage(path.parent).free / 1e6
    full = "full" in str(error.orig) or free < 1
    return NotSavedError(
        f"NOT saved: the disk is full ({path.parent} has {free:.0f} MB left)."
        if full
        else f"NOT saved: the disk refused to write {path} ({error.orig}; {free:.0f} MB left). The "
        "disk may be full or failing.",
        "Free at least 10 MB, then try again; earlier decisions are safe.",
    )


def _notices(path: Path) -> tuple[str, ...]:
    notices = []
    if sqlite3.sqlite_version_info < SAFE_SQLITE:
        notices.append(
            "Open this dataset with one curate command at a time. The SQLite of this Python "
            f"({sqlite3.sqlite_version}, older than 3.51.3) may damage the decisions if two write "
            "them at once."
        )
    if system := network_file_system(path):
        notices.append(
            "Use these decisions from one computer only, or keep them in PostgreSQL. "
            f"{path} is on a network file system ({system}), where SQLite's locks may fail."
        )
    return tuple(notices)


def _snapshot(owner: Any, path: Path) -> Path:
    """Copy a store that cannot be read in place; the copy is deleted with its backend."""
    folder = Path(tempfile.mkdtemp(prefix="curation-"))
    weakref.finalize(owner, shutil.rmtree, folder, ignore_errors=True)
    for suffix in ("", "-wal"):
        source = path.with_name(path.name + suffix)
        if source.exists():
            shutil.copyfile(source, folder / source.name)
    return folder / path.name
