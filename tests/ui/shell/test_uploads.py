"""Files sent from a browser: refused in words, kept for good, and found again."""

import os

import numpy as np
import pytest

import curation
from curation.errors import InputError
from curation.ui.shell.uploads import check_upload, save_upload, uploads_folder

PROBS = np.array([[0.9, 0.1], [0.2, 0.8], [0.7, 0.3]])
FILES = {
    "labels": ("my ../labels.csv", b"id,label,p_cat,p_dog\n"
               + b"".join(b"e%d,%s,%f,%f\n" % (row, (b"cat", b"dog")[row % 2], *each)
                          for row, each in enumerate(PROBS))),
}  # fmt: skip


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({}, "no label file"),
        pytest.param(
            *({"labels": ("a.pkl", 3)}, "a.pkl cannot be read as labels"),
            marks=pytest.mark.fault(
                65, "BLOCK", says="a.pkl cannot be read as labels. Choose one of .csv, …"
            ),
        ),
        ({"labels": ("a.csv", 3), "probs": ("b.pt", 3)}, "b.pt cannot be read as probs"),
        pytest.param(
            *({"labels": ("a.csv", 2**27), "probs": ("b.npy", 2**27)}, "total 256 MB; the limit"),
            marks=pytest.mark.fault(
                65,
                "BLOCK",
                says="The files total 256 MB; the limit is 200 MB. Copy them to this machine and "
                "open their path.",
            ),
        ),
    ],
)
def test_uploads_of_another_kind_or_too_large_are_refused(files, words):
    with pytest.raises(InputError, match=words):
        check_upload(files)


def test_the_same_files_find_what_was_decided_about_them():
    folder = save_upload(FILES)
    assert folder.parent == uploads_folder()
    dataset = curation.load(folder)
    assert (dataset.name, dataset.class_names, len(dataset)) == ("labels", ("cat", "dog"), 3)
    with curation.open_store(dataset) as store:
        store.decide("e1", "keep", curator="ana")
    assert save_upload(FILES) == folder
    with curation.open_store(curation.load(folder)) as store:
        assert [each.example_id for each in store.current()] == ["e1"]
    other = {"labels": (FILES["labels"][0], FILES["labels"][1] + b"e9,dog,0.1,0.9\n")}
    assert save_upload(other) != folder
    assert len(list(uploads_folder().iterdir())) == 2


def test_a_place_that_cannot_be_written_is_named(tmp_path):
    uploads_folder().parent.mkdir()
    uploads_folder().write_text("a file, where a folder should be")
    with pytest.raises(InputError, match="cannot be saved in"):
        save_upload(FILES)


@pytest.mark.fault(
    65,
    "BLOCK",
    says="The files cannot be saved in …: No space left on device. Free some space or allow "
    "writing to that folder, or copy the files elsewhere on this machine and open their "
    "path.",
)
def test_half_an_upload_leaves_nothing(monkeypatch):
    def full(*_):
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr("curation.ui.shell.uploads.write_manifest", full)
    with pytest.raises(InputError, match="No space left"):
        save_upload(FILES)
    assert not list(uploads_folder().iterdir())
