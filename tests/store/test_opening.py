"""Where a store is opened, what is said about that place, and which addresses are refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from curation.errors import ReadOnlyError, StoreError
from curation.store import Store, open_store, sqlite_files
from devtools.store_dataset import StoreDataset
from tests.fault_messages import Messages

Opener = Callable[..., Store]


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
        open_store(dataset, url)


def test_a_place_that_cannot_be_written_is_reported(dataset: StoreDataset, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(
        ReadOnlyError,
        match="Decisions cannot be kept in .*: it cannot be written .*another place with --store",
    ):
        open_store(dataset, tmp_path / "file" / "decisions.db")


def test_a_store_that_cannot_be_read_is_reported(
    dataset: StoreDataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("curation.store.sqlite_files.create_if_new", refuse)
    with pytest.raises(
        StoreError,
        match="cannot be opened: Permission denied. Allow reading it and the folders above it",
    ):
        open_store(dataset, tmp_path / "decisions.db")
