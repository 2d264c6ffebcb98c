"""`curate store upgrade`: for files and for PostgreSQL, and what an app may do without it."""

from __future__ import annotations

import contextlib
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from curation.cli import main
from curation.cli.check import BLOCKED
from curation.errors import NotSavedError, StoreError
from curation.store import Store, backup, derived_tables, migrations, open_store, sqlite_files
from curation.store import postgres as tables
from curation.store.schema import metadata
from devtools.store_dataset import StoreDataset
from tests.store.child_process import run_python

Opener = Callable[..., Store]
RELEASED = Path(__file__).parent / "released"
NOW = migrations.HEAD


@pytest.fixture
def empty(postgres: Any) -> str:
    """The address of a database without a store."""
    return str(postgres.make_schema())


@pytest.fixture
def old_file(tmp_path: Path) -> Path:
    path = tmp_path / "decisions.db"
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.executescript((RELEASED / "schema1.sql").read_text(encoding="utf-8"))
    return path


def make_older(url: str) -> None:
    """Make a PostgreSQL store what schema 2 was: without claims."""
    engine = tables.connect(tables.read_address(url), 5)
    with engine.begin() as connection:
        connection.execute(text("DROP TABLE claims"))
        connection.execute(text("UPDATE meta SET value = '2' WHERE key = 'schema'"))
    engine.dispose()


def upgrade(*arguments: object) -> int:
    return main(["store", "upgrade", *map(str, arguments)])


# ---- files


def test_a_file_is_shown_first_and_then_upgraded_after_a_copy(
    dataset: StoreDataset, old_file: Path, opened: Opener, capsys: pytest.CaptureFixture[str]
) -> None:
    before = old_file.read_bytes()
    assert upgrade(old_file, "--dry-run") == 0
    plan = capsys.readouterr().out
    assert plan.splitlines() == [
        f"{old_file} has schema 1 and 4 log entries.",
        "It will be upgraded:",
        "  2. Give the log a place for the plan of an audit.",
        "  3. Add a table of the examples that curators have in front of them.",
        "A copy of it will be kept in the same folder.",
    ]
    assert old_file.read_bytes() == before
    assert upgrade(old_file, "--yes") == 0
    (kept,) = old_file.parent.glob("decisions.db.schema1-*")
    assert capsys.readouterr().out == f"{plan}Done. The store as it was is kept as {kept}.\n"
    assert sqlite_files.inspect(kept).version == 1 and sqlite_files.inspect(old_file).version == NOW
    assert len(opened(dataset, old_file).log()) == 4


