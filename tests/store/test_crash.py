"""A writer that is killed, and a write-ahead log that is cut: nothing acknowledged is lost."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from curation.store import Store, sqlite_files
from devtools.store_dataset import StoreDataset, make_dataset
from tests.repetitions import repeat
from tests.store.child_process import ROOT

FRAME = 24 + 4096  # header and page, in a -wal file that starts with 32 bytes


@pytest.mark.fault(66, "HOLDS")
def test_kills_at_random_moments_lose_and_duplicate_nothing() -> None:
    done = subprocess.run(
        [sys.executable, "benchmarks/crash.py", "--kills", str(repeat(10, 500)), "--seed", "66"],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "lost 0, doubled 0, gaps 0, rebuilt 0" in done.stdout


@pytest.mark.fault(67, "HOLDS")
def test_a_truncated_write_ahead_log_gives_a_prefix_of_the_history(
    tmp_path: Path, opened: Callable[..., Store]
) -> None:
    dataset = make_dataset(tmp_path, 60)
    store = opened(dataset, tmp_path / "whole.db")
    for k in range(30):
        store.decide(f"e{k}", "keep", curator="ana")
        if k % 7 == 0:
            store.undo(curator="ana")
    truth = store.log()
    size = Path(f"{tmp_path}/whole.db-wal").stat().st_size
    shutil.copyfile(tmp_path / "whole.db", tmp_path / "cut.db")
    whole = Path(f"{tmp_path}/whole.db-wal").read_bytes()
    rng, lengths = random.Random(67), set()
    cuts = [*range(32, size + 1, FRAME), *(rng.randrange(size) for _ in range(repeat(200, 1000)))]
    for cut in cuts:
        Path(f"{tmp_path}/cut.db-wal").write_bytes(whole[:cut])
        with contextlib.closing(sqlite_files.open_existing(tmp_path / "cut.db", "ro")) as reader:
            assert reader.execute("PRAGMA quick_check").fetchone() == ("ok",)
            seqs = [row[0] for row in reader.execute("SELECT seq FROM log ORDER BY seq")]
        assert seqs == list(range(1, len(seqs) + 1))
        lengths.add(len(seqs))
    assert lengths == set(range(len(truth) + 1)), "each commit is a point to come back to"
    _open_a_few(tmp_path, whole, rng.sample(cuts, 8), truth, dataset, opened)


def _open_a_few(
    folder: Path,
    whole: bytes,
    cuts: list[int],
    truth: list[object],
    dataset: StoreDataset,
    opened: Callable[..., Store],
) -> None:
    for number, cut in enumerate(cuts):
        path = folder / f"cut{number}.db"
        shutil.copyfile(folder / "cut.db", path)
        Path(f"{path}-wal").write_bytes(whole[:cut])
        store = opened(dataset, path)
        there = store.log()
        assert there == truth[: len(there)]
        assert not any("agree" in notice for notice in store.notices)
        store.decide("e50", "keep", curator="bo")
        assert store.log()[:-1] == there
        store.close()
