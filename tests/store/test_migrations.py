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
from sqlalchemy.exc import DBAPIError

from curation.errors import StoreError
from curation.store import Store, migrations, open_store, postgres, sqlite_files
from devtools.store_dataset import StoreDataset, make_dataset
from tests.repetitions import repeat

Opener = Callable[..., Store]
RELEASED = Path(__file__).parent / "released"  # stores as released versions wrote them
NOW = migrations.HEAD


def add_column(connection: Connection) -> None:
    """Note when a dataset was seen."""
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
    if url.startswith("postgresql"):
        postgres.upgrade(url)
    again = opened(dataset, url)
    assert [entry.action for entry in again.log()] == ["keep"]
    with again.backend.read() as connection:
        assert migrations.read_meta(connection)["schema"] == str(head)
        assert connection.execute(text("SELECT seen FROM datasets")).all() == [(None,)]
    if url.startswith("sqlite"):
        (kept,) = tmp_path.glob(f"decisions.db.schema{NOW}-*")
        with contextlib.closing(sqlite_files.open_existing(kept, "ro")) as copy:
            found = copy.execute("SELECT value FROM meta WHERE key = 'schema'").fetchone()
        assert found == (str(NOW),), "kept as it was before"


@pytest.mark.fault(79, "HOLDS")
def test_a_store_of_the_first_release_is_upgraded(
    dataset: StoreDataset, opened: Opener, tmp_path: Path
) -> None:
    path = tmp_path / "old.db"
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.executescript((RELEASED / "schema1.sql").read_text(encoding="utf-8"))
    store = opened(dataset, path)
    assert [entry.op_id for entry in store.log()] == ["op-1", "op-2", "op-3", "op-4"]
    assert [each.example_id for each in store.current()] == ["e0"] and not store.misfits()
    drawn = store.draw_audit({"seed": 7}, curator="ana")
    assert store.audits() == [drawn]
    with pytest.raises(DBAPIError, match="append-only"), store.backend.writer.begin() as connection:
        connection.execute(text("DELETE FROM log"))


def test_a_first_release_on_a_server_is_upgraded(
    dataset: StoreDataset, opened: Opener, request: pytest.FixtureRequest
) -> None:
    url = request.getfixturevalue("postgres").make_home()
    store = opened(dataset, url)
    store.decide("e0", "keep", curator="ana")
    with store.backend.writer.begin() as connection:  # as schema 1 was: without plans
        connection.execute(text("ALTER TABLE log DROP COLUMN plan"))
        connection.execute(text("DROP TABLE claims"))
        connection.execute(text("UPDATE meta SET value = '1' WHERE key = 'schema'"))
    store.close()
    with pytest.raises(StoreError) as error:
        open_store(dataset, url)
    assert "has an older schema (1; this program needs 3). It was not changed." in str(error.value)
    assert f"then run: curate store upgrade --store '{url.partition('?')[0]}" in error.value.remedy
    postgres.upgrade(url)
    again = opened(dataset, url)
    drawn = again.draw_audit({"seed": 7}, curator="ana")
    assert [entry.seq for entry in again.log()] == [1, 2] and again.audits() == [drawn]


@pytest.mark.fault(
    79,
    "BLOCK",
    says="… was written by a newer version of this program (schema 9; this one knows up to "
    "3). It was not changed. Update the program: pip install --upgrade "
    "confident-curation.",
)
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
    assert f"newer version of this program (schema 9; this one knows up to {NOW})" in str(
        error.value
    )
    assert "It was not changed." in error.value.problem
    assert "pip install --upgrade" in error.value.remedy
    assert (path.read_bytes() if path.exists() else b"") == before


