"""Tables in numbered files: which are read as one, in which order, and which are asked about."""

import numpy as np

from curation.loading.numbered_files import find_shard_sets
from tests.loading.conftest import find_diagnosis

LINES = ["a,cat,0.9,0.1\n", "b,dog,0.2,0.8\n", "c,cat,0.7,0.3\n", "d,dog,0.1,0.9\n"]
HEADER = "id,label,p_cat,p_dog\n"


def write_parts(folder, *names):
    """Write one row into each file, in the order of the names."""
    for name, line in zip(names, LINES, strict=False):
        folder.write(name, HEADER + line)


def test_parts_are_in_the_order_of_their_numbers():
    names = [f"shard_{number}.parquet" for number in (10, 9, *range(9), 11)]
    [found] = find_shard_sets(names)
    assert found.name == "shard_*.parquet"
    assert found.files == tuple(f"shard_{number}.parquet" for number in range(12))


def test_years_and_files_with_a_gap_are_not_parts():
    assert find_shard_sets(["sales_2023.csv", "sales_2024.csv"]) == []
    assert find_shard_sets(["data_0.csv", "data_2.csv"]) == []


def test_parts_that_spark_wrote_may_have_gaps(folder):
    write_parts(folder, "part-00000-1a2b-c000.csv", "part-00003-1a2b-c000.csv")
    folder.write("_SUCCESS", "")
    dataset = folder.load()
    assert dataset.ids.tolist() == ["a", "b"]
    assert find_diagnosis(dataset, "labels.shards").count == 2


def test_numbered_tables_without_a_word_for_parts_are_asked_about(folder):
    write_parts(folder, "data_1.csv", "data_2.csv")
    [asked] = folder.blocked().report.diagnoses
    assert [each["labels"] for each in asked.choices] == ["data_1.csv", "data_2.csv", "data_*.csv"]
    assert folder.load(**asked.choices[-1]).ids.tolist() == ["a", "b"]


def test_parts_with_other_columns_are_not_read_as_one_table(folder):
    folder.write("part_0.csv", HEADER + LINES[0])
    folder.write("part_1.csv", "id,label,note\nb,dog,x\n")
    assert folder.codes() == {"folder.ambiguous_labels"}


def test_predictions_in_parts_are_offered_as_one(folder):
    folder.write("labels.csv", "id,label\na,cat\nb,dog\n")
    for number in (0, 1):
        folder.write(f"preds_{number}.csv", "id,cat,dog\n" + f"{'ab'[number]},0.{9 - number},0.1\n")
    [asked] = folder.blocked().report.diagnoses
    assert asked.choices[-1] == {"probs": ["preds_0.csv", "preds_1.csv"]}


def test_folders_that_spark_wrote_are_the_labels_and_the_probabilities(folder):
    for name, header, cells in (("labels.csv", "id,label", "a,cat b,dog"),
                                ("probs.csv", "id,cat,dog", "b,0.2,0.8 a,0.9,0.1")):  # fmt: skip
        folder.write(f"{name}/_SUCCESS", "")
        for number, row in enumerate(cells.split()):
            folder.write(f"{name}/part-0000{number}-1a2b-c000.csv", f"{header}\n{row}\n")
    dataset = folder.load()
    assert np.asarray(dataset.pred_probs).tolist() == [[0.9, 0.1], [0.2, 0.8]]


def test_parts_without_rows_are_left_out_and_named(folder):
    write_parts(folder, *(f"part-0000{number}-1a2b-c000.csv" for number in (1, 2)))
    folder.write("part-00000-1a2b-c000.csv", HEADER)
    folder.write("part-00003-1a2b-c000.csv", "")
    dataset = folder.load()
    assert dataset.ids.tolist() == ["a", "b"]
    assert find_diagnosis(dataset, "shards.empty").count == 2


def test_empty_file_that_spark_did_not_write_is_not_left_out(folder):
    write_parts(folder, "shard_0.csv", "shard_1.csv")
    folder.write("shard_2.csv", "")
    assert "table.empty" in folder.codes()


def test_table_with_versions_is_refused(folder):
    write_parts(folder, "part-00000-1a.parquet", "part-00001-1a.parquet")
    folder.write("_delta_log/00000000000000000000.json", "{}")
    [refused] = folder.blocked().report.diagnoses
    assert refused.code == "folder.versions" and "to_parquet" in refused.fix


def test_decisions_on_a_csv_in_parts_are_exported_as_a_table(bench):
    for number, line in enumerate(LINES):
        bench.write(f"part-{number}.csv", (HEADER + line).encode())
    assert bench.relabel({3: "cat"}).cleaned() == b"id,label\na,cat\nb,dog\nc,cat\nd,cat\n"
