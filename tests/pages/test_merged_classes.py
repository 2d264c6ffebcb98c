"""Classes that a curator merged or renamed are understood by every page at once."""

from __future__ import annotations

import json

import numpy as np
import pytest

import curation
from curation.store import open_store
from tests import small_set
from tests.pages.visiting import run, seen

FLAGGED = 12  # given cat, and surely dogs


@pytest.fixture
def folder(tmp_path):
    return small_set.write_texts(tmp_path / "set", 60, FLAGGED, rng=np.random.default_rng(3))


def ask_review(folder, **parameters):
    page = run(folder, "pages/3_Review.py", **parameters)
    return json.loads(page.get("bidi_component")[0].proto.json)["answer"]


def test_nothing_is_asked_about_two_labels_that_are_one_class_now(folder):
    assert ask_review(folder)["counts"]["undecided"] == FLAGGED
    with open_store(curation.load(folder)) as store:
        store.decide_classes("merge", "cat", "dog", into="dog", curator="ana")
    assert ask_review(folder)["counts"]["undecided"] == 0
    assert "<b>0</b> flagged" in seen(run(folder))
    assert f"{FLAGGED} issues undecided" not in seen(run(folder, "pages/4_Export.py"))
    with open_store(curation.load(folder)) as store:
        store.undo(curator="ana")
    assert ask_review(folder)["counts"]["undecided"] == FLAGGED


def test_a_merge_of_other_classes_settles_nothing_else(folder):
    with open_store(curation.load(folder)) as store:
        store.decide_classes("merge", "cat", "eel", into="cat", curator="ana")
    assert ask_review(folder)["counts"]["undecided"] == FLAGGED


def test_review_shows_a_new_name_with_the_old_one(folder):
    with open_store(curation.load(folder)) as store:
        store.decide_classes("rename", "dog", into="hound", curator="ana")
    assert ask_review(folder)["names"] == ["cat", "hound (was dog)", "eel"]


def test_what_a_merge_settles_is_neither_pruned_nor_an_issue_in_the_export(folder, tmp_path):
    dataset = curation.load(folder)
    with open_store(dataset) as store:
        store.decide_classes("merge", "cat", "dog", into="dog", curator="ana")
        curation.export(dataset, store, tmp_path / "out", undecided="confident_joint")
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert manifest["counts"]["flagged"] == manifest["counts"]["pruned"] == 0


def test_every_page_understands_a_class_that_a_curator_added(folder):
    dataset = curation.load(folder)
    findings = curation.analyze(dataset.labels, dataset.pred_probs, dataset.class_names)
    first, second = (str(dataset.ids[row]) for row in findings.issues()[:2])
    with open_store(dataset) as store:
        store.decide(first, "relabel", new_class="<b>zebra</b>", curator="ana")
        store.decide(second, "relabel", label="dog", curator="ana")
        store.decide_classes("rename", "dog", into="hound", curator="ana")
    pages = ("overview.py", *(f"pages/{each}.py" for each in ("1_Noise", "2_Overlap", "5_Quality")))
    for page in pages:
        shown = run(folder, page, labels="decided")
        assert not shown.exception, page
    assert "1 relabelled, 1 given a new class and left out; the rest as given." in seen(
        run(folder, "pages/1_Noise.py", labels="decided")
    )
    export = seen(run(folder, "pages/4_Export.py"))
    assert "New: " in export and "added by ana; 1 example" in export
    answer = ask_review(folder)
    assert answer["added"] == ["<b>zebra</b>"] and answer["names"][1] == "hound (was dog)"
    assert answer["adding"] == {
        "note": "The cleaned labels.csv gets its name, and class_map.csv lists it.",
        "closed": None,
    }
