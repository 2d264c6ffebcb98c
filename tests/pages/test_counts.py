"""One count for one word, wherever it is shown: sidebar, pages, files and the command line."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

import curation
from curation.cli import main
from curation.store import ConflictError, open_store
from tests import small_set
from tests.pages.visiting import run, seen

FLAGGED = 30
SAID = [  # on flagged examples, in order: action, label, labels
    *[("relabel", "dog", None)] * 4, *[("keep", None, None)] * 3, ("exclude", None, None),
    ("ambiguous", None, ["cat", "dog"]), *[("skip", None, None)] * 2,
    *[("needs_review", None, None)] * 3,
]  # fmt: skip
DECIDED, SKIPPED, SECOND_LOOK = 9, 2, 3
DISPUTED = 2  # one of them by a late answer, which counts for nothing
MISFITS = 1  # decided once, and undecided again since its text changed
LEFT = FLAGGED - DECIDED - SKIPPED - SECOND_LOOK
OTHERS = 1  # decided without being flagged


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset with every kind of decision."""
    root = small_set.write_texts(
        tmp_path_factory.mktemp("counts") / "set", 90, FLAGGED, rng=np.random.default_rng(5)
    )
    with open_store(curation.load(root)) as store:
        for row, (action, label, labels) in enumerate(SAID):
            store.decide(f"t{row:05}", action, label=label, labels=labels, curator="ana")
        store.decide("t00004", "exclude", curator="ben")  # ana keeps it
        with pytest.raises(ConflictError):
            store.decide("t00005", "exclude", curator="ben", revision=0)
        store.decide("t00000", "skip", curator="ben")  # no opinion, so nothing is disputed
        store.decide("t00089", "keep", curator="ana")
        store.decide("t00029", "keep", curator="ana")
        store.decide_classes("distinct", "cat", "eel", curator="ana")
    text = (root / "labels.csv").read_text()
    (root / "labels.csv").write_text(text.replace("Example 29.", "Another 29."))
    return root


def number_before(words: str, text: str) -> int:
    """Return the one number that stands before some words."""
    found = set(re.findall(rf"([\d,]+)(?:</b>)? {words}", text))
    assert len(found) == 1, (words, found, text)
    return int(found.pop().replace(",", ""))


@pytest.mark.parametrize("page", ["overview.py", "pages/1_Noise.py", "pages/2_Overlap.py"])
def test_sidebar(folder, page):
    side = "".join(each.proto.body for each in run(folder, page).sidebar.get("html"))
    assert number_before("flagged", side) == FLAGGED
    assert f"{DECIDED} of {FLAGGED} flagged labels decided" in side
    assert f"<b>{DECIDED}</b> decided" in side
    assert number_before("left", side) == LEFT
    assert number_before("decided that is not flagged", side) == OTHERS
    assert number_before("class decision", side) == 1


def test_overview(folder):
    links = [each.proto.label for each in run(folder).get("page_link")]
    assert f"Review the {LEFT} left →" in links


@pytest.mark.parametrize("view", ["one", "grid"])
def test_review(folder, view):
    page = run(folder, "pages/3_Review.py", view=view)
    counts = json.loads(page.get("bidi_component")[0].proto.json)["answer"]["counts"]
    assert counts["all"] == FLAGGED and counts["undecided"] == LEFT
    assert counts["decided"] == DECIDED
    assert (counts["skipped"], counts["needs_review"]) == (SKIPPED, SECOND_LOOK)


def test_curators_table(folder):
    table = run(folder, "pages/3_Review.py", curators="on").dataframe[0].value
    # ana also decided one that is not flagged, and one whose text has changed since
    assert dict(zip(table["curator"], table["decided"], strict=True)) == {"ana": 11, "ben": 1}
    assert table["seconds each"].isna().all()  # nobody measured them


def test_the_curators_table_tells_answers_that_came_too_late_from_those_that_count(pets):
    with open_store(curation.load(pets)) as store:
        store.decide("1", "keep", curator="ana")
        store.decide("1", "relabel", label="eel", curator="ben")  # they differ
        store.decide("2", "keep", curator="ana")
        with pytest.raises(ConflictError):
            store.decide("2", "ambiguous", labels=["cat", "dog"], curator="ben", revision=0)
        store.decide("3", "keep", curator="ana")
        store.decide("3", "keep", curator="ben")
    app = run(pets, "pages/3_Review.py", curators="on")
    words = seen(app)
    assert "ana and ben agree on 1 of 2 examples that both decided" in words
    assert "They differ on 2 examples" in words
    assert "On one, an answer came after somebody else's and does not count." in words
    assert set(app.dataframe[1].value["ben"]) == {"→ eel", "both: cat and dog"}


def test_export_page(folder):
    words = seen(run(folder, "pages/4_Export.py"))
    assert number_before("issues undecided", words) == LEFT
    assert f"\n{DECIDED + OTHERS} decided: " in words
    assert f" · {SECOND_LOOK} for a second look · {SKIPPED} skipped" in words
    assert f"Curators disagree on {DISPUTED} examples" in words


def test_files_and_command_line(folder, tmp_path, capsys):
    assert main(["export", str(folder), "--out", str(tmp_path / "out")]) == 0
    assert f"{LEFT} of {FLAGGED} flagged are undecided." in capsys.readouterr().out
    counts = json.loads((tmp_path / "out" / "manifest.json").read_text())["counts"]
    assert counts["flagged"] == FLAGGED and counts["flagged_undecided"] == LEFT
    assert counts["flagged_decided"] == DECIDED and counts["decided"] == DECIDED + OTHERS
    assert counts["flagged_skipped"] == counts["skip"] == SKIPPED
    assert counts["flagged_second_look"] == counts["needs_review"] == SECOND_LOOK
    assert counts["disputed"] == DISPUTED and counts["misfits"] == MISFITS
    report = re.sub(r"<[^>]+>", " ", (tmp_path / "out" / "report.html").read_text())
    words = re.sub(r"\s+", " ", report)
    assert number_before("decided by a person", words) == DECIDED + OTHERS
    assert number_before("examples decided, by a log", words) == DECIDED + OTHERS
    assert f"flagged, undecided {LEFT} " in words and f"skipped {SKIPPED} " in words
    assert f"Curators disagree on {DISPUTED} examples" in words


def test_python(folder):
    dataset = curation.load(folder)
    with open_store(dataset) as store:
        assert len(store.disagreements()) == DISPUTED and len(store.misfits()) == MISFITS
        counts = store.counts()
    final = ("keep", "relabel", "ambiguous", "exclude")
    assert sum(counts[action] for action in final) == DECIDED + OTHERS
    assert (counts["skip"], counts["needs_review"]) == (SKIPPED, SECOND_LOOK)
