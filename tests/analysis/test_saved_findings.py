"""Saved findings are those of the analysis, and only of exactly this dataset."""

from __future__ import annotations

import os
from dataclasses import fields

import numpy as np
import pytest

import curation
from curation.analysis.findings import Findings
from curation.analysis.saved_findings import analyze_dataset, reopen_findings, save_findings
from tests.pages.visiting import save
from tests.saving import save_everything


@pytest.fixture
def pets(tmp_path, monkeypatch):
    save_everything(tmp_path, monkeypatch)
    return save(tmp_path / "pets")


def analyze_and_save(root, threshold="mean", collisions="argmax"):
    dataset = curation.load(root)
    findings = analyze_dataset(dataset, threshold, collisions)
    assert save_findings(dataset, findings, collisions) is not None
    return findings


def assert_same(found, expected):
    for each in fields(Findings):
        ours, theirs = getattr(found, each.name), getattr(expected, each.name)
        if each.name == "masks":
            assert ours.keys() == theirs.keys()
            assert all(np.array_equal(ours[name], theirs[name]) for name in ours)
        else:
            assert np.array_equal(ours, theirs), each.name
            if isinstance(theirs, np.ndarray):
                assert ours.dtype == theirs.dtype and not ours.flags.writeable, each.name


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.float16])
@pytest.mark.parametrize("threshold, collisions", [("mean", "argmax"), (90, "confident")])
def test_reopened_findings_are_equal_in_every_field(pets, dtype, threshold, collisions):
    np.save(pets / "probs.npy", np.load(pets / "probs.npy").astype(dtype))
    expected = analyze_and_save(pets, threshold, collisions)
    assert_same(reopen_findings(curation.load(pets), threshold, collisions), expected)


def test_other_settings_are_not_found(pets):
    analyze_and_save(pets)
    dataset = curation.load(pets)
    assert reopen_findings(dataset) is not None
    assert reopen_findings(dataset, 90) is None
    assert reopen_findings(dataset, "mean", "confident") is None


@pytest.mark.fault(77, "HOLDS")
@pytest.mark.parametrize("part", ["labels.npy", "probs.npy", "classes.json"])
def test_changed_file_is_noticed_even_with_the_same_size_and_time(pets, part):
    analyze_and_save(pets)
    path = pets / part
    before = os.stat(path)
    if part == "classes.json":
        path.write_text(path.read_text().replace("cat", "cow"))
    else:
        values = np.load(path)
        values[[0, 1]] = values[[1, 0]]
        if part == "labels.npy":
            values[0] = (values[0] + 1) % 3
        with path.open("r+b") as file:  # in place
            file.seek(before.st_size - values.nbytes)
            file.write(values.tobytes())
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    after = os.stat(path)
    assert (before.st_size, before.st_mtime_ns) == (after.st_size, after.st_mtime_ns)
    assert reopen_findings(curation.load(pets)) is None


def test_copied_folder_finds_its_findings_once_it_is_hashed(pets, tmp_path):
    expected = analyze_and_save(pets)
    os.rename(pets, tmp_path / "moved")
    dataset = curation.load(tmp_path / "moved")
    _ = dataset.fingerprint
    assert_same(reopen_findings(dataset), expected)


@pytest.mark.parametrize("name", ["predicted_labels", "self_confidence", "flags", "thresholds"])
def test_findings_that_do_not_fit_are_made_again(pets, name, caplog):
    analyze_and_save(pets)
    (path,) = (pets / ".curation" / "findings").glob("*.npz")
    arrays = dict(np.load(path))
    arrays[name] = np.full_like(arrays[name], 250) if name == "flags" else arrays[name][:-1]
    np.savez(path, **arrays)
    assert reopen_findings(curation.load(pets)) is None
    assert "made again" in caplog.text and not path.exists()


def test_findings_are_not_saved_for_probabilities_that_changed_meanwhile(pets):
    dataset = curation.load(pets)
    findings = analyze_dataset(dataset)
    np.save(pets / "probs.npy", np.load(pets / "probs.npy")[::-1])
    with pytest.raises(curation.CurationError, match="was changed after it was loaded"):
        save_findings(dataset, findings)
    assert not (pets / ".curation" / "findings").exists()
