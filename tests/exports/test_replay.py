"""The log and the inputs give the same files again, to the byte, wherever and whenever."""

from __future__ import annotations

import hashlib
import json
import shutil
from dataclasses import fields

import numpy as np
import pytest

import curation
from curation.cli import main
from curation.exports import OutcomeSettings
from curation.store.backup import back_up, restore
from curation.wording import EXPORT_HELP


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture
def busy(small):
    """Decisions of every kind, through a store: undone, redone, disputed, about classes."""
    store = small.store
    store.decide("e1", "relabel", label="eel", curator="ana", note="näh 😀\n", seconds=1.25)
    store.decide("e2", "exclude", curator="bo")
    store.decide("e2", "keep", curator="ana")
    store.decide("e3", "ambiguous", labels=["cat", "eel"], curator="ana", kind="multi_label")
    store.decide("e4", "exclude", curator="ana")
    store.undo(curator="ana")
    store.undo(curator="ana")
    store.redo(curator="ana")
    store.decide_classes("merge", "cat", "dog", into="beast", curator="bo")
    store.resolve("e6", "relabel", label="dog", curator="lead")
    store.decide("e7", "relabel", new_class="Zebra", curator="bo")
    return small


OPTIONS = [
    {},
    {"policy": "agreed only", "excluded": "flag"},
    {"apply_merges": True, "undecided": "confusion", "spreadsheet_safe": True},
    {"method": "both", "threshold": 75.0, "collisions": "confident", "ambiguous": "exclude"},
]


@pytest.mark.parametrize("options", OPTIONS, ids=lambda each: "-".join(each) or "plain")
def test_a_replay_elsewhere_is_identical_in_every_byte(busy, tmp_path, options, capsys):
    exported = curation.export(busy.dataset, busy.store, busy.out, **options)
    moved = tmp_path / "another place" / "renamed"
    shutil.copytree(busy.root, moved)
    again = tmp_path / "again"
    audit = exported.folder / "audit.jsonl"
    assert main(["replay", str(audit), str(moved), "--out", str(again)]) == 0
    assert contents(again) == contents(exported.folder)
    assert "changed," in capsys.readouterr().out


@pytest.mark.fault(80, "HOLDS")
def test_a_backup_restored_on_a_new_machine_exports_the_same_bytes(busy, tmp_path):
    expected = contents(curation.export(busy.dataset, busy.store, busy.out).folder)
    moved = tmp_path / "new machine" / "data"
    shutil.copytree(busy.root, moved)
    back_up(busy.database, tmp_path / "kept.db")
    assert restore(tmp_path / "kept.db", moved) is None
    dataset = curation.load(moved)
    with curation.open_store(dataset) as store:
        assert contents(curation.export(dataset, store, tmp_path / "again").folder) == expected


def test_exporting_twice_gives_the_same_bytes(busy):
    first = contents(busy.export().folder)
    assert contents(busy.export().folder) == first


@pytest.mark.fault(78, "HOLDS")
def test_the_manifest_has_the_hash_of_every_other_file(busy):
    found = contents(busy.export().folder)
    manifest = json.loads(found.pop("manifest.json"))
    assert {name: each["sha256"] for name, each in manifest["files"].items()} == {
        name: hashlib.sha256(data).hexdigest() for name, data in found.items()
    }
    assert manifest["dataset"]["fingerprint"] == busy.dataset.fingerprint


def test_an_export_does_not_reveal_where_it_was_made(busy):
    for name, data in contents(busy.export().folder).items():
        assert str(busy.root.parent).encode() not in data, name


def test_the_command_exports_the_store_next_to_the_dataset(small, capsys):
    with curation.open_store(small.dataset) as store:
        store.decide("e1", "relabel", label="eel", curator="ana")
    assert main(["export", str(small.root), "--out", str(small.out), "--excluded", "flag"]) == 0
    assert "1 label changed" in capsys.readouterr().out
    assert b"e1,eel,text 1,false" in (small.out / "cleaned_labels.csv").read_bytes()


@pytest.mark.parametrize(
    ("flags", "words"),
    [(["--policy", "loudest"], "'latest', 'majority', 'agreed only'"),
     (["--threshold", "high"], 'Pass "mean" or a percentile')],
)  # fmt: skip
def test_a_flag_that_means_nothing_is_refused_in_words(small, capsys, flags, words):
    assert main(["export", str(small.root), "--out", str(small.out), *flags]) == 2
    assert words in capsys.readouterr().err
    assert not small.out.exists()


def test_every_option_has_a_flag_and_its_words():
    assert list(EXPORT_HELP) == [field.name for field in fields(OutcomeSettings)]


def test_a_missing_log_is_reported(small, capsys):
    assert main(["replay", "nothing.jsonl", str(small.root), "--out", str(small.out)]) == 2
    assert "There is no file nothing.jsonl" in capsys.readouterr().err


def test_the_function_is_found_also_after_the_package_was_imported():
    import curation.exports

    assert callable(curation.export) and curation.export is curation.exports.export


@pytest.mark.fault(3, "HOLDS")
def test_rows_that_were_left_out_are_listed_in_the_export(small):
    probs = np.load(small.root / "probs.npy")
    probs[[3, 5], 0] = np.nan
    np.save(small.root / "probs.npy", probs)
    small.overrides["drop_rows"] = True
    small.export()
    (dropped,) = [each for each in small.manifest["warnings"] if each["code"] == "probs.dropped"]
    assert dropped["first_rows"] == ["e3", "e5"] and dropped["count"] == 2
    assert "e3, e5" in (small.out / "report.html").read_text(encoding="utf-8")