def test_a_file_that_is_up_to_date_is_left_alone(
    dataset: StoreDataset, local_store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    assert upgrade(local_store.backend.where) == 0
    assert "Nothing has to be done: that is the newest schema." in capsys.readouterr().out


def test_a_file_is_created_where_none_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "new.db"
    assert upgrade("--store", f"sqlite:///{path}", "--yes") == 0
    assert "holds no store yet. Its tables will be created." in capsys.readouterr().out
    assert sqlite_files.inspect(path).version == NOW


def test_nothing_is_changed_unless_somebody_confirms_it(
    old_file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert upgrade(old_file) == BLOCKED
    assert "Add --yes to do it without asking." in capsys.readouterr().err
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    for key in (EOFError, KeyboardInterrupt):  # Ctrl-D and Ctrl-C

        def leave(question: str, key: type[BaseException] = key) -> str:
            raise key

        monkeypatch.setattr("builtins.input", leave)
        assert upgrade(old_file) == 1
    monkeypatch.setattr("builtins.input", lambda question: "n")
    assert upgrade(old_file) == 1
    assert sqlite_files.inspect(old_file).version == 1
    monkeypatch.setattr("builtins.input", lambda question: "y")
    assert upgrade(old_file) == 0
    assert sqlite_files.inspect(old_file).version == NOW


@pytest.mark.fault(79, "HOLDS")
def test_what_a_killed_upgrade_left_behind_is_removed_by_the_next(old_file: Path) -> None:
    unfinished = old_file.with_name(".decisions.db.unfinished-copy")
    for suffix in ("", "-journal", "-wal", "-shm"):
        unfinished.with_name(unfinished.name + suffix).write_bytes(b"half of a page")
    assert upgrade(old_file, "--yes") == 0
    (kept,) = old_file.parent.glob("decisions.db.schema1-*")
    assert sqlite_files.inspect(kept).version == 1
    assert not list(old_file.parent.glob(".*"))


# ---- PostgreSQL


@pytest.mark.fault(
    79,
    "BLOCK",
    says="… holds no store of decisions yet. Create it, as a user who may create tables: curate "
    "store upgrade --store …",
)
def test_an_app_creates_no_tables_on_a_server(
    dataset: StoreDataset, empty: str, opened: Opener, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(StoreError, match="holds no store of decisions yet"):
        open_store(dataset, empty)
    assert upgrade("--store", empty, "--dry-run") == 0
    with pytest.raises(StoreError, match="holds no store of decisions yet"):
        open_store(dataset, empty)
    assert upgrade("--store", empty, "--yes") == 0
    assert "Its tables will be created." in capsys.readouterr().out
    opened(dataset, empty).decide("e0", "keep", curator="ana")
    assert upgrade("--store", empty, "--yes") == 0
    assert "has schema 3 and 1 log entries." in capsys.readouterr().out


@pytest.mark.fault(
    79,
    "BLOCK",
    says="… has an older schema (2; this program needs 3). It was not changed. Stop every "
    "dashboard that uses it, make a backup, then run: curate store upgrade --store …",
)
def test_an_older_database_is_refused_until_the_command_upgraded_it(
    dataset: StoreDataset, postgres: Any, opened: Opener, capsys: pytest.CaptureFixture[str]
) -> None:
    home = postgres.make_home()
    opened(dataset, home).decide("e0", "keep", curator="ana")
    make_older(home)
    with pytest.raises(StoreError):
        open_store(dataset, home)
    assert upgrade("--store", home, "--yes") == 0
    assert "Back it up first, with pg_dump" in capsys.readouterr().out
    assert len(opened(dataset, home).log()) == 1


def test_of_two_upgrades_at_once_one_waits_and_exactly_one_migrates(
    postgres: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, started, go_on = postgres.make_home(), threading.Event(), threading.Event()
    make_older(home)
    step, found, runs = migrations.MIGRATIONS[2], [], []

    def slowly(connection: Connection) -> None:
        runs.append("step")
        started.set()
        assert go_on.wait(30)
        step(connection)

    monkeypatch.setitem(migrations.MIGRATIONS, 2, slowly)
    threads = [
        threading.Thread(target=lambda: found.append(tables.upgrade(home))) for _ in range(2)
    ]
    threads[0].start()
    assert started.wait(30)
    threads[1].start()
    while not postgres.ask("SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"):
        started.wait(0.01)
    go_on.set()
    for thread in threads:
        thread.join()
    assert runs == ["step"] and sorted(found) == [2, 3]


def test_an_upgrade_that_fails_changes_nothing(
    dataset: StoreDataset, postgres: Any, monkeypatch: pytest.MonkeyPatch, opened: Opener
) -> None:
    home = postgres.make_home()
    make_older(home)
    step = migrations.MIGRATIONS[2]

    def breaks(connection: Connection) -> None:
        step(connection)
        raise KeyboardInterrupt

    monkeypatch.setitem(migrations.MIGRATIONS, 2, breaks)
    with pytest.raises(KeyboardInterrupt):
        tables.upgrade(home)
    monkeypatch.setitem(migrations.MIGRATIONS, 2, step)
    assert tables.upgrade(home) == 2, "the table and the number were rolled back together"
    opened(dataset, home).decide("e0", "keep", curator="ana")


def test_a_database_in_use_is_not_upgraded_and_says_so(postgres: Any) -> None:
    home = postgres.make_home()
    make_older(home)
    engine = tables.connect(tables.read_address(home), 5)
    with engine.begin() as connection:
        connection.execute(text(tables.LOCK_LOG))
        with pytest.raises(StoreError, match="was not upgraded: it is in use. Stop every dash"):
            tables.upgrade(home, wait_seconds=0.1)
    engine.dispose()
    assert tables.upgrade(home) == 2


@pytest.mark.fault(
    79,
    "BLOCK",
    says="NOT saved: the store was upgraded while it was open (to schema 9; this program knows up "
    "to 3). Update this program as well, and start it again:",
)
def test_an_app_that_was_open_during_an_upgrade_writes_nothing_more(store: Store) -> None:
    store.decide("e0", "keep", curator="ana")
    with store.backend.writer.begin() as connection:
        connection.execute(text("UPDATE meta SET value = '9' WHERE key = 'schema'"))
    with pytest.raises(NotSavedError, match="was upgraded while it was open"):
        store.decide("e1", "keep", curator="ana")
    with pytest.raises(NotSavedError, match="was upgraded while it was open"):
        store.undo(curator="ana")
    assert len(store.log()) == 1


# ---- rights


@pytest.fixture
def app_home(postgres: Any) -> str:
    """The address of a store for a role that may only use its tables."""
    home = postgres.make_schema()
    if not postgres.ask("SELECT 1 FROM pg_roles WHERE rolname = 'app'"):
        postgres.ask("CREATE ROLE app LOGIN")
    tables.upgrade(home, "app")
    return str(home.replace("//test@", "//app@"))


def test_an_app_works_with_a_role_that_may_only_use_the_tables(
    dataset: StoreDataset, app_home: str, opened: Opener, tmp_path: Path
) -> None:
    store = opened(dataset, app_home)
    store.decide("e0", "relabel", label="dog", curator="ana", op_id="first")
    store.decide("e0", "relabel", label="dog", curator="ana", op_id="first")
    store.undo(curator="ana")
    store.redo(curator="ana")
    store.decide_many([{"example_id": "e1", "action": "keep"}], curator="bo")
    store.resolve("e0", "keep", curator="lee")
    store.decide_classes("distinct", "cat", "dog", curator="lee")
    audit = store.draw_audit({"seed": 7}, curator="lee")
    store.close_audit(audit.op_id, curator="lee")
    log = store.log()
    assert len(log) == 8 and len(store.current()) == 2
    store.backend.write(derived_tables.rebuild)
    assert opened(dataset, app_home).log() == log
    assert backup.back_up_postgres(app_home, tmp_path / "copy.db") == 8


FORBIDDEN = (
    "CREATE TABLE more (x INT)",
    "DROP TABLE claims",
    "ALTER TABLE log ADD COLUMN more INT",
    "TRUNCATE log",
    "DELETE FROM log",
    "UPDATE log SET note = 'other'",
    "ALTER TABLE log DISABLE TRIGGER ALL",
    "UPDATE meta SET value = '1'",
    "DELETE FROM datasets",
)


def test_the_role_of_an_app_can_change_neither_tables_nor_the_log(
    dataset: StoreDataset, app_home: str, opened: Opener
) -> None:
    store = opened(dataset, app_home)
    store.decide("e0", "keep", curator="ana")
    for statement in FORBIDDEN:
        with pytest.raises(DBAPIError, match="permission denied|must be owner|append-only"):
            with store.backend.writer.begin() as connection:
                connection.execute(text(statement))
    assert len(store.log()) == 1


def test_a_role_without_rights_is_told_who_can_give_them(
    dataset: StoreDataset, postgres: Any, app_home: str
) -> None:
    other = postgres.make_home()
    schema = other.rpartition("%3D")[2]
    postgres.ask(f"GRANT USAGE ON SCHEMA {schema} TO app")
    with pytest.raises(StoreError) as error:
        open_store(dataset, other.replace("//test@", "//app@"))
    assert "does not allow 'app' what is needed (permission denied for table meta" in str(
        error.value
    )
    assert error.value.remedy.endswith("curate store upgrade --store ADDRESS --grant app")


def test_the_rights_name_every_table() -> None:
    assert tables.RIGHTS.keys() == metadata.tables.keys()


def test_a_role_that_does_not_exist_is_named(empty: str, dataset: StoreDataset) -> None:
    with pytest.raises(StoreError, match='role "nobody_here" does not exist'):
        tables.upgrade(empty, "nobody_here")
    with pytest.raises(StoreError, match="holds no store"):
        open_store(dataset, empty)


def test_a_grant_for_a_file_is_refused(old_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert upgrade(old_file, "--grant", "app", "--yes") == BLOCKED
    assert "--grant was given for a file." in capsys.readouterr().err
    assert sqlite_files.inspect(old_file).version == 1


def test_two_programs_that_open_an_old_file_at_once_upgrade_it_once(old_file: Path) -> None:
    code = (
        "import sys, threading; from pathlib import Path;"
        "from curation.store.schema_upgrade import upgrade_file;"
        "ts = [threading.Thread(target=upgrade_file, args=(Path(sys.argv[1]),)) for _ in '1234'];"
        "[t.start() for t in ts]; [t.join() for t in ts]"
    )
    run_python(code, old_file)
    assert sqlite_files.inspect(old_file).version == NOW
    assert len(list(old_file.parent.glob("decisions.db.schema1-*"))) == 1
