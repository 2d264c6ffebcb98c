"""`curate analyze`: the headline now, and an opening without waiting later."""

from __future__ import annotations

import pytest

from curation.analysis import saved_findings
from curation.cli import main
from curation.cli.check import BLOCKED
from tests.pages.visiting import save
from tests.saving import save_everything


@pytest.fixture
def pets(tmp_path, monkeypatch):
    save_everything(tmp_path, monkeypatch)
    return save(tmp_path / "pets")


def test_analyze_prints_the_headline_and_saves_the_findings_once(pets, capsys, monkeypatch):
    assert main(["analyze", str(pets)]) == 0
    first = capsys.readouterr().out.splitlines()
    assert first[0] == "300 examples of 3 classes."
    assert "labels look wrong" in first[1] and "examples are flagged" in first[1]
    (saved,) = (pets / ".curation" / "findings").glob("*.npz")
    assert first[2] == f"Saved as {saved}. Open them with: curate {pets}"
    monkeypatch.setattr(saved_findings, "analyze", None)  # nothing is analysed again
    assert main(["analyze", str(pets)]) == 0
    assert capsys.readouterr().out.splitlines() == [*first[:2], "They were saved before."]


def test_analyze_takes_the_flags_of_check_and_stops_where_it_does(pets, capsys):
    assert main(["analyze", str(pets), "--class-order", "dog", "cat", "eel"]) == 0
    assert main(["analyze", str(pets), "--probs", "nowhere.npy"]) == BLOCKED
    assert "nowhere.npy" in capsys.readouterr().err


def test_analyze_that_is_stopped_says_so_in_two_lines(pets, capsys, monkeypatch):
    def stop(*_args, **_options):
        raise KeyboardInterrupt

    monkeypatch.setattr(saved_findings, "analyze", stop)
    assert main(["analyze", str(pets)]) == BLOCKED
    assert capsys.readouterr().err.startswith("Stopped; nothing was saved.\n")
