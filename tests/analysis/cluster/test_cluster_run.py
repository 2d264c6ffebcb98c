"""A real scheduler with workers in processes of their own gives what one machine gives."""

from __future__ import annotations

import shutil
import socket

import numpy as np
import pyarrow.parquet as pq
import pytest

import curation
from curation.analysis import saved_findings
from curation.analysis.cluster import cluster_run, engine, shards
from curation.analysis.saved_findings import reopen_findings
from curation.cli import main
from curation.loading.join import matrix_check
from devtools.dask_cluster import start_cluster
from tests.analysis.cluster.problems_in_shards import assert_same, make_problem, save_shards
from tests.saving import save_everything

pytestmark = pytest.mark.xdist_group("cluster")


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    with start_cluster(tmp_path_factory.mktemp("cluster"), workers=2) as running:
        yield running


@pytest.fixture
def home(tmp_path, monkeypatch):
    save_everything(tmp_path, monkeypatch)
    return tmp_path


@pytest.mark.parametrize(
    "settings", [{}, {"threshold": 90}, {"threshold": 50, "collisions": "confident"}]
)
def test_shards_give_the_counts_and_flags_of_one_machine(cluster, home, settings):
    labels, probs = make_problem(1, 900, 7)
    folder = save_shards(home / "shards", labels, probs, 5)
    written = curation.analyze(folder, cluster=cluster.address, **settings)
    assert_same(written, curation.analyze(labels, probs, **settings))


def test_result_is_the_same_if_a_worker_is_killed_in_the_middle(cluster, home):
    labels, probs = make_problem(2, 4000, 12, coarse=True)
    folder = save_shards(home / "shards", labels, probs, 12)
    third = cluster.add_worker()
    cluster.wait_for_workers(3)
    killed = []

    def kill_once(stage, share):
        if stage == "Counting the confident joint" and not killed:
            killed.append(share)
            cluster.kill(third)

    written = curation.analyze(folder, cluster=cluster.address, progress=kill_once)
    assert killed[0] < 0.6 and third.poll() is not None  # 0.6 is the end of counting
    assert_same(written, curation.analyze(labels, probs))


def test_dashboard_and_loading_open_the_folder_without_reading_the_shards(
    cluster, home, monkeypatch
):
    labels, probs = make_problem(3, 600, 5)
    folder = save_shards(home / "shards", labels, probs, 3)
    report = curation.load(folder).report
    shutil.rmtree(folder / ".curation")
    written = curation.analyze(folder, cluster=cluster.address)
    assert written.folder.parent == folder / ".curation" / "findings"
    monkeypatch.setattr(matrix_check, "survey_matrix", None)  # nothing is read through
    monkeypatch.setattr(saved_findings, "analyze", None)
    dataset = curation.load(folder)
    assert dataset.report == report
    found = reopen_findings(dataset)
    assert np.array_equal(found.issues(), curation.analyze(labels, probs).issues())
    np.save(folder / "probs-00001.npy", np.load(folder / "probs-00001.npy")[::-1])
    monkeypatch.undo()
    assert reopen_findings(curation.load(folder)) is None


def test_results_are_parquet_files_beside_the_shards_and_nothing_else_is_left(cluster, home):
    labels, probs = make_problem(4, 500, 4)
    folder = save_shards(home / "shards", labels, probs, 2)
    written = curation.analyze(folder, cluster=cluster.address)
    names = sorted(each.name for each in written.folder.iterdir())
    assert names == ["counts.npz", "findings.json", "part-00000.parquet", "part-00001.parquet"]
    assert [each.name for each in written.folder.parent.iterdir()] == [written.folder.name]
    first = pq.read_table(written.folder / "part-00000.parquet")
    assert first["row"].to_pylist() == list(range(250))
    assert first["given_label"].to_pylist() == labels[:250].tolist()


