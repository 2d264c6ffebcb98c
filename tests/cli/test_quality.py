"""`curate quality`: draw, measure, certify, verify, close."""

from __future__ import annotations

import json
import shutil

import pytest

from curation.cli import main
from curation.cli.check import BLOCKED
from tests.audited import Audited


@pytest.fixture
def pets(tmp_path):
    return Audited(tmp_path / "pets")


def curate(pets, *arguments):
    return main(["quality", *map(str, arguments), str(pets.folder)])


def test_from_the_draw_to_a_certificate_that_holds(pets, tmp_path, capsys):
    assert curate(pets, "--draw", "--seed", 7, "--size", 40, "--curator", "ana") == 0
    assert "Drawn: 40 labels, seed 7." in capsys.readouterr().out
    with pets.open() as store:
        pets.judge(store, store.audits()[0].plan["rows"])
    file, page = tmp_path / "certificate.json", tmp_path / "certificate.html"
    assert curate(pets, "--close", "--curator", "ben", "--certificate", file) == 0
    shown = capsys.readouterr().out
    assert "At most" in shown and "40 judged of 40 drawn by ana" in shown and "by ben" in shown
    assert curate(pets, "--certificate", page) == 0
    assert json.loads(file.read_text())["sentence"] in page.read_text()
    assert curate(pets, "--verify", file) == 0
    assert capsys.readouterr().out.splitlines()[-2].startswith("TRUE")


def test_a_certificate_that_was_changed_is_not_true(pets, tmp_path, capsys):
    curate(pets, "--draw", "--seed", 7, "--size", 9, "--curator", "ana")
    file = tmp_path / "certificate.json"
    curate(pets, "--certificate", file)
    file.write_text(file.read_text().replace('"seed": 7', '"seed": 11'))
    capsys.readouterr()
    assert curate(pets, "--verify", file) == 1
    shown = capsys.readouterr().out
    assert shown.startswith("NOT TRUE") and "The seed was changed" in shown


def test_an_export_is_verified_without_the_store(pets, tmp_path, capsys):
    curate(pets, "--draw", "--seed", 7, "--size", 9, "--curator", "ana")
    with pets.open() as store:
        pets.judge(store, store.audits()[0].plan["rows"])
    main(["export", str(pets.folder), "--out", str(tmp_path / "out")])
    shutil.rmtree(pets.folder / ".curation")
    capsys.readouterr()
    assert curate(pets, "--verify", tmp_path / "out" / "certificate.json") == 0
    assert "TRUE" in capsys.readouterr().out
    assert curate(pets, "--log", tmp_path / "out" / "audit.jsonl") == 0
    assert "9 judged of 9 drawn by ana" in capsys.readouterr().out


def test_a_replayed_export_holds_the_same_certificate(pets, tmp_path):
    curate(pets, "--draw", "--seed", 7, "--size", 9, "--curator", "ana")
    main(["export", str(pets.folder), "--out", str(tmp_path / "one")])
    audit = tmp_path / "one" / "audit.jsonl"
    main(["replay", str(audit), str(pets.folder), "--out", str(tmp_path / "two")])
    for name in ("certificate.json", "certificate.html", "audit.jsonl"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_asking_without_an_audit_says_how_to_draw_one_and_writes_nothing(pets, capsys):
    assert curate(pets) == BLOCKED
    assert "No audit was drawn" in capsys.readouterr().err
    assert not (pets.folder / ".curation" / "decisions.db").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--draw"], "It is not said who draws"),
        (["--close", "--curator", "ana"], "No audit is open"),
        (["--draw", "--curator", "ana", "--log", "x.jsonl"], "not in a file"),
        (["--log", "nowhere.jsonl"], "nowhere.jsonl cannot be read"),
        (["--draw", "--curator", "ana", "--size", "0"], "The size is 0"),
        (["--draw", "--curator", "ana", "--method", "guess"], "guess"),
    ],
)
def test_errors_are_printed_in_two_lines(pets, capsys, arguments, words):
    assert curate(pets, *arguments) == BLOCKED
    assert words in capsys.readouterr().err


def test_figures_as_json_and_another_confidence(pets, capsys):
    curate(pets, "--draw", "--seed", 7, "--size", 9, "--curator", "ana")
    with pets.open() as store:
        pets.judge(store, store.audits()[0].plan["rows"])
    widths = []
    for confidence in (0.5, 0.99):
        capsys.readouterr()
        assert curate(pets, "--json", "--confidence", confidence) == 0
        found = json.loads(capsys.readouterr().out)["figures"]["total_errors"]
        widths.append(found["high"] - found["low"])
    assert widths[0] < widths[1]


def test_a_certificate_needs_a_known_kind_of_file(pets, tmp_path, capsys):
    curate(pets, "--draw", "--seed", 7, "--size", 9, "--curator", "ana")
    assert curate(pets, "--certificate", tmp_path / "certificate.pdf") == BLOCKED
    assert "neither .json nor .html" in capsys.readouterr().err
