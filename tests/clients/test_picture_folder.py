"""FiftyOne and Hugging Face read pictures.zip as the README of each says."""

from __future__ import annotations

import zipfile

import pytest

from tests.clients.conftest import run_client

FIFTYONE = """
import json, sys
from fiftyone.utils.data.importers import FiftyOneImageClassificationDatasetImporter as Importer
with Importer(dataset_dir=sys.argv[1]) as found:
    samples = [(path, label) for path, _, label in found]
print(json.dumps([[path, each.label, each.example_id, each.action] for path, each in samples]))
"""


@pytest.fixture
def folder(pets, tmp_path):
    pets.export(copy_pictures=True)
    with zipfile.ZipFile(pets.out / "pictures.zip") as archive:
        archive.extractall(tmp_path / "pictures")
    return tmp_path / "pictures"


def test_fiftyone_reads_every_picture_that_stays_with_its_label(folder, pets):
    found = run_client("fiftyone", FIFTYONE, folder, FIFTYONE_DO_NOT_TRACK="1")
    assert len(found) == 9
    by_id = {example: (path, label, action) for path, label, example, action in found}
    path, label, action = by_id["e1"]
    assert (label, action) == ("eel", "relabel") and "e2" not in by_id
    with open(path, "rb") as file:
        assert file.read() == (pets.root / "images/p 1.png").read_bytes()


def test_hugging_face_reads_the_folder_and_the_archive(folder, pets, tmp_path):
    datasets = pytest.importorskip("datasets", reason="python devtools/clients.py FOLDER")
    sources = {"data_dir": str(folder)}, {"data_files": str(pets.out / "pictures.zip")}
    for place, source in enumerate(sources):
        cache = str(tmp_path / f"cache{place}")
        found = datasets.load_dataset("imagefolder", split="train", cache_dir=cache, **source)
        assert len(found) == 9 and found[0]["image"].size == (8, 8)
        assert {each["id"]: each["label"] for each in found}["e1"] == "eel"
    encoded = found.class_encode_column("label")
    assert encoded.features["label"].names == ["cat", "dog", "eel"]
