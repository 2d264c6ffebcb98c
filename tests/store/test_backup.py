"""Copies made while people work, and put back without losing what was there."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from curation.cli import main
from curation.cli.check import BLOCKED
from curation.errors import StoreError
from curation.store import Store, backup, sqlite_files
from devtools.store_dataset import StoreDataset, make_dataset

Opener = Callable[..., Store]


@pytest.mark.fault(80, "HOLDS")
def test_a_backup_while_twenty_threads_write_holds_everything_acknowledged_before(
    tmp_path: Path, opened: Opener
) -> None:
    dataset = make_dataset(tmp_path, 4000)
    store = opened(dataset, tmp_path / "live.db")
    stop, acknowledged = threading.Event(), []

    def work(first: int) -> None:
        for k in range(first, 4000, 20):
            if stop.is_set():
                return
            acknowledged.append(store.decide(f"e{k}", "keep", curator=f"c{first}").op_id)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(20)]
    for thread in threads:
        thread.start()
    while len(acknowledged) < 100:
        stop.wait(0.001)
    before = set(acknowledged)
    backup.back_up(tmp_path / "live.db", tmp_path / "copy.db")
    stop.set()
    for thread in threads:
        thread.join()
    copy = opened(dataset, tmp_path / "copy.db")
    assert before <= {entry.op_id for entry in copy.log()}
    assert copy.log() == store.log()[: len(copy.log())]


def test_commands_back_up_and_restore(
    dataset: StoreDataset, opened: Opener, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = opened(dataset)
    store.decide("e0", "keep", curator="ana")
    kept = tmp_path / "kept.db"
    assert main(["backup", str(dataset.root), "--out", str(kept)]) == 0
    assert capsys.readouterr().out == f"{kept}: 1 log entries, checked.\n"
    store.decide("e1", "keep", curator="ana")
    now = store.log()
    store.close()
    assert main(["restore", str(kept), str(dataset.root)]) == BLOCKED
    said = capsys.readouterr().err
    assert "already holds decisions. Nothing was changed." in said and "--force" in said
    assert main(["restore", str(kept), str(dataset.root), "--force"]) == 0
    aside = (
        capsys.readouterr()
        .out.removeprefix("Restored. The earlier decisions are kept as ")
        .rstrip(".\n")
    )
    restored = opened(dataset)
    assert restored.log() == now[:1] and restored.backend.identity == store.backend.identity
    assert opened(dataset, aside).log() == now
    assert main(["backup", str(dataset.root), "--out", str(kept)]) == BLOCKED
    assert "already exists. Nothing was changed." in capsys.readouterr().err


def test_restoring_over_a_damaged_store_keeps_the_damaged_file(
    dataset: StoreDataset, opened: Opener, tmp_path: Path
) -> None:
    store = opened(dataset)
    store.decide("e0", "keep", curator="ana")
    backup.back_up(dataset.root, tmp_path / "kept.db")
    store.close()
    path = dataset.root / ".curation" / "decisions.db"
    path.write_bytes(b"ruined")
    Path(f"{path}-wal").write_bytes(b"old")
    aside = backup.restore(tmp_path / "kept.db", dataset.root, force=True)
    assert aside is not None and aside.read_bytes() == b"ruined"
    assert Path(f"{aside}-wal").read_bytes() == b"old" and not Path(f"{path}-wal").exists()
    assert len(opened(dataset).current()) == 1


def test_a_backup_can_be_restored_on_a_new_machine(
    dataset: StoreDataset, opened: Opener, tmp_path: Path
) -> None:
    store = opened(dataset)
    store.decide("e0", "keep", curator="ana")
    backup.back_up(dataset.root, tmp_path / "kept.db")
    new = make_dataset(tmp_path / "elsewhere")
    new.root.mkdir()
    assert backup.restore(tmp_path / "kept.db", new.root) is None
    assert opened(new).log() == store.log()


def test_a_running_store_stops_writing_once_another_is_restored_over_it(
    dataset: StoreDataset, opened: Opener, tmp_path: Path
) -> None:
    store = opened(dataset)
    store.decide("e0", "keep", curator="ana")
    backup.back_up(dataset.root, tmp_path / "kept.db")
    backup.restore(tmp_path / "kept.db", dataset.root, force=True)
    with pytest.raises(StoreError, match="NOT saved: .* was replaced by another file"):
        store.decide("e1", "keep", curator="ana")


def test_commands_say_what_is_missing(
    dataset: StoreDataset, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ruined = tmp_path / "ruined.db"
    ruined.write_bytes(b"not a backup")
    for arguments, words in (
        (["backup", str(dataset.root), "--out", "x.db"], "has no decisions to back up"),
        (["backup", "--out", "x.db"], "It is unclear which decisions are meant."),
        (["restore", "nothing.db", str(dataset.root)], "There is no file nothing.db."),
        (
            ["restore", str(ruined), str(dataset.root)],
            "is neither a store of decisions nor a backup of one",
        ),
        (["restore", str(ruined)], "Pass either a path or --store URL."),
    ):
        assert main(arguments) == BLOCKED
        assert words in capsys.readouterr().err
    assert not (dataset.root / ".curation").exists()


def test_a_store_is_not_restored_from_itself(tmp_path: Path, opened: Opener) -> None:
    dataset = make_dataset(tmp_path, 8)
    with opened(dataset, tmp_path / "live.db") as store:
        store.decide("e1", "keep", curator="ana")
    (tmp_path / "link.db").symlink_to(tmp_path / "live.db")
    for same in ("live.db", "link.db"):
        with pytest.raises(StoreError, match="is the store itself. Nothing was changed"):
            backup.restore(tmp_path / same, tmp_path / "live.db", force=True)
    assert sqlite_files.count_entries(tmp_path / "live.db") == 1


def test_a_backup_that_cannot_be_copied_leaves_the_store_in_its_place(
    tmp_path: Path, opened: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    dataset = make_dataset(tmp_path, 8)
    with opened(dataset, tmp_path / "live.db") as store:
        backup.back_up(tmp_path / "live.db", tmp_path / "copy.db")
        store.decide("e1", "keep", curator="ana")

    def fail(*given: object) -> None:
        raise OSError("No space left on device")

    monkeypatch.setattr(sqlite_files, "sync_file", fail)
    with pytest.raises(OSError, match="No space left"):
        backup.restore(tmp_path / "copy.db", tmp_path / "live.db", force=True)
    assert sqlite_files.count_entries(tmp_path / "live.db") == 1
    assert not [path for path in tmp_path.iterdir() if "re" in path.name]  # restoring, replaced


def test_a_failed_copy_leaves_nothing_behind(
    dataset: StoreDataset, opened: Opener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened(dataset, tmp_path / "a.db").decide("e0", "keep", curator="ana")

    def fail(path: Path) -> None:
        raise OSError("disk")

    monkeypatch.setattr(sqlite_files, "sync_file", fail)
    with pytest.raises(OSError, match="disk"):
        sqlite_files.copy_database(tmp_path / "a.db", tmp_path / "b.db")
    assert not [name for name in os.listdir(tmp_path) if name.startswith((".copy", "b.db"))]


def test_postgresql_is_backed_up_to_a_file_and_restored_from_it(
    dataset: StoreDataset, opened: Opener, tmp_path: Path, postgres: object
) -> None:
    source, target = postgres.make_home(), postgres.make_schema()  # type: ignore[attr-defined]
    store = opened(dataset, source)
    store.decide("e0", "relabel", label="dog", curator="ana")
    store.undo(curator="ana")
    kept = tmp_path / "kept.db"
    assert main(["backup", "--store", source, "--out", str(kept)]) == 0
    assert sqlite_files.count_entries(kept) == 2
    assert opened(dataset, kept).log() == store.log()
    assert main(["restore", str(kept), "--store", target]) == 0
    copy = opened(dataset, target)
    assert copy.log() == store.log() and copy.backend.identity == store.backend.identity
    assert copy.redo(curator="ana") is not None
    assert main(["restore", str(kept), "--store", target]) == BLOCKED


def test_restore_never_overwrites_an_input_file(
    local_store: Store, dataset: StoreDataset, tmp_path: Path
) -> None:
    local_store.decide("e0", "keep", curator="ana")
    backup.back_up(tmp_path / "local.db", tmp_path / "copy.db")
    labels = dataset.root / "labels.csv"
    labels.write_text("id,label\ne0,cat\n")
    for force in (False, True):
        with pytest.raises(StoreError, match="is neither a store of decisions nor a backup of one"):
            backup.restore(tmp_path / "copy.db", labels, force=force)
    assert labels.read_text() == "id,label\ne0,cat\n"
