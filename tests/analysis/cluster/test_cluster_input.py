"""What cannot be analysed on a cluster is refused with the remedy, and leaves nothing behind."""

from __future__ import annotations

import builtins
import os

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import curation
from tests.analysis.cluster.problems_in_shards import assert_same, make_problem, save_shards
from tests.saving import save_everything

NAMES = ["cat", "dog", "eel"]


@pytest.fixture
def shards(tmp_path, monkeypatch):
    """A folder of three shards; without a cluster, this process does the same work in threads."""
    save_everything(tmp_path, monkeypatch)
    return save_shards(tmp_path / "shards", *make_problem(0, 90, 3), 3)


def refused(*given, **options):
    with pytest.raises(curation.CurationError) as error:
        curation.analyze(*given, **options)
    return error.value


def leaves_nothing(folder):
    return not [each for each in folder.rglob("*") if "curation" in str(each.relative_to(folder))
                and each.is_file() and each.name != "hashes.json"]  # fmt: skip


def test_missing_shard_is_named_by_its_number(shards):
    (shards / "probs-00001.npy").unlink()
    error = refused(shards)
    assert "shards are missing: number 1" in error.problem
    assert "Copy all shards into the folder" in error.remedy
    assert leaves_nothing(shards)


@pytest.mark.parametrize("as_list", [False, True])
def test_shard_of_another_width_or_type_is_named(shards, as_list):
    labels, path = np.load(shards / "labels.npy"), shards / "probs-00002.npy"
    given = (labels, sorted(shards.glob("probs-*.npy"))) if as_list else (shards,)
    good = np.load(path)
    np.save(path, good.astype(np.float64))
    error = refused(*given)
    assert "probs-00002.npy holds float64; probs-00000.npy holds float32" in error.problem
    assert "astype('float32')" in error.remedy
    np.save(path, good[:, :2])
    error = refused(*given)
    assert "probs-00002.npy" in error.problem and "(30, 2)" in error.problem
    assert "same columns" in error.remedy
    assert leaves_nothing(shards)


def test_other_classes_are_named(shards):
    (shards / "classes.json").write_text('["a", "b", "c", "d"]')
    assert "3 columns for the 4 classes" in refused(shards).problem
    labels, paths = np.load(shards / "labels.npy"), sorted(shards.glob("probs-*.npy"))
    error = refused(labels, paths, ["a", "b"])
    assert "2 class names for 3 columns" in error.problem
    assert leaves_nothing(shards)


def test_cut_shard_is_named(shards):
    path = shards / "probs-00001.npy"
    path.write_bytes(path.read_bytes()[:-50])
    labels, paths = np.load(shards / "labels.npy"), sorted(shards.glob("probs-*.npy"))
    assert "probs-00001.npy: the file is cut off" in refused(labels, paths).problem
    assert "probs-00001.npy: the file is cut off" in refused(shards).problem


def test_labels_of_another_number_are_refused(shards):
    paths = sorted(shards.glob("probs-*.npy"))
    error = refused(np.zeros(89, int), paths)
    assert "89 labels came with probabilities of shape (90, 3)" in error.problem


def test_folder_without_shards_of_arrays_says_what_to_save(tmp_path):
    rows = "".join(f"e{k},{k % 2},{0.9 - 0.8 * (k % 2)},{0.1 + 0.8 * (k % 2)}\n" for k in range(9))
    (tmp_path / "data.csv").write_text("id,label,p_0,p_1\n" + rows)
    error = refused(tmp_path / "data.csv")
    assert "not in .npy files" in error.problem and "probs-00000.npy" in error.remedy


def test_folder_that_cannot_be_written_says_where_results_go(shards):
    shards.chmod(0o555)
    error = refused(shards)
    shards.chmod(0o755)
    assert "cannot be written" in error.problem and "Allow writing there" in error.remedy
    assert leaves_nothing(shards)


def test_folder_with_other_files_is_not_replaced(shards, tmp_path):
    labels, paths = np.load(shards / "labels.npy"), sorted(shards.glob("probs-*.npy"))
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "thesis.txt").write_text("mine")
    assert "holds other files" in refused(labels, paths, results=tmp_path / "thesis").problem
    assert (tmp_path / "thesis" / "thesis.txt").read_text() == "mine"
    for _ in range(2):  # its own results are replaced
        curation.analyze(labels, paths, results=tmp_path / "out")


def test_dask_array_needs_a_folder_and_known_blocks(tmp_path):
    import dask.array as da

    labels, probs = make_problem(1, 30, 3)
    array = da.from_array(probs, chunks=(10, 3))
    assert 'results="findings"' in refused(labels, array).remedy
    unknown = array[da.from_array(labels >= 0, chunks=10)]
    error = refused(labels, unknown, results=tmp_path / "out")
    assert "compute_chunk_sizes" in error.remedy


