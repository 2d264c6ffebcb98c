"""Texts in files of their own: which are read, in which encoding, and what is said of the rest."""

from __future__ import annotations

import uuid

import numpy as np
import pytest
from PIL import Image

import curation
from curation.errors import BlockedError
from curation.loading.content.sources import ImageFiles
from curation.storage import mirror

N = 12
LABELS = ["cat", "dog"] * (N // 2)
SURE = np.array([[0.9, 0.1], [0.1, 0.9]] * (N // 2))


def write_folders(root, encoding="utf-8"):
    """Write a folder of texts for each class, with probabilities in the same order."""
    for k, label in enumerate(sorted(LABELS)):
        (root / label).mkdir(parents=True, exist_ok=True)
        (root / label / f"{k:02}.txt").write_text(f"café number {k}", encoding=encoding)
    np.save(root / "probs.npy", SURE[np.argsort(LABELS, kind="stable")])
    return root


def write_named(root, missing=(), encoding="utf-8"):
    """Write a table that names the file of each text."""
    (root / "texts").mkdir(parents=True)
    for k in set(range(N)) - set(missing):
        (root / "texts" / f"{k}.txt").write_text(f"café number {k}", encoding="utf-8")
    rows = "".join(f"e{k},texts/{k}.txt,{label}é\n" for k, label in enumerate(LABELS))
    (root / "labels.csv").write_text("id,file,label\n" + rows, encoding=encoding)
    np.save(root / "probs.npy", SURE)
    return root


def test_a_missing_text_file_is_missing_and_hides_no_other(tmp_path):
    dataset = curation.load(write_named(tmp_path / "set", missing=[0]))
    assert dataset.kind == "text" and dataset.content.text(1) == "café number 1"
    [missing] = [each for each in dataset.report.diagnoses if each.code.startswith("content.")]
    assert missing.count == 1


def test_a_missing_picture_without_an_ending_hides_no_other(tmp_path):
    (tmp_path / "pictures").mkdir()
    for k in range(1, N):
        Image.new("L", (4, 4), 9 * k).save(tmp_path / "pictures" / str(k), "PNG")
    rows = "".join(f"{k},{label}\n" for k, label in enumerate(LABELS))
    (tmp_path / "labels.csv").write_text("file,label\n" + rows)
    np.save(tmp_path / "probs.npy", SURE)
    dataset = curation.load(tmp_path)
    assert dataset.kind == "image"
    assert dataset.content.image(1).image.getpixel((0, 0)) == (9, 9, 9)


def test_the_encoding_of_the_label_table_does_not_garble_texts_in_utf8(tmp_path):
    root = write_named(tmp_path / "set", encoding="latin-1")
    dataset = curation.load(root, encoding="latin-1")
    assert dataset.class_names == ("caté", "dogé")
    assert dataset.content.text(3) == "café number 3"


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "cp1252"])
def test_texts_are_read_in_any_encoding_that_is_passed(tmp_path, encoding):
    dataset = curation.load(write_folders(tmp_path / "set", encoding=encoding), encoding=encoding)
    assert "content.encoding" not in {each.code for each in dataset.report.diagnoses}
    assert dataset.content.text(0) == "café number 0"


def test_texts_in_another_encoding_than_utf8_are_named(tmp_path):
    root = write_folders(tmp_path / "set", encoding="latin-1")
    warned = curation.load(root)
    assert "content.encoding" in {each.code for each in warned.report.diagnoses}
    assert warned.content.text(0) == "caf\ufffd number 0"
    dataset = curation.load(root, encoding="latin-1")
    assert "content.encoding" not in {each.code for each in dataset.report.diagnoses}
    assert dataset.content.text(0) == "café number 0"


@pytest.mark.parametrize("encoding", ["no-such-one", "hex"])
def test_an_encoding_that_does_not_exist_is_refused_in_words(tmp_path, encoding):
    with pytest.raises(BlockedError, match=f"cannot be read as '{encoding}'"):
        curation.load(write_folders(tmp_path / "set"), encoding=encoding)


def test_texts_that_do_not_fit_into_memory_are_refused_before_they_are_read(tmp_path, monkeypatch):
    root = write_folders(tmp_path / "set")
    (root / "dog" / "11.txt").write_bytes(b"x" * 10**6)
    taken, read = [], ImageFiles.read

    def note(files, row):
        taken.append(row)
        return read(files, row)

    monkeypatch.setattr(ImageFiles, "read", note)
    with pytest.raises(BlockedError, match="text files: reading it needs about"):
        curation.load(root, memory_limit_gb=0.001)
    assert taken == list(range(N - 1))


def test_a_storage_that_stops_answering_makes_no_text_seem_missing(storage, tmp_path, monkeypatch):
    address = storage.put_folder(
        write_folders(tmp_path / "set"), f"b{uuid.uuid4().hex[:12]}", "set"
    )
    monkeypatch.setattr(mirror, "PICTURE_SECONDS", 0.3)
    read = mirror.Mirror.open_picture

    def stop_answering(opened, name):
        storage.silent = True
        return read(opened, name)

    monkeypatch.setattr(mirror.Mirror, "open_picture", stop_answering)
    with pytest.raises(BlockedError, match="waiting for storage"):
        curation.load(address)