@pytest.mark.fault(79, "HOLDS")
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

    monkeypatch.setattr(migrations, "HEAD", NOW + 1)
    monkeypatch.setitem(migrations.MIGRATIONS, NOW, slowly)
    rng, versions = random.Random(79), set()
    for round_ in range(repeat(8, 50)):
        path = tmp_path / f"round{round_}.db"
        sqlite_files.copy_database(tmp_path / "old.db", path)
        open_and_kill(dataset, path, after=rng.uniform(0, 0.12))
        with sqlite3.connect(path) as connection:
            names = {row[0] for row in connection.execute("SELECT name FROM sqlite_master")}
            version = sqlite_files.inspect(path).version
        connection.close()
        versions.add(version)
        assert ("filler0" in names) == ("filler39" in names) == (version == NOW + 1)
        assert opened(dataset, path).log() == truth
    assert versions <= {NOW, NOW + 1}


def open_and_kill(dataset: StoreDataset, path: Path, *, after: float) -> None:
    """Open a store in another process, which is killed after some seconds."""
    child = os.fork()
    if child == 0:
        open_store(dataset, path)
        signal.pause()
    time.sleep(after)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def write_released(release: Path, path: Path, count: int) -> None:
    """Write a store as a release wrote it, with this many decisions more."""
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(release.read_text(encoding="utf-8"))
        columns = [row[1] for row in connection.execute("PRAGMA table_info(log)")]
        sample = dict(zip(columns, connection.execute("SELECT * FROM log").fetchone(), strict=True))
        rows = [
            sample | {"seq": 5 + k, "op_id": f"more-{k}", "example_id": f"e{6 + k}"}
            for k in range(count)
        ]
        values = ", ".join(f":{name}" for name in columns)
        connection.executemany(f"INSERT INTO log VALUES ({values})", rows)
        for table, values in (
            ("units", ":op_id, :seq, 1, 'ana', 'active'"),
            ("examples", ":example_id, :seq, :seq, NULL, 0"),
            ("words", ":example_id, 'ana', :seq"),
        ):
            connection.executemany(f"INSERT INTO {table} VALUES ({values})", rows)


def read_log(path: Path) -> list[tuple[int, str, str]]:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        return connection.execute("SELECT seq, op_id, example_id FROM log ORDER BY seq").fetchall()


def test_every_older_schema_has_a_store_as_its_release_wrote_it() -> None:
    assert {path.name for path in RELEASED.iterdir()} == {f"schema{v}.sql" for v in range(1, NOW)}


@pytest.mark.fault(79, "HOLDS")
@pytest.mark.parametrize("release", sorted(RELEASED.iterdir()), ids=lambda path: path.stem)
def test_a_released_store_survives_kills_while_it_is_upgraded(
    opened: Opener, tmp_path: Path, release: Path
) -> None:
    count = repeat(500, 100_000)
    dataset = make_dataset(tmp_path, count + 6)
    write_released(release, tmp_path / "old.db", count)
    truth = read_log(tmp_path / "old.db")
    assert len(truth) == count + 4
    sqlite_files.copy_database(tmp_path / "old.db", tmp_path / "timed.db")
    start = time.perf_counter()
    store = opened(dataset, tmp_path / "timed.db")
    duration = time.perf_counter() - start
    assert not any("rebuilt" in notice for notice in store.notices), store.notices
    store.close()
    rng = random.Random(79)
    for round_ in range(repeat(5, 50)):
        path = tmp_path / f"round{round_}.db"
        sqlite_files.copy_database(tmp_path / "old.db", path)
        open_and_kill(dataset, path, after=rng.uniform(0, duration))
        assert read_log(path) == truth
        again = opened(dataset, path)
        assert [(each.seq, each.op_id, each.example_id) for each in again.log()] == truth
        assert not any("rebuilt" in notice for notice in again.notices)
        again.close()
        kept = sorted(tmp_path.glob(f"{path.name}.schema*"))
        assert kept and read_log(kept[0]) == truth, "a copy was made before the upgrade"
        assert not list(tmp_path.glob(".*")), "nothing unfinished is left behind"
        for leftover in tmp_path.glob(f"{path.name}*"):
            leftover.unlink()
