"""Tables in numbered files: which are read as one, in which order, and which are asked about."""

import io

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from PIL import Image

from curation.loading.numbered_files import find_shard_sets
from tests.loading.conftest import find_diagnosis

LINES = ["a,cat,0.9,0.1\n", "b,dog,0.2,0.8\n", "c,cat,0.7,0.3\n", "d,dog,0.1,0.9\n"]
HEADER = "id,label,p_cat,p_dog\n"


def make_picture(shade):
    buffer = io.BytesIO()
    Image.new("L", (4, 4), shade).save(buffer, "PNG")
    return buffer.getvalue()


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


def write_folder(folder, name, header, *parts):
    """Write a table as Spark does, each part as (the rest of its name, its rows)."""
    folder.write(f"{name}/_SUCCESS", "")
    for part, rows in parts:
        folder.write(f"{name}/part-{part}.csv", "\n".join([header, *rows.split()]) + "\n")


def test_probabilities_in_a_single_part_are_found(folder):
    folder.write("labels.csv", "id,label\na,cat\nb,dog\n")
    write_folder(folder, "probs.csv", "id,cat,dog", ("00000-1a2b-c000", "b,0.2,0.8 a,0.9,0.1"))
    assert np.asarray(folder.load().pred_probs).tolist() == [[0.9, 0.1], [0.2, 0.8]]


def test_parts_of_several_runs_are_joined_by_id_and_never_by_position(folder):
    labels, probs = (("00000-b-c000", "00000-a-c000"), ("00000-a-c000", "00000-b-c000"))
    rows = ("cat", "dog"), ("0.9,0.1", "0.2,0.8")
    write_folder(folder, "labels.csv", "label", *zip(labels, rows[0], strict=True))
    write_folder(folder, "probs.csv", "cat,dog", *zip(probs, rows[1], strict=True))
    assert "shards.order" in folder.codes()
    rows = ("x,cat", "y,dog"), ("x,0.9,0.1", "y,0.2,0.8")
    write_folder(folder, "labels.csv", "id,label", *zip(labels, rows[0], strict=True))
    write_folder(folder, "probs.csv", "id,cat,dog", *zip(probs, rows[1], strict=True))
    dataset = folder.load()
    assert [dataset.class_names[each] for each in dataset.labels] == ["dog", "cat"]
    assert np.asarray(dataset.pred_probs).tolist() == [[0.2, 0.8], [0.9, 0.1]]


def test_a_run_that_splits_its_parts_is_joined_by_position(folder):
    parts = ("00000-a-c000", "00000-a-c001")
    write_folder(folder, "labels.csv", "label", *zip(parts, ("cat", "dog"), strict=True))
    write_folder(folder, "probs.csv", "cat,dog", *zip(parts, ("0.9,0.1", "0.2,0.8"), strict=True))
    assert np.asarray(folder.load().pred_probs).tolist() == [[0.9, 0.1], [0.2, 0.8]]


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


def test_decisions_on_parts_are_exported_though_the_first_holds_no_rows(bench):
    bench.write("part-00000-1a2b-c000.csv", HEADER.encode())
    for number, line in enumerate(LINES, start=1):
        bench.write(f"part-0000{number}-1a2b-c000.csv", (HEADER + line).encode())
    bench.relabel({3: "cat"}).export()
    assert (bench.out / "cleaned_labels.csv").read_text().endswith("c,cat\nd,cat\n")


def test_pictures_in_parts_stay_with_their_rows_though_the_first_part_has_none(folder):
    kind = pa.struct([("bytes", pa.binary()), ("path", pa.string())])
    cells = [{"bytes": make_picture(10 * row), "path": None} for row in range(4)]
    schema = pa.schema([("image", kind), *((name, pa.string()) for name in ("id", "label"))])
    whole = pa.table([cells, ["a", "b", "c", "d"], ["cat", "dog"] * 2], schema=schema)
    for number, (start, size) in enumerate([(0, 0), (0, 2), (2, 2)]):
        name = folder.root / f"part-0000{number}-1a2b-c000.parquet"
        pq.write_table(whole.slice(start, size), name)
    folder.save("probs.npy", np.array([[0.9, 0.1], [0.1, 0.9]] * 2))
    content = folder.load().content
    assert len(content) == 4
    assert [content.image(row).image.getpixel((0, 0))[0] for row in range(4)] == [0, 10, 20, 30]


@pytest.mark.parametrize("numbered", [0, 1])
def test_parts_of_which_pandas_numbered_the_rows_of_one_are_exported(bench, numbered):
    whole = pd.read_csv(io.StringIO(HEADER + "".join(LINES)))
    for number, part in enumerate([whole.iloc[:2], whole.iloc[2:]]):
        part = part.set_axis([7, 3]) if number == numbered else part  # pandas stores these
        part.to_parquet(bench.root / f"part_{number}.parquet")
    bench.overrides = {"labels": "part_*.parquet"}
    written = bench.relabel({3: "cat"}).cleaned()
    assert pd.read_parquet(io.BytesIO(written))["label"].tolist() == ["cat", "dog", "cat", "cat"]