def test_missing_package_is_named_with_the_command_that_installs_it(shards, monkeypatch):
    real = builtins.__import__

    def without_distributed(name, *more):
        if name.partition(".")[0] == "distributed":
            raise ImportError("No module named 'distributed'", name="distributed")
        return real(name, *more)

    monkeypatch.setattr(builtins, "__import__", without_distributed)
    error = refused(shards)
    assert error.problem == "A cluster needs distributed, which is not installed."
    assert error.remedy == "Run: pip install 'confident-curation[cluster]'"


def test_options_of_another_kind_of_input_are_refused(shards):
    labels, probs = make_problem(2, 30, 3)
    assert "cluster='tcp://x' has no effect" in refused(labels, probs, cluster="tcp://x").problem
    assert "There are no probabilities" in refused(labels).problem
    assert "There is no collisions" in refused(shards, collisions="other").problem


def test_threads_of_this_process_do_the_same_without_a_cluster(shards):
    labels = np.load(shards / "labels.npy")
    probs = np.concatenate([np.load(each) for each in sorted(shards.glob("probs-*.npy"))])
    assert_same(curation.analyze(shards), curation.analyze(labels, probs))


def test_issues_are_the_most_suspect_of_all_shards(shards):
    labels = np.load(shards / "labels.npy")
    probs = np.concatenate([np.load(each) for each in sorted(shards.glob("probs-*.npy"))])
    expected = curation.analyze(labels, probs)
    written = curation.analyze(shards)
    table = written.issues("confusion", limit=5)
    assert table.index.tolist() == expected.issues("confusion")[:5].tolist()
    assert table["given_label"].str.startswith("class ").all()
    assert repr(written).startswith("<WrittenFindings on 90 examples of 3 classes: about")


def test_results_that_are_cut_or_missing_are_noticed(shards, caplog):
    from curation.analysis.saved_findings import reopen_findings

    written = curation.analyze(shards)
    dataset = curation.load(shards)
    assert reopen_findings(dataset) is not None
    path = written.folder / "part-00001.parquet"
    whole = path.read_bytes()
    damaged = bytearray(whole)
    damaged[200] ^= 0xFF
    for data in (whole[:-30], bytes(damaged)):
        path.write_bytes(data)
        assert reopen_findings(dataset) is None
        assert "cannot be used" in caplog.text and "made again" in caplog.text
        caplog.clear()
    path.write_bytes(whole)
    assert reopen_findings(dataset) is not None
    manifest = written.folder / "findings.json"
    text = manifest.read_text()
    for old, new in (('"rows": 30', '"rows": 31'), ('"num_examples": 90', '"num_examples": 10e14'),
                     ('"sha256": "', '"sha256": "0'), ('"parts"', '"pieces"')):  # fmt: skip
        assert old in text
        manifest.write_text(text.replace(old, new))
        assert reopen_findings(dataset) is None
    with pytest.raises(curation.CurationError, match="holds no findings of a cluster"):
        curation.open_findings(shards)


@pytest.fixture
def tables(tmp_path):
    """Two Parquet shards with ids, labels as text, and a column of probabilities for each class."""
    labels, probs = make_problem(3, 80, 3)
    paths = []
    for number, rows in enumerate(np.array_split(np.arange(80), 2)):
        columns = {name: probs[rows, place] for place, name in enumerate(NAMES)}
        given = [NAMES[label] for label in labels[rows]]
        table = pa.table({"id": [f"e{row}" for row in rows], "label": given, **columns})
        paths.append(tmp_path / f"part-{number}.parquet")
        pq.write_table(table, paths[-1])
    return paths, labels, probs


def test_parquet_shards_give_what_their_arrays_give(tables):
    paths, labels, probs = tables
    written = curation.analyze("label", paths, NAMES)
    assert_same(written, curation.analyze(labels, probs))
    assert_same(curation.analyze(labels, paths), curation.analyze(labels, probs))


def test_parquet_shards_that_differ_are_named(tables):
    paths, labels, probs = tables
    table = pq.read_table(paths[1])
    pq.write_table(table.drop_columns(["dog"]), paths[1])
    error = refused("label", paths, NAMES)
    assert "part-1.parquet has no column of probabilities for 'dog'" in error.problem
    assert "only one of them has 'dog'" in refused(labels, paths).problem
    wide = table.set_column(2, "cat", pa.array(probs[40:, 0].astype(np.float64)))
    pq.write_table(wide, paths[1])
    assert "part-1.parquet holds probabilities of type" in refused("label", paths, NAMES).problem
    pq.write_table(table.set_column(1, "label", pa.array(["cow"] * 40)), paths[1])
    assert "labels that are no class: 'cow'" in refused("label", paths, NAMES).problem
    pq.write_table(table.drop_columns(["label"]), paths[1])
    assert "part-1.parquet has no column 'label'" in refused("label", paths, NAMES).problem
    paths[1].write_bytes(paths[1].read_bytes()[:-9])
    assert "part-1.parquet is not a complete Parquet" in refused("label", paths, NAMES).problem
    paths[1].unlink()
    assert "does not see" in refused("label", paths, NAMES).problem


