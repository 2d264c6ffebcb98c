from __future__ import annotations

import csv
import json

import numpy as np
import pandas as pd
import pytest

import curation
from curation.analysis.findings import METHODS


def read(bench, name):
    with (bench.out / name).open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_every_flagged_example_is_listed_with_exact_scores(small):
    small.decide(1, "relabel", "eel").decide(5, "exclude")
    small.export(method="confusion")
    findings = curation.analyze(small.dataset.labels, small.dataset.pred_probs)
    rows = findings.issues("confusion")
    found = read(small, "issues.csv")
    assert [each["id"] for each in found] == [f"e{row}" for row in rows] and len(rows) == 2
    for row, each in zip(rows.tolist(), found, strict=True):
        assert float(each["self_confidence"]) == findings.self_confidence[row]
        assert float(each["label_quality"]) == findings.self_confidence[row]
        assert float(each["normalized_margin"]) == findings.normalized_margin[row]
        assert float(each["log_margin"]) == pytest.approx(findings.log_margin[row], abs=1e-12)
        assert each["given_label"] == ("cat", "dog", "eel")[small.dataset.labels[row]]
        assert each["suggested_label"] == each["predicted_label"] == "eel"
        assert each["is_label_issue"] == "True"
        for method in METHODS:
            assert each[method] == str(findings.masks[method][row])
    by_id = {each["id"]: each for each in found}
    assert (by_id["e1"]["action"], by_id["e1"]["corrected_label"]) == ("relabel", "eel")
    assert (by_id["e2"]["action"], by_id["e2"]["corrected_label"]) == ("", "")


def test_corrections_applied_as_cleanlab_studio_does_give_the_cleaned_labels(small):
    small.relabel({1: "eel", 6: "dog"}).decide(2, "exclude").decide(3, "keep")
    small.export()
    table = pd.read_csv(small.root / "labels.csv", dtype=str, keep_default_na=False).set_index("id")
    for each in read(small, "corrections.csv"):
        if each["action"] == "exclude":
            table = table.drop(index=each["id"])
        elif each["corrected_label"]:
            table.loc[each["id"], "label"] = each["corrected_label"]
    cleaned = pd.read_csv(small.out / "cleaned_labels.csv", dtype=str, keep_default_na=False)
    assert table.reset_index().equals(cleaned)


def test_both_labels_are_listed_and_the_given_one_stays(small):
    small.decide(1, "ambiguous", labels=["cat", "eel"]).decide(
        5, "ambiguous", labels=["cat", "dog"]
    )
    small.export(method="confusion")
    corrections = {each["id"]: each for each in read(small, "corrections.csv")}
    issues = {each["id"]: each for each in read(small, "issues.csv")}
    assert json.loads(corrections["e5"]["both_labels"]) == ["cat", "dog"]
    for each in (corrections["e1"], issues["e1"]):
        assert json.loads(each["both_labels"]) == ["cat", "eel"]
        assert each["corrected_label"] == ""
    assert issues["e2"]["both_labels"] == ""


def test_both_labels_are_written_as_the_cleaned_labels_are(small):
    small.decide(1, "ambiguous", labels=["cat", "dog"]).decide(
        5, "ambiguous", labels=["cat", "eel"]
    )
    small.decide_classes("merge", "cat", "dog", into="pet").export(apply_merges=True)
    both = {each["id"]: json.loads(each["both_labels"]) for each in read(small, "corrections.csv")}
    assert both == {"e1": ["pet"], "e5": ["pet", "eel"]}


def test_label_quality_is_what_cleanlab_calls_it(small):
    rank = pytest.importorskip("cleanlab.rank")
    small.export(method="confusion")
    quality = rank.get_label_quality_scores(
        small.dataset.labels, np.array(small.dataset.pred_probs)
    )
    for each in read(small, "issues.csv"):
        assert float(each["label_quality"]) == quality[small.dataset.row_of[each["id"]]]


def test_pruned_examples_are_excluded_without_a_curator(small):
    small.export(method="confusion", undecided="confusion")
    assert {(e["action"], e["curator"]) for e in read(small, "issues.csv")} == {("exclude", "")}


def test_scores_stay_numbers_in_a_spreadsheet_safe_table(small):
    small.export(method="confusion", spreadsheet_safe=True)
    assert all(float(each["normalized_margin"]) < 0 for each in read(small, "issues.csv"))


def test_issues_are_written_in_the_order_asked_for(bench):
    bench.write("labels.csv", b"id,label\na,cat\nb,cat\nc,dog\nd,dog\ne,cat\nf,dog\n")
    bench.write(
        "probs.csv",
        b"id,cat,dog,eel\na,.0001,.6,.3999\nb,.05,.8,.15\nc,.1,.8,.1\nd,.1,.8,.1\n"
        b"e,.8,.1,.1\nf,.1,.8,.1\n",
    )
    bench.export(method="confusion")
    assert [each["id"] for each in read(bench, "issues.csv")] == ["b", "a"]
    bench.export(method="confusion", order="log_margin")
    assert [each["id"] for each in read(bench, "issues.csv")] == ["a", "b"]


def test_issues_can_be_sorted_by_neighbours(small, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr("curation.neighbours.neighbour_search.NEAREST", 2)
    small.export(method="confusion")
    plain = [each["id"] for each in read(small, "issues.csv")]
    first, second = (int(each[1:]) for each in plain)
    features = np.eye(10)
    features[second] = features[8] = features[9] = features[0] + 2  # among the eels, as suggested
    features[first] = features[3] = features[5] = features[7] - 2  # among the dogs, as labelled
    np.save(small.root / "embeddings.npy", features)
    small.export(method="confusion", order="neighbours")
    assert [each["id"] for each in read(small, "issues.csv")] == plain[::-1]
