"""Every picture has an address, wherever it is stored, and tools get one that they can open."""

from __future__ import annotations

import base64
import csv
import io
import json

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from curation.errors import InputError
from curation.exports.picture_addresses import MAX_INLINE_BYTES

LABELS = ["cat", "cat", "dog", "dog"]


def make_picture(row, size=4, kind="PNG"):
    file = io.BytesIO()
    pixels = np.random.default_rng(row).integers(0, 255, (size, size, 3), dtype=np.uint8)
    Image.fromarray(pixels).save(file, kind)
    return file.getvalue()


@pytest.fixture
def files(bench):
    """Four pictures; the model takes the second for a dog."""
    for row in range(4):
        bench.write(f"a b/{row}.png", make_picture(row))
    rows = "".join(f"e{row},a b/{row}.png,{label}\n" for row, label in enumerate(LABELS))
    bench.write("labels.csv", f"id,image,label\n{rows}".encode())
    return bench.probs([0, 1, 1, 1], 2)


@pytest.fixture
def parquet(bench):
    for shard in (0, 1):
        rows = range(2 * shard, 2 * shard + 2)
        frame = pd.DataFrame({"label": [LABELS[row] for row in rows]})
        frame["photo"] = [make_picture(row) for row in rows]
        path = bench.root / "data" / f"train-0000{shard}-of-00002.parquet"
        path.parent.mkdir(exist_ok=True)
        frame.to_parquet(path)
    return bench.probs([0, 0, 0, 1], 2)


def read_issue(bench):
    with (bench.out / "issues.csv").open(newline="", encoding="utf-8") as file:
        (row,) = csv.DictReader(file)
    return row


def read_tools(bench):
    """Return the address of the one picture in each file for a tool."""
    (task,) = json.loads((bench.out / "label_studio.json").read_text())
    (record,) = json.loads((bench.out / "argilla.json").read_text())
    prodigy = json.loads((bench.out / "prodigy.jsonl").read_text())
    return task["data"]["image"], record["fields"]["image"], prodigy["image"]


def decode(address):
    head, _, data = address.partition(",")
    assert head == "data:image/png;base64"
    return base64.b64decode(data)


def test_tables_name_the_file_from_the_folder_of_the_dataset(files):
    files.decide(1, "relabel", "dog").export(method="confusion")
    assert read_issue(files)["image"] == "a b/1.png"
    corrections = pd.read_csv(files.out / "corrections.csv")
    assert corrections["image"].tolist() == ["a b/1.png"]


def test_picture_inside_a_parquet_file_is_named_by_file_column_and_row(parquet):
    parquet.export(method="confusion")
    assert read_issue(parquet)["image"] == "data/train-00001-of-00002.parquet#photo/0"


def test_tools_get_the_path_as_each_of_them_wants_it(files):
    files.export(method="confusion")
    paths = "/data/local-files/?d=a%20b/1.png", "a b/1.png", "a b/1.png"
    assert read_tools(files) == paths


def test_tools_get_a_url_below_the_one_that_was_given(files):
    files.export(method="confusion", picture_links="https://example.org/pets/")
    assert set(read_tools(files)) == {"https://example.org/pets/a%20b/1.png"}


def test_tools_get_the_picture_itself(files):
    files.export(method="confusion", picture_links="inline")
    assert {decode(each) for each in read_tools(files)} == {make_picture(1)}


def test_picture_without_a_file_is_always_written_out(parquet):
    parquet.export(method="confusion")
    assert {decode(each) for each in read_tools(parquet)} == {make_picture(2)}


def test_large_picture_is_made_smaller(files):
    files.write("a b/1.png", make_picture(1, size=1100))
    files.export(method="confusion", picture_links="inline")
    address = read_tools(files)[0]
    assert address.startswith("data:image/jpeg;base64,")
    image = Image.open(io.BytesIO(base64.b64decode(address.partition(",")[2])))
    assert max(image.size) == 1024 and len(make_picture(1, size=1100)) > MAX_INLINE_BYTES


def test_picture_that_cannot_be_read_is_still_named(files):
    (files.root / "a b/1.png").write_bytes(b"")
    files.export(method="confusion", picture_links="inline")
    assert set(read_tools(files)) == {"a b/1.png"}


def test_address_of_another_kind_is_refused(files):
    with pytest.raises(InputError, match="picture_links='javascript:x' cannot be used"):
        files.export(picture_links="javascript:x")


def test_texts_are_in_both_tables(small):
    small.decide(1, "keep").export(method="confusion")
    for name in ("issues.csv", "corrections.csv"):
        table = pd.read_csv(small.out / name).set_index("id")
        assert table.loc["e1", "text"] == "text 1"
