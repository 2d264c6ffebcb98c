"""Runs that finish at once leave one whole folder of findings, that of the last."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from curation.analysis.cluster import cluster_run
from curation.analysis.cluster.cluster_run import Settings, publish
from curation.analysis.cluster.findings_folder import WrittenFindings, name_part, open_findings
from curation.errors import InputError
from curation.fingerprint import hash_bytes

SETTINGS = Settings("mean", "likeliest")


def finish_run(parent: Path, number: int) -> WrittenFindings:
    """Return the results of a run that have not been published; its number is in the counts."""
    folder = parent / f"unfinished-run-{number}"
    folder.mkdir(parents=True)
    path = folder / name_part(0)
    pq.write_table(pa.table({"row": [0, 1]}), path)
    data = path.read_bytes()
    part = {"name": path.name, "rows": 2, "bytes": len(data), "sha256": hash_bytes([data])}
    joint = np.array([[number, 0], [0, 1]])
    flagged = {"confident_joint": number}
    return WrittenFindings(
        folder, ("a", "b"), 2, "mean", np.array([0.5, 0.5]), joint, joint, flagged, [part]
    )


def number_of(found: WrittenFindings) -> int:
    assert next(found.tables())["row"].to_pylist() == [0, 1]
    return int(found.confident_joint[0, 0])


def test_a_later_run_replaces_the_results_of_an_earlier_one(tmp_path):
    for number in (1, 2):
        assert number_of(publish(finish_run(tmp_path, number), SETTINGS, tmp_path / "out")) == (
            number
        )
    assert number_of(open_findings(tmp_path / "out")) == 2
    assert os.listdir(tmp_path) == ["out"]


def test_results_that_appear_while_others_are_moved_are_replaced(tmp_path, monkeypatch):
    target, other = tmp_path / "out", finish_run(tmp_path, 7)
    publish(finish_run(tmp_path, 1), SETTINGS, target)
    mine, rename, between = finish_run(tmp_path, 2), os.rename, []

    def rename_after_another(old, new):
        if Path(new) == target and not between:
            between.append(new)
            rename(target.with_name("unfinished-run-7"), target)
        rename(old, new)

    cluster_run.shard_tasks.remove_work(other.folder)
    cluster_run.write_summary(other.folder, other, "likeliest")
    monkeypatch.setattr(os, "rename", rename_after_another)
    assert number_of(publish(mine, SETTINGS, target)) == 2
    assert between and os.listdir(tmp_path) == ["out"]


def test_many_runs_at_once_leave_the_whole_results_of_one(tmp_path):
    runs = [finish_run(tmp_path, number) for number in range(1, 25)]
    with ThreadPoolExecutor(12) as pool:
        found = list(pool.map(lambda run: publish(run, SETTINGS, tmp_path / "out"), runs))
    assert {each.folder for each in found} == {tmp_path / "out"}
    assert number_of(open_findings(tmp_path / "out")) in range(1, 25)
    assert os.listdir(tmp_path) == ["out"]


def test_a_run_that_never_gets_its_turn_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr(cluster_run, "MOVES", 0)
    with pytest.raises(InputError, match="other runs kept writing to .*out"):
        publish(finish_run(tmp_path, 1), SETTINGS, tmp_path / "out")
