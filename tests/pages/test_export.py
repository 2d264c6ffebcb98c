"""What the Export page says will change, and what it writes."""

from __future__ import annotations

import json

import numpy as np
import pytest

import curation
from tests.pages.visiting import run, seen

PAGE = "pages/4_Export.py"


@pytest.fixture
def decided(pets):
    """Three issues relabelled, one kept, one excluded."""
    dataset = curation.load(pets)
    findings = curation.analyze(dataset.labels, dataset.pred_probs, dataset.class_names)
    rows = findings.issues()[:5]
    with curation.open_store(dataset) as store:
        for row in rows[:3]:
            label = int(findings.suggested_labels[row])
            store.decide(str(dataset.ids[row]), "relabel", label=label, curator="ana")
        store.decide(str(dataset.ids[rows[3]]), "keep", curator="ana")
        store.decide(str(dataset.ids[rows[4]]), "exclude", curator="ana", note="blurred")
    return pets, rows, findings


def test_nothing_decided_is_said_and_leads_to_the_review(pets):
    page = run(pets, PAGE)
    assert not page.exception
    assert "Nothing is decided yet" in seen(page)
    assert "0 rows of 300 change" in seen(page)


def test_what_changes_is_counted_and_listed_before_it_does(decided):
    pets, rows, findings = decided
    page = run(pets, PAGE)
    assert not page.exception
    assert "3 rows of 300 change" in seen(page) and "1 row leaves" in seen(page)
    assert "3 relabelled · 1 kept as labelled · 1 excluded" in seen(page)
    table = page.dataframe[0].value
    assert table["id"].tolist() == [*sorted(map(str, rows[:3]), key=int), str(rows[4])]
    assert table["after"].tolist()[-1] == "(row removed)" and set(table["by"]) == {"ana"}


def test_excluded_rows_can_be_flagged_instead(decided):
    page = run(decided[0], PAGE, excluded="flag")
    assert page.dataframe[0].value["after"].tolist()[-1] == "(flagged)"


def test_undecided_issues_can_be_pruned_by_a_method(decided):
    pets, _, findings = decided
    page = run(pets, PAGE, undecided="both")
    flagged = int(findings.mask("both").sum())
    pruned = page.dataframe[0].value["by"].str.startswith("pruned").sum()
    assert 0 < pruned <= flagged


def test_files_are_written_where_asked_and_the_path_is_shown(decided, tmp_path):
    pets, rows, findings = decided
    page = run(pets, PAGE)
    page.text_input(key="export-folder").set_value(str(tmp_path / "out")).run()
    page.button(key="export-write").click().run()
    while page.get("progress"):
        page.run()
    assert not page.exception
    assert str(tmp_path / "out") in page.code[0].value
    cleaned = np.load(tmp_path / "out" / "cleaned_labels.npy")
    assert len(cleaned) == 299
    counts = json.loads((tmp_path / "out" / "manifest.json").read_text())["counts"]
    assert counts["labels_changed"] == 3 and counts["excluded"] == 1


def test_folder_typed_just_before_the_click_is_the_one_written_to(decided, tmp_path):
    page = run(decided[0], PAGE)
    page.text_input(key="export-folder").set_value(str(tmp_path / "typed"))
    page.button(key="export-write").click().run()  # both arrive at once
    while page.get("progress"):
        page.run()
    assert (tmp_path / "typed" / "manifest.json").is_file()


def test_folder_that_holds_something_else_is_refused_in_words(decided, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.tex").write_text("my work")
    page = run(decided[0], PAGE)
    page.text_input(key="export-folder").set_value(str(tmp_path / "mine")).run()
    page.button(key="export-write").click().run()
    while page.get("progress"):
        page.run()
    assert not page.exception and page.error
    assert (tmp_path / "mine" / "thesis.tex").read_text() == "my work"


def test_losing_rows_of_a_test_set_is_warned_of(decided, tmp_path):
    pets, rows, _ = decided
    renamed = pets.rename(tmp_path / "pets_test")
    page = run(renamed, PAGE)
    assert any("test set" in each.value for each in page.warning)


def test_curators_who_differ_are_named_with_what_counts(decided):
    pets, rows, _ = decided
    with curation.open_store(curation.load(pets)) as store:
        store.decide(str(rows[0]), "keep", curator="ben")
    page = run(pets, PAGE)
    assert any("Curators differ on 1 example" in each.value for each in page.warning)
    agreed = run(pets, PAGE, policy="agreed only")
    assert "2 rows of 300 change" in seen(agreed)


def test_store_that_the_command_named_is_the_one_read(pets, tmp_path, monkeypatch):
    elsewhere = tmp_path / "elsewhere.db"
    dataset = curation.load(pets)
    with curation.open_store(dataset, elsewhere) as store:
        store.decide(str(dataset.ids[0]), "exclude", curator="ana")
    monkeypatch.setattr("sys.argv", ["app.py", "--data", str(pets), "--store", str(elsewhere)])
    assert "1 row leaves" in seen(run(None, PAGE))
