"""The check of a large matrix is made once, and again as soon as a file changes."""

from __future__ import annotations

import os

import numpy as np
import pytest

import curation
from curation.loading.join import matrix_check, saved_check
from tests.pages.visiting import save
from tests.saving import save_everything


@pytest.fixture
def pets(tmp_path, monkeypatch):
    save_everything(tmp_path, monkeypatch)
    return save(tmp_path / "pets")


@pytest.fixture
def readings(monkeypatch):
    """How often a whole matrix was read for its check."""
    read, survey = [], matrix_check.survey_matrix

    def count(*args):
        read.append(1)
        return survey(*args)

    monkeypatch.setattr(matrix_check, "survey_matrix", count)
    return read


def test_unchanged_files_are_read_once_and_give_the_same_report(pets, readings):
    first = curation.load(pets)
    assert len(readings) == 1
    again = curation.load(pets)
    assert len(readings) == 1
    assert again.report == first.report
    assert np.array_equal(again.pred_probs[:], first.pred_probs[:])


def test_a_changed_check_is_made_on_files_that_were_checked_before(pets, readings, monkeypatch):
    curation.load(pets)
    monkeypatch.setattr(saved_check, "_hash_checks", lambda: "another")
    curation.load(pets)
    assert len(readings) == 2


@pytest.mark.parametrize("odd", ["nan", "sum"])
def test_dropped_and_rescaled_rows_are_recalled(pets, readings, odd):
    probs = np.load(pets / "probs.npy")
    if odd == "nan":
        probs[[3, 7]] = np.nan
    else:
        probs[5] *= 0.9
    np.save(pets / "probs.npy", probs)
    first = curation.load(pets, drop_rows=True)
    read = len(readings)
    again = curation.load(pets, drop_rows=True)
    assert len(readings) == read
    assert again.report == first.report and any(first.report.diagnoses)
    assert again.ids.tolist() == first.ids.tolist()
    assert np.array_equal(again.pred_probs[:], first.pred_probs[:])


@pytest.mark.fault(77, "HOLDS")
def test_probabilities_changed_in_place_are_checked_again(pets, readings):
    curation.load(pets)
    path, before = pets / "probs.npy", os.stat(pets / "probs.npy")
    with path.open("r+b") as file:
        file.seek(-8, os.SEEK_END)
        file.write(np.array([np.nan]).tobytes())
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    with pytest.raises(curation.CurationError, match="NaN"):
        curation.load(pets)
    assert len(readings) == 2


def test_other_labels_or_options_are_checked_anew(pets, readings):
    curation.load(pets)
    np.save(pets / "labels.npy", np.load(pets / "labels.npy")[::-1])
    curation.load(pets)
    curation.load(pets, class_order=["dog", "cat", "eel"])
    assert len(readings) == 3


def test_a_damaged_check_is_made_again(pets, readings, caplog):
    first = curation.load(pets)
    (path,) = (pets / ".curation" / "checks").glob("*.npz")
    path.write_bytes(path.read_bytes()[:-40])
    assert curation.load(pets).report == first.report
    assert len(readings) == 2 and "made again" in caplog.text


def test_small_files_leave_no_trace(tmp_path):
    folder = save(tmp_path / "small")
    curation.load(folder)
    assert not (folder / ".curation").exists()


def test_files_that_were_just_written_are_not_trusted(tmp_path, monkeypatch, readings):
    save_everything(tmp_path, monkeypatch)
    monkeypatch.setattr("curation.saved_results.STILL_WARM_NS", 10**12)
    folder = save(tmp_path / "fresh")
    curation.load(folder)
    curation.load(folder)
    assert len(readings) == 2
