"""Shapes that are found by looking into several files are the same in object storage."""

from __future__ import annotations

import uuid
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import curation
from curation.errors import BlockedError, StorageError
from tests.loading.shapes import load_shapes
from tests.loading.shapes.shape_list import GIVEN, LABELS, NAMES, PROBS, TEXTS, Shape

# in several files or sheets, far below, or known only from what a file holds
WORDS = ("part", "shard", "sheet", "Spark", "two folders below", "no ending", "without an ending")
FOUND = [each for each in load_shapes() if any(word in each.name for word in WORDS)]


def read(place: Path | str, shape: Shape) -> object:
    try:
        dataset = curation.load(place, **shape.overrides)
    except BlockedError as error:
        return [(each.code, each.fix, each.choices) for each in error.report.diagnoses]
    probs = np.asarray(dataset.pred_probs).tolist()
    return dataset.kind, dataset.settings, dataset.labels.tolist(), probs


@pytest.mark.parametrize("shape", FOUND, ids=lambda shape: shape.name)
def test_a_shape_is_the_same_in_storage(shape: Shape, storage, tmp_path):
    folder = tmp_path / "set"
    folder.mkdir()
    shape.make(folder)
    address = storage.put_folder(folder, f"b{uuid.uuid4().hex[:12]}", "set")
    opens = "" if shape.opens == "." else f"/{shape.opens}"
    assert read(f"{address}{opens}", shape) == read(folder / shape.opens, shape)


@pytest.fixture
def parts(storage, tmp_path) -> str:
    """The address of a folder with a table in three parts, in a folder called labels.csv."""
    table = pd.DataFrame({"text": TEXTS, "label": LABELS})
    (tmp_path / "set/labels.csv").mkdir(parents=True)
    for number in range(3):
        path = tmp_path / f"set/labels.csv/part-{number:05}-7c-c000.csv"
        table[12 * number : 12 * number + 12].to_csv(path, index=False)
    with pd.ExcelWriter(tmp_path / "set/book.xlsx") as book:
        table.to_excel(book, sheet_name="checked", index=False)
        pd.DataFrame(PROBS, columns=NAMES).to_excel(book, sheet_name="scores", index=False)
    return storage.put_folder(tmp_path / "set", f"b{uuid.uuid4().hex[:12]}", "set")


@pytest.fixture
def local(tmp_path) -> Path:
    (tmp_path / "local").mkdir()
    np.save(tmp_path / "local/probs.npy", PROBS)
    return tmp_path / "local"


@pytest.mark.parametrize("name", ["book.xlsx", "labels.csv/part-00000-7c-c000.csv"])
def test_labels_of_a_local_dataset_may_be_an_address(parts, local, name):
    rows = 36 if name == "book.xlsx" else 12
    np.save(local / "probs.npy", PROBS[:rows])
    dataset = curation.load(local, labels=f"{parts}/{name}")
    assert dataset.labels.tolist() == GIVEN[:rows].tolist()


def test_sheets_of_a_workbook_are_chosen_by_address(parts, local):
    (local / "probs.npy").unlink()
    book = f"{parts}/book.xlsx"
    dataset = curation.load(local, labels=book, sheet="checked", prob_sheet="scores")
    assert np.asarray(dataset.pred_probs).tolist() == PROBS.tolist()


@pytest.mark.parametrize(
    ("name", "words"), [("labels.csv", "is a folder"), ("labels.csv/part-*.csv", "names several")]
)
def test_several_objects_cannot_be_named_as_one_part(parts, local, name, words):
    with pytest.raises(StorageError, match=words) as caught:
        curation.load(local, labels=f"{parts}/{name}")
    assert caught.value.remedy.startswith("Open the folder that holds it, s3://")
