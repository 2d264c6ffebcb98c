"""pictures.zip, as it is written; tests/clients/test_picture_folder.py opens it elsewhere."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile

import numpy as np
import pytest
from PIL import Image


@pytest.fixture
def pets(bench):
    """Four pictures: a PNG, a JPEG, one that no browser shows, and one that cannot be read."""
    rng = np.random.default_rng(0)
    for name in ("0.png", "1.jpg", "2.bmp"):
        pixels = rng.integers(0, 255, (4, 4, 3), dtype=np.uint8)
        file = io.BytesIO()
        Image.fromarray(pixels).save(file, {"p": "PNG", "j": "JPEG", "b": "BMP"}[name[2]])
        bench.write(name, file.getvalue())
    rows = "e0,0.png,cat\ne1,1.jpg,cat\ne2,2.bmp,dog\ne3,none.png,dog\n"
    bench.write("labels.csv", f"id,image,label\n{rows}".encode())
    return bench.probs([0, 0, 1, 1], 2)


def read_folder(bench):
    with zipfile.ZipFile(bench.out / "pictures.zip") as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_nothing_is_copied_unless_asked_for(pets):
    assert "pictures.zip" not in pets.export().files


def test_text_has_no_pictures_to_copy(small):
    assert "pictures.zip" not in small.export(copy_pictures=True).files


def test_folder_holds_every_picture_with_its_new_label(pets):
    pets.decide(0, "relabel", "dog").export(copy_pictures=True)
    found = read_folder(pets)
    assert list(found)[:3] == ["data/000000.png", "data/000001.jpg", "data/000002.png"]
    assert found["data/000000.png"] == (pets.root / "0.png").read_bytes()
    assert found["data/000001.jpg"] == (pets.root / "1.jpg").read_bytes()
    converted = Image.open(io.BytesIO(found["data/000002.png"]))
    assert converted.tobytes() == Image.open(pets.root / "2.bmp").tobytes()
    labels = json.loads(found["labels.json"])
    assert labels["classes"] == ["cat", "dog"]
    assert {k: v["label"] for k, v in labels["labels"].items()} == {
        "000000": "dog",
        "000001": "cat",
        "000002": "dog",
    }
    first, *_ = [json.loads(line) for line in found["metadata.jsonl"].splitlines()]
    assert first == {
        "file_name": "data/000000.png",
        "label": "dog",
        "id": "e0",
        "path": "0.png",
        "given_label": "cat",
        "action": "relabel",
    }


def test_excluded_pictures_are_left_out(pets):
    pets.decide(1, "exclude").export(copy_pictures=True)
    assert "data/000001.jpg" not in read_folder(pets)


def test_same_export_is_the_same_archive_to_the_byte(pets):
    hashes = set()
    for _ in range(2):
        pets.export(copy_pictures=True)
        hashes.add(hashlib.sha256((pets.out / "pictures.zip").read_bytes()).hexdigest())
    assert len(hashes) == 1
    assert pets.manifest["files"]["pictures.zip"]["sha256"] in hashes
