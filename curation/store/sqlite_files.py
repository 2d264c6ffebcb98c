"""SQLite files: created completely or not at all, checked before use, and copied while in use."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import create_engine
from sqlalchemy.pool import NullPool

from curation.errors import ReadOnlyError, StoreError
from curation.store import migrations

_seen: set[str] = (
    set()
)  # stores this process has opened; if one goes missing, it is not created again


@dataclass(frozen=True)
class StoreFile:
    """Which store a file holds, and how it can be read."""

    identity: str
    version: int
    readable_in_place: bool


def remember(path: Path) -> None:
    """Remember that a store was here, so that it is never silently created again."""
    _seen.add(str(path))


def create_if_new(path: Path) -> None:
    """Create an empty store, unless one exists or is known to have existed.

    It is written under another name and then linked into place. So a crash leaves no incomplete
    store, and if two processes start at once, both use the same file.
    """
    if path.exists():
        return
    leftovers = path.with_name(path.name + "-wal").exists()
    if str(path) in _seen or leftovers:
        sign = "its -wal file is still there" if leftovers else "it was there before"
        raise StoreError(
            f"{path} is missing, although {sign}. No new store was created in its place.",
            f"Put the file back, or restore a backup with `curate restore BACKUP {path}`.",
        )
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=".new-", suffix=".db", dir=path.parent)
    except OSError as error:
        raise ReadOnlyError(
            f"Decisions cannot be kept in {path.parent}: it cannot be written ({error.strerror}).",
            "Make it writable, or choose another place with --store.",
        ) from error
    os.close(handle)
    try:
        _fill(Path(name))
        _link(Path(name), path)
    finally:
        os.unlink(name)
    sync_folder(path.parent)


def _fill(path: Path) -> None:
    """Create the tables in a file that nobody else uses yet, and sync it once at the end."""
    engine = create_engine(f"sqlite:///{path}", poolclass=NullPool)
    with engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA synchronous=OFF")
        migrations.create(connection)
        connection.commit()
        connection.exec_driver_sql("PRAGMA journal_mode=WAL")
    engine.dispose()
    sync_file(path)


def _link(made: Path, path: Path) -> None:
    try:
        os.link(made, path)
    except FileExistsError:
        pass
    except OSError:  # a file system without hard links
        if not path.exists():
            with made.open("rb") as source, path.open("xb") as target:
                target.write(source.read())
                os.fsync(target.fileno())


def inspect(path: Path) -> StoreFile:
    """Return which store a file holds, without changing it; refuse a damaged or foreign file.

    Only SQLite opens the file: closing it from Python would drop all locks that this process holds
    on it, and another program could then overwrite what is being written here.
    """
    if path.stat().st_size == 0:
        raise damaged_error(path, "is empty (zero bytes)")
    try:
        return _inspect_in_place(path)
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF not in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY):
            raise damaged_error(path, str(error)) from error
        return _inspect_copy(path)
    except sqlite3.DatabaseError as error:
        foreign = getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_NOTADB
        raise damaged_error(path, "is not a database" if foreign else str(error)) from error


def _inspect_in_place(path: Path, readable_in_place: bool = True) -> StoreFile:
    with contextlib.closing(open_existing(path, "ro")) as connection:
        check = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        if check != "ok":
            raise damaged_error(path, check)
        names = {row[0] for row in connection.execute("SELECT name FROM sqlite_master")}
        if not {"meta", "log"} <= names:
            raise damaged_error(path, "is a database of another program")
        meta = dict(connection.execute("SELECT key, value FROM meta").fetchall())
    migrations.check_version(int(meta["schema"]), str(path))
    return StoreFile(meta["uuid"], int(meta["schema"]), readable_in_place)


def _inspect_copy(path: Path) -> StoreFile:
    """Inspect a store in a folder where SQLite cannot create the files it needs for reading."""
    with tempfile.TemporaryDirectory() as folder:
        for suffix in ("", "-wal"):
            source = path.with_name(path.name + suffix)
            if source.exists():
                Path(folder, source.name).write_bytes(source.read_bytes())
        return _inspect_in_place(Path(folder, path.name), readable_in_place=False)


def open_existing(path: Path, mode: str) -> sqlite3.Connection:
    """Open a database that must exist."""
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode={mode}", uri=True)


def copy_database(source: Path, target: Path) -> None:
    """Copy a store that may be in use with SQLite's backup API, and check the copy.

    Copying the file would miss what is still in the -wal file.
    """
    handle, name = tempfile.mkstemp(prefix=".copy-", dir=target.parent)
    os.close(handle)
    _copy_by_way_of(Path(name), source, target)


def keep_copy(path: Path, version: int) -> Path:
    """Copy a store that is about to be upgraded, and return the copy's path.

    The caller has locked the store, so the unfinished copy can have a fixed name: what a killed
    upgrade leaves behind is removed by the next.
    """
    unfinished = path.with_name(f".{path.name}.unfinished-copy")
    for suffix in ("", "-journal", "-wal", "-shm"):
        unfinished.with_name(unfinished.name + suffix).unlink(missing_ok=True)
    kept = timestamped_path(path, f"schema{version}")
    _copy_by_way_of(unfinished, path, kept)
    return kept


def _copy_by_way_of(unfinished: Path, source: Path, target: Path) -> None:
    try:
        with (
            contextlib.closing(open_existing(source, "ro")) as old,
            contextlib.closing(sqlite3.connect(unfinished)) as new,
        ):
            old.backup(new)
            new.execute("PRAGMA journal_mode=DELETE")  # one file, readable from read-only media
            check = new.execute("PRAGMA integrity_check(1)").fetchone()[0]
            if check != "ok":
                raise damaged_error(source, check)
        sync_file(unfinished)
        os.replace(unfinished, target)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise
    sync_folder(target.parent)


def count_entries(file: Path) -> int:
    """Return how many entries the log of a store holds."""
    with contextlib.closing(open_existing(file, "ro")) as connection:
        return int(connection.execute("SELECT count(*) FROM log").fetchone()[0])


def timestamped_path(path: Path, reason: str) -> Path:
    """Return a free path in the same folder, named after why and when a file was kept."""
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%fZ")
    return path.with_name(f"{path.name}.{reason}-{stamp}")


def sync_file(path: Path) -> None:
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Sync a folder, so that a rename survives a crash; not every system can."""
    with contextlib.suppress(OSError, AttributeError):
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def damaged_error(path: Path, what: str) -> StoreError:
    """Return the error for a file that cannot be trusted."""
    return StoreError(
        f"{path} cannot be used as a decision store: {what}. It was not changed.",
        f"Restore a backup with `curate restore BACKUP {path}`. It keeps this file under another "
        "name.",
    )