def test_command_prints_the_headline_of_the_cluster(cluster, home, capsys):
    labels, probs = make_problem(5, 400, 3)
    folder = save_shards(home / "shards", labels, probs, 2)
    assert main(["analyze", str(folder), "--cluster", cluster.address]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "400 examples of 3 classes."
    assert main(["analyze", str(folder)]) == 0
    assert capsys.readouterr().out.splitlines() == [*said[:2], "They were saved before."]


def test_labels_without_probabilities_and_columns_by_name_are_understood_as_on_one_machine(
    cluster, home
):
    labels, probs = make_problem(6, 300, 3)
    folder = save_shards(home / "shards", labels, probs, 3)
    (folder / "labels.npy").unlink()
    cells = ["" if row % 7 == 0 else f"class {label}" for row, label in enumerate(labels)]
    table = "".join(f"e{row},{cell}\n" for row, cell in enumerate(cells))
    (folder / "labels.csv").write_text("id,label\n" + table)
    order = ["class 2", "class 0", "class 1"]
    written = curation.analyze(folder, cluster=cluster.address, class_order=order)
    dataset = curation.load(folder, class_order=order)
    assert len(dataset) < 300
    assert_same(written, curation.analyze(dataset.labels, dataset.pred_probs, dataset.class_names))


def test_list_of_shards_with_an_array_of_labels(cluster, home):
    labels, probs = make_problem(7, 300, 3)
    folder = save_shards(home / "shards", labels, probs, 2)
    paths = sorted(folder.glob("probs-*.npy"))
    written = curation.analyze(labels, paths, ["a", "b", "c"], cluster=cluster.address)
    assert written.folder == folder / "curation-findings"
    assert_same(written, curation.analyze(labels, probs))
    assert written.class_names == ("a", "b", "c")


def test_dask_array_is_analysed_by_its_blocks(cluster, home):
    import dask.array as da

    labels, probs = make_problem(8, 300, 4, dtype=np.float64)
    array = da.from_array(probs, chunks=(70, 3))
    written = curation.analyze(labels, array, cluster=cluster.address, results=home / "out")
    assert_same(written, curation.analyze(labels, probs))


def test_worker_that_does_not_see_the_shards_is_named(cluster, home, monkeypatch):
    labels, probs = make_problem(9, 60, 3)
    folder = save_shards(home / "shards", labels, probs, 2)

    def look_elsewhere(given, work, version):
        hidden = shards.Shard(0, 0, 1, path="/only/on/this/machine/probs-00000.npy")
        return shards.find_obstacles([hidden], work, version)

    monkeypatch.setattr(cluster_run, "find_obstacles", look_elsewhere)
    with pytest.raises(curation.CurationError) as refused:
        curation.analyze(folder, cluster=cluster.address)
    assert "2 of 2 workers cannot help: tcp://127.0.0.1" in refused.value.problem
    assert f"{socket.gethostname()} does not see '/only/on/this" in refused.value.problem
    assert "mounts under the same path" in refused.value.remedy
    assert list((folder / ".curation" / "findings").iterdir()) == []


def test_worker_of_another_version_is_named(cluster, home, monkeypatch):
    folder = save_shards(home / "shards", *make_problem(9, 60, 3), 2)
    monkeypatch.setattr(cluster_run, "package_version", lambda: "9.9")
    with pytest.raises(curation.CurationError, match="has version .*, not 9.9"):
        curation.analyze(folder, cluster=cluster.address)


def test_shard_that_is_moved_during_the_analysis_stops_it_and_leaves_nothing(cluster, home):
    labels, probs = make_problem(10, 300, 3)
    folder = save_shards(home / "shards", labels, probs, 3)

    def move(stage, share):
        if stage == "Counting the confident joint" and (folder / "probs-00001.npy").exists():
            (folder / "probs-00001.npy").rename(home / "elsewhere.npy")

    with pytest.raises(curation.CurationError, match="does not see .*probs-00001.npy"):
        curation.analyze(folder, cluster=cluster.address, progress=move)
    assert list((folder / ".curation" / "findings").iterdir()) == []


def test_invalid_rows_are_counted_over_all_shards(cluster, home):
    labels, probs = make_problem(11, 300, 3)
    probs[[120, 250]] = np.nan
    folder = save_shards(home / "shards", labels, probs, 3)
    with pytest.raises(curation.CurationError, match=r"NaN \(2 of 300 rows; .*: 120, 250\)"):
        curation.analyze(folder, cluster=cluster.address)


def test_scheduler_that_does_not_answer_is_named(home, monkeypatch):
    monkeypatch.setattr(engine, "CONNECT_SECONDS", 0.5)
    folder = save_shards(home / "shards", *make_problem(12, 60, 3), 2)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
    with pytest.raises(curation.CurationError, match=f"The scheduler {address} does not answer"):
        curation.analyze(folder, cluster=address)


def test_scheduler_without_workers_is_named(home, monkeypatch, tmp_path):
    monkeypatch.setattr(engine, "WORKERS_SECONDS", 0.1)
    folder = save_shards(home / "shards", *make_problem(12, 60, 3), 2)
    with start_cluster(tmp_path, workers=0) as empty:
        with pytest.raises(curation.CurationError, match="has no workers.*dask worker tcp://"):
            curation.analyze(folder, cluster=empty.address)
