"""Schemas older and newer than ours."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import Connection, text

from curation.errors import StoreError
from curation.store import Store, migrations, open_store, sqlite_files
from devtools.store_dataset import StoreDataset

Opener = Callable[..., Store]


def add_column(connection: Connection) -> None:
    connection.execute(text("ALTER TABLE datasets ADD COLUMN seen TEXT"))


@pytest.fixture
def next_version(monkeypatch: pytest.MonkeyPatch) -> int:
    """A program one schema ahead of the stores it meets."""
    monkeypatch.setattr(migrations, "HEAD", migrations.HEAD + 1)
    monkeypatch.setitem(migrations.MIGRATIONS, migrations.HEAD - 1, add_column)
    return migrations.HEAD


def test_an_older_store_is_upgraded(
    dataset: StoreDataset, url: str, opened: Opener, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    store = opened(dataset, url)
    store.decide("e0", "keep", curator="ana")
    store.close()
    head = request.getfixturevalue("next_version")
    again = opened(dataset, url)
    assert [entry.action for entry in again.log()] == ["keep"]
    with again.backend.read() as connection:
        assert migrations.read_meta(connection)["schema"] == str(head)
        assert connection.execute(text("SELECT seen FROM datasets")).all() == [(None,)]
    if url.startswith("sqlite"):
        (kept,) = tmp_path.glob("decisions.db.schema1-*")
        with contextlib.closing(sqlite_files.open_existing(kept, "ro")) as copy:
            found = copy.execute("SELECT value FROM meta WHERE key = 'schema'").fetchone()
        assert found == ("1",), "kept as it was before"


def test_a_newer_store_is_refused_and_unchanged(
    dataset: StoreDataset, url: str, opened: Opener, tmp_path: Path
) -> None:
    store = opened(dataset, url)
    with store.backend.writer.begin() as connection:
        connection.execute(text("UPDATE meta SET value = '9' WHERE key = 'schema'"))
    store.close()
    path = tmp_path / "decisions.db"
    before = path.read_bytes() if path.exists() else b""
    with pytest.raises(StoreError) as error:
        open_store(dataset, url)
    assert "newer version of this program (schema 9; this one knows up to 1)" in str(error.value)
    assert "It was not changed." in error.value.problem
    assert "pip install --upgrade" in error.value.remedy
    assert (path.read_bytes() if path.exists() else b"") == before


def test_a_killed_migration_leaves_the_old_or_the_new_version(
    dataset: StoreDataset, opened: Opener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = opened(dataset, tmp_path / "old.db")
    store.decide("e0", "keep", curator="ana")
    truth = store.log()
    store.close()

    def slowly(connection: Connection) -> None:
        add_column(connection)
        for k in range(40):
            connection.execute(text(f"CREATE TABLE filler{k} (x)"))
            time.sleep(0.001)

    monkeypatch.setattr(migrations, "HEAD", 2)
    monkeypatch.setitem(migrations.MIGRATIONS, 1, slowly)
    rng, versions = random.Random(79), set()
    for round_ in range(8):
        path = tmp_path / f"round{round_}.db"
        sqlite_files.copy_database(tmp_path / "old.db", path)
        child = os.fork()
        if child == 0:
            open_store(dataset, path)
            signal.pause()
        time.sleep(rng.uniform(0, 0.12))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        with sqlite3.connect(path) as connection:
            names = {row[0] for row in connection.execute("SELECT name FROM sqlite_master")}
            version = sqlite_files.inspect(path).version
        connection.close()
        versions.add(version)
        assert ("filler0" in names) == ("filler39" in names) == (version == 2)
        assert opened(dataset, path).log() == truth
    assert versions <= {1, 2}
