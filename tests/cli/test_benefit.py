"""`curate benefit`: the sentence, the table, and what stops it."""

from __future__ import annotations

import json

import pytest

import curation
from curation.cli import main
from curation.cli.check import BLOCKED
from tests.modelling.conftest import write_known


@pytest.fixture
def known(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return write_known(tmp_path / "pets")


def run(*arguments):
    return main(["benefit", *map(str, arguments), "--runs", "2"])


def test_it_prints_the_sentence_the_table_and_how_to_read_it(known, capsys):
    assert run(known) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("Removing the ") and "held-out examples" in lines[0]
    assert [line[:22].strip() for line in lines[2:10]] == [
        "trained on", "Labels as given", "Confusion baseline", "Confident joint", "Prune by class",
        "Prune by noise rate", "Both prunings", "Random examples",
    ]  # fmt: skip
    assert lines[11].startswith("Held-out examples are random; their true labels are known")
    assert not (known / "decisions.db").exists()  # asking writes nothing next to the data


def test_decisions_are_applied(known, capsys):
    data = curation.load(known)
    with curation.open_store(data) as store:
        for row in range(60):
            label = data.class_ids[data.true_labels[row]]
            store.decide(f"e{row}", "relabel", label=label, curator="ana")
    assert run(known, "--json") == 0
    record = json.loads(capsys.readouterr().out)
    assert record["decisions_sentence"].startswith("Applying the ")
    assert len(record["scores"]) == 1 + 7 * 5 and record["runs"] == 2
    assert record["scores"][-1]["trained_on"] == "decisions"


def test_what_is_wrong_is_two_lines(known, capsys):
    assert run(known, "--against", "split") == BLOCKED
    problem, remedy = capsys.readouterr().err.strip().splitlines()
    assert "too few examples to compare with the given labels of the test split" in problem
    assert remedy == "Choose from: true, given."


def test_stopping_says_how_to_go_on(known, capsys, monkeypatch):
    def stop(*given, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr("curation.modelling.measure_benefit", stop)
    assert run(known) == BLOCKED
    assert "Run the same command again" in capsys.readouterr().err
