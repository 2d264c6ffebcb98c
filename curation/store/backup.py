"""Backups of a store, made while it is in use, and restored without losing the current store."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from sqlalchemy import Connection, insert, select

from curation.errors import StoreError
from curation.store import migrations, postgres, schema_upgrade, sqlite_files
from curation.store.backend import WAIT_SECONDS, Backend
from curation.store.entries import Entry
from curation.store.location import default_path
from curation.store.postgres import PostgresBackend
from curation.store.queries import read_log
from curation.store.schema import datasets
from curation.store.sqlite import SQLiteBackend
from curation.store.transactions import import_entries

STORE_FILE = "decisions.db"


def find_file(path: Path) -> Path:
    """Return the file of a store: the path itself, or the store of the dataset in that folder."""
    return default_path(path) if path.is_dir() else path


def back_up(source: Path, out: Path) -> int:
    """Copy the store at a path to a new file; return how many entries it holds."""
    file = find_file(source)
    if not file.exists():
        raise StoreError(
            f"{source} has no decisions to back up ({file} does not exist).",
            "Name the folder of the dataset, or the file with its decisions.",
        )
    _refuse_existing(out)
    _refuse_foreign(file)
    sqlite_files.inspect(file)
    sqlite_files.copy_database(file, out)
    return sqlite_files.count_entries(out)


def back_up_postgres(url: str, out: Path) -> int:
    """Copy a store in PostgreSQL to a new SQLite file; return how many entries it holds."""
    _refuse_existing(out)
    backend = PostgresBackend(url)
    try:
        with backend.read() as connection:
            entries, parts = read_log(connection), _read_datasets(connection)
    finally:
        backend.close()
    part = out.with_name(out.name + ".part")
    part.unlink(missing_ok=True)
    _fill(SQLiteBackend(part, WAIT_SECONDS), entries, parts, backend.identity)
    os.replace(part, out)
    sqlite_files.sync_folder(out.parent)
    return len(entries)


def restore(file: Path, target: Path, *, force: bool = False) -> Path | None:
    """Restore a backup; return the path at which the store it replaced is kept."""
    _refuse_foreign(file)
    sqlite_files.inspect(file)
    place = find_file(target)
    if place.exists():
        _refuse_foreign(place)
    if place.exists() and not force:
        raise StoreError(
            f"{place} already holds decisions. Nothing was changed.",
            "Use --force to replace them; a copy of the current ones is kept next to it.",
        )
    if place.exists() and place.samefile(file):
        raise StoreError(
            f"{file} is the store itself. Nothing was changed.",
            "Name a file made by `curate backup`.",
        )
    place.parent.mkdir(parents=True, exist_ok=True)
    draft = sqlite_files.timestamped_path(place, "restoring")
    sqlite_files.copy_database(file, draft)  # if it fails, the store is still in its place
    kept = _set_aside(place)
    os.replace(draft, place)
    sqlite_files.sync_folder(place.parent)
    return kept


def restore_postgres(file: Path, url: str) -> int:
    """Fill a PostgreSQL database without decisions from a backup; return how many entries."""
    sqlite_files.inspect(file)
    source = SQLiteBackend(file.resolve(), WAIT_SECONDS)
    try:
        with source.read() as connection:
            entries, parts = read_log(connection), _read_datasets(connection)
    finally:
        source.close()
    if schema_upgrade.plan_postgres(url).version is None:
        postgres.upgrade(url)
    _fill(PostgresBackend(url), entries, parts, source.identity)
    return len(entries)


def _fill(
    backend: Backend, entries: Sequence[Entry], parts: Sequence[dict[str, str]], identity: str
) -> None:
    def work(connection: Connection) -> None:
        import_entries(connection, entries)
        if parts:
            connection.execute(insert(datasets), parts)
        migrations.set_identity(connection, identity)

    try:
        backend.write(work)
    finally:
        backend.close()


def _read_datasets(connection: Connection) -> list[dict[str, str]]:
    return [dict(row) for row in connection.execute(select(datasets)).mappings()]


def _refuse_existing(out: Path) -> None:
    if out.exists():
        raise StoreError(f"{out} already exists. Nothing was changed.", "Name a new file.")
    if not out.absolute().parent.is_dir():
        raise StoreError(
            f"The folder of {out} does not exist.", "Create it, or name another folder."
        )


def _refuse_foreign(file: Path) -> None:
    """Refuse a file that is not a store, such as an input file of the dataset.

    A file with the name of a store is accepted, even if damaged: that is what backups are for.
    """
    if file.name == STORE_FILE:
        return
    try:
        sqlite_files.inspect(file)
    except (StoreError, OSError) as error:
        raise StoreError(
            f"{file} is neither a store of decisions nor a backup of one. Nothing was changed.",
            "Name the folder of the dataset, the file with its decisions, or a file made by "
            "`curate backup`.",
        ) from error


def _set_aside(place: Path) -> Path | None:
    """Rename a store and its -wal and -shm files, which would damage the store put in its place."""
    kept = sqlite_files.timestamped_path(place, "replaced")
    moved = False
    for suffix in ("-wal", "-shm", ""):
        old = place.with_name(place.name + suffix)
        if old.exists():
            os.rename(old, kept.with_name(kept.name + suffix))
            moved = True
    return kept if moved else None
