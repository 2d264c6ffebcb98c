"""Files that are no sound store: empty, of another program, or damaged."""

from __future__ import annotations

import contextlib
import os
import random
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from curation.errors import StoreError
from curation.store import Store
from devtools.store_dataset import StoreDataset

Opener = Callable[..., Store]


Filler = Callable[..., Store]


@pytest.mark.fault(
    75,
    "BLOCK",
    says="decisions.db cannot be used as a decision store: is …. It was not changed. "
    "Restore a backup with `curate restore BACKUP …`. It keeps this file under another "
    "name.",
)
@pytest.mark.parametrize(
    ("content", "words"),
    [(b"", "is empty (zero bytes)"), (b"id,label\n1,cat\n" * 99, "is not a database")],
)
def test_a_file_that_is_not_a_database_is_not_changed(
    dataset: StoreDataset, opened: Opener, tmp_path: Path, content: bytes, words: str
) -> None:
    path = tmp_path / "decisions.db"
    path.write_bytes(content)
    with pytest.raises(StoreError) as error:
        opened(dataset, path)
    assert words in error.value.problem and "It was not changed." in error.value.problem
    assert f"`curate restore BACKUP {path}`" in error.value.remedy
    assert path.read_bytes() == content and os.listdir(tmp_path) == ["decisions.db", "pets"]


def test_a_database_of_another_program_is_not_changed(
    dataset: StoreDataset, opened: Opener, tmp_path: Path
) -> None:
    path = tmp_path / "other.db"
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE recipes (name)")
    before = path.read_bytes()
    with pytest.raises(StoreError, match="is a database of another program"):
        opened(dataset, path)
    assert path.read_bytes() == before


@pytest.mark.fault(
    75,
    "BLOCK",
    says="cannot be used as a decision store: … It was not changed. Restore a backup with "
    "`curate restore BACKUP …`.",
)
def test_random_damage_is_either_noticed_or_harmless(
    dataset: StoreDataset, opened: Opener, fill: Filler, tmp_path: Path
) -> None:
    store = fill(tmp_path / "good.db")
    truth = store.log()
    store.close()
    good, rng, noticed = (tmp_path / "good.db").read_bytes(), random.Random(75), 0
    for round_ in range(25):
        path, damaged = tmp_path / f"bad{round_}.db", bytearray(good)
        page = rng.randrange(len(good) // 4096)
        damaged[4096 * page + 20 : 4096 * (page + 1)] = rng.randbytes(4076)
        path.write_bytes(damaged)
        try:
            again = opened(dataset, path)
            assert again.log() == truth
            again.close()
        except StoreError as error:
            noticed += 1
            assert "curate restore" in error.remedy
            assert path.read_bytes() == damaged, "the damaged file is evidence: not touched"
    assert noticed > 15


def test_a_store_damaged_while_open_is_not_written(
    dataset: StoreDataset, opened: Opener, fill: Filler, tmp_path: Path
) -> None:
    path = tmp_path / "decisions.db"
    store = fill(path)
    store.close()
    store = opened(dataset, path)
    with path.open("r+b") as file:  # same file, other bytes
        file.seek(4096)
        file.write(os.urandom(path.stat().st_size - 4096))
    with pytest.raises(StoreError, match="cannot be used as a decision store"):
        for k in range(6):
            store.decide(f"e{k}", "exclude", curator="bo")
