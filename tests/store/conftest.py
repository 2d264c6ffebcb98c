"""A small dataset, and a throw-away PostgreSQL server for the tests that need one."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from curation.store import Store, open_store
from curation.store import postgres as postgres_tables
from devtools.store_dataset import StoreDataset, make_dataset

pg_required = os.environ.get("CI") == "true"


def _find_postgres() -> Path | None:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    on_path = shutil.which("initdb")
    return found[-1].parent if found else Path(on_path).parent if on_path else None


def _run_as(folder: Path) -> dict[str, object]:
    """PostgreSQL refuses to run as root: give it a user that is not."""
    if os.geteuid() != 0:
        return {}
    shutil.chown(folder, "postgres", "postgres")
    return {"user": "postgres", "group": "postgres", "extra_groups": []}


class Server:
    """A private PostgreSQL cluster on a socket in a temporary folder."""

    def __init__(self, bin_: Path, folder: Path) -> None:
        self.bin, self.folder = bin_, folder
        self.who = _run_as(folder)
        self._call("initdb", "-D", "data", "-U", "test", "-A", "trust", "-E", "UTF8", "--no-sync")
        self.start()

    def _call(self, name: str, *arguments: str) -> None:
        command = [str(self.bin / name), *arguments]
        subprocess.run(
            command,
            cwd=self.folder,
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            **self.who,  # type: ignore[call-overload]
        )

    def start(self) -> None:
        settings = f"-c listen_addresses= -k {self.folder} -c max_connections=80 -c fsync=off"
        self._call("pg_ctl", "-D", "data", "-w", "-l", "log", "-o", settings, "start")

    def stop(self, mode: str = "immediate") -> None:
        self._call("pg_ctl", "-D", "data", "-w", "-m", mode, "stop")

    def make_home(self) -> str:
        """Return the address of a store without decisions."""
        url = self.make_schema()
        postgres_tables.upgrade(url)
        return url

    def make_schema(self) -> str:
        """Return the address of an empty schema, which is much cheaper than a database."""
        name = f"t{uuid.uuid4().hex}"
        self.ask(f"CREATE SCHEMA {name}")
        path = f"options=-csearch_path%3D{name}"
        return f"postgresql+psycopg://test@/postgres?host={self.folder}&{path}"

    def ask(self, statement: str) -> list[tuple[object, ...]]:
        """Run one statement as the superuser and return its rows."""
        import psycopg

        where = f"host={self.folder} user=test dbname=postgres"
        with psycopg.connect(where, autocommit=True) as connection:
            cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    bin_ = _find_postgres()
    if bin_ is None:
        if pg_required:
            pytest.fail("PostgreSQL is not installed, and CI has to test it")
        pytest.skip("PostgreSQL is not installed (apt-get install postgresql)")
    with tempfile.TemporaryDirectory(prefix="pg-", ignore_cleanup_errors=True) as folder:
        os.chmod(folder, 0o755)
        server = Server(bin_, Path(folder))
        try:
            yield server
        finally:
            server.stop()


@pytest.fixture
def dataset(tmp_path: Path) -> StoreDataset:
    root = tmp_path / "pets"
    root.mkdir()
    return make_dataset(root)


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty store, once for each database."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/decisions.db"
    server: Server = request.getfixturevalue("postgres")
    return server.make_home()


@pytest.fixture
def opened() -> Iterator[Callable[..., Store]]:
    """A function that opens stores, all closed in the end."""
    stores: list[Store] = []

    def open_one(*arguments: object, **options: object) -> Store:
        stores.append(open_store(*arguments, **options))  # type: ignore[arg-type]
        return stores[-1]

    yield open_one
    for store in stores:
        store.close()


@pytest.fixture
def store(dataset: StoreDataset, url: str, opened: Callable[..., Store]) -> Store:
    return opened(dataset, url)


@pytest.fixture
def local_store(dataset: StoreDataset, tmp_path: Path, opened: Callable[..., Store]) -> Store:
    """A store in SQLite, for what does not depend on the database."""
    return opened(dataset, tmp_path / "local.db")


@pytest.fixture
def fill(dataset: StoreDataset, opened: Callable[..., Store]) -> Callable[..., Store]:
    """A function that opens a store at a path and makes a few decisions in it."""

    def fill_one(path: Path, count: int = 6) -> Store:
        store = opened(dataset, path)
        for k in range(count):
            store.decide(f"e{k}", "keep", curator="ana", note="words " * 50)
        return store

    return fill_one