def test_parquet_shards_are_read_by_the_names_of_their_columns_whatever_their_order(tables):
    paths, labels, probs = tables
    table = pq.read_table(paths[1])
    pq.write_table(table.select(["id", "label", "eel", "dog", "cat"]), paths[1])
    assert_same(curation.analyze(labels, paths), curation.analyze(labels, probs))
    pq.write_table(table.rename_columns(["id", "label", "cat", "dog", "fox"]), paths[1])
    error = refused(labels, paths)
    assert "part-1.parquet and part-0.parquet have different columns" in error.problem
    assert "only one of them has 'eel', 'fox'" in error.problem


@pytest.mark.parametrize("column", ["label", "dog"])
def test_damaged_page_of_a_parquet_shard_is_named(tables, column):
    paths, labels, _ = tables
    chunk = pq.read_metadata(paths[1]).row_group(0)
    place = next(each for each in map(chunk.column, range(5)) if each.path_in_schema == column)
    data = bytearray(paths[1].read_bytes())
    start = place.dictionary_page_offset or place.data_page_offset
    data[start : start + 40] = b"\xff" * 40
    paths[1].write_bytes(data)
    given = "label" if column == "label" else labels
    error = refused(given, paths, NAMES)
    assert "part-1.parquet cannot be read" in error.problem and "Write the shard" in error.remedy


def test_missing_label_is_not_a_class_called_none(tables):
    paths, _, _ = tables
    table = pq.read_table(paths[1])
    cells = [None, *table["label"].to_pylist()[1:]]
    pq.write_table(table.set_column(1, "label", pa.array(cells)), paths[1])
    for path in paths:
        pq.write_table(pq.read_table(path).rename_columns(
            ["id", "label", "cat", "dog", "None"]), path)  # fmt: skip
    error = refused("label", paths, ["cat", "dog", "None"])
    assert "part-1.parquet has rows without a label: 1 of 40" in error.problem


def test_results_that_somebody_added_files_to_are_not_replaced(shards, tmp_path):
    labels, paths = np.load(shards / "labels.npy"), sorted(shards.glob("probs-*.npy"))
    curation.analyze(labels, paths, results=tmp_path / "out")
    (tmp_path / "out" / "notes.txt").write_text("mine")
    assert "notes.txt" in refused(labels, paths, results=tmp_path / "out").problem
    assert (tmp_path / "out" / "notes.txt").read_text() == "mine"


def test_results_go_to_an_empty_working_folder(shards, tmp_path, monkeypatch):
    labels, paths = np.load(shards / "labels.npy"), sorted(shards.glob("probs-*.npy"))
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    assert curation.analyze(labels, paths, results=".").folder == tmp_path / "here"


@pytest.mark.parametrize("is_link", [False, True])
def test_results_name_no_file_outside_their_folder(shards, tmp_path, is_link, caplog):
    from curation.analysis.saved_findings import reopen_findings

    written = curation.analyze(shards)
    part, manifest = written.folder / "part-00001.parquet", written.folder / "findings.json"
    outside = part.rename(tmp_path / "elsewhere.parquet")
    if is_link:
        part.symlink_to(outside)
    else:
        name = os.path.relpath(outside, written.folder)
        manifest.write_text(manifest.read_text().replace(part.name, name))
    assert reopen_findings(curation.load(shards)) is None
    assert "outside the dataset's folder" in caplog.text


def test_machines_with_the_same_process_number_write_different_drafts(shards, monkeypatch):
    drafts, write = [], pq.write_table

    def note(table, path):
        drafts.append(path.name)
        write(table, path)

    monkeypatch.setattr("curation.analysis.cluster.shard_tasks.pq.write_table", note)
    monkeypatch.setattr("socket.gethostname", lambda: "node-7")
    curation.analyze(shards)
    assert len(drafts) == 3 and all("node-7" in each for each in drafts)


def test_umask_of_the_process_is_left_alone_and_decides_who_reads_the_results(shards, monkeypatch):
    before = os.umask(0o027)
    try:
        monkeypatch.setattr(os, "umask", None)  # other threads would create files under it
        folder = curation.analyze(shards).folder
    finally:
        monkeypatch.undo()
        os.umask(before)
    assert folder.stat().st_mode & 0o777 == 0o750


def test_results_that_vanish_while_old_ones_are_removed_stop_nothing(shards):
    parent = curation.analyze(shards).folder.parent
    (parent / "unfinished-gone").symlink_to(parent / "removed by another analysis")
    assert curation.analyze(shards).num_examples == 90
