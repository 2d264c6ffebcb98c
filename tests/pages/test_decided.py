"""Labels as given or with the decisions, on the pages that show estimates."""

from __future__ import annotations

import json
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import curation
from curation.store import has_store, open_store
from curation.ui.shell import label_choice
from tests import oracle
from tests.overlap_data import write_overlaps
from tests.pages import visiting

NOISE, OVERLAP, REVIEW = "pages/1_Noise.py", "pages/2_Overlap.py", "pages/3_Review.py"
WIDGET = "widget.labels"


def decide(data: Path, *said: tuple[int, str, int | None], merge: tuple[int, int] | None = None):
    """Store decisions by row, and return the labels and probabilities they leave, the slow way."""
    dataset = curation.load(data)
    labels, rows = dataset.labels.tolist(), list(range(len(dataset)))
    probs = np.array(dataset.pred_probs[0 : len(dataset)], dtype=float)
    with open_store(dataset) as store:
        for row, action, label in said:
            store.decide(dataset.ids[row], action, label=label, curator="ana")
            labels[row] = labels[row] if label is None else label
            if action == "exclude":
                rows.remove(row)
        if merge:
            store.decide_classes("merge", *merge, into=merge[1], curator="ana")
            probs[:, merge[1]] += probs[:, merge[0]]
            probs[:, merge[0]] = 0
            labels = [merge[1] if label == merge[0] else label for label in labels]
    return [labels[row] for row in rows], probs[rows]


def flagged(data: Path) -> list[tuple[int, int]]:
    """Return the flagged rows with what is suggested, the worst first."""
    dataset = curation.load(data)
    findings = curation.analyze(dataset.labels, dataset.pred_probs)
    return [(int(row), int(findings.suggested_labels[row])) for row in findings.issues()]


def slow_errors(labels, probs) -> float:
    counts = oracle.slow_confident_joint(labels, oracle.slow_counted(labels, probs), len(probs[0]))
    return len(labels) * (1 - oracle.slow_joint(counts, labels).trace())


def given_errors(data: Path) -> float:
    dataset = curation.load(data)
    return slow_errors(dataset.labels.tolist(), dataset.pred_probs[0 : len(dataset)])


def open_page(data, page="overview.py", **parameters):
    test = visiting.run(data, page, **parameters)
    assert not test.exception and not test.error, test.error
    return test


def has_choice(test) -> bool:
    return any(each.key == WIDGET for each in test.get("button_group"))


@pytest.mark.parametrize("page", ["overview.py", NOISE])
def test_opening_a_page_creates_no_store_and_offers_no_choice(pets, page):
    test = open_page(pets, page, labels="decided")
    assert not has_choice(test) and "decided ·" not in visiting.seen(test)
    assert test.sidebar.text_input(key="curator-sidebar").value == "ana"  # who would decide
    assert not (pets / ".curation").exists()


def test_overview_leads_on_to_what_is_left_and_in_the_end_to_the_export(pets):
    def step() -> str:
        links = open_page(pets).get("page_link")
        return next(each.proto.label for each in links if each.proto.label.endswith("→"))

    issues = flagged(pets)
    assert step() == f"Review {len(issues)} issues →"
    decide(pets, (issues[0][0], "keep", None), (issues[1][0], "skip", None))
    assert step() == f"Review the {len(issues) - 2} left →"
    decide(pets, *((row, "relabel", label) for row, label in issues[2:]))
    assert step() == "Review the 1 skipped →"  # passed over, and not decided
    decide(pets, (issues[1][0], "needs_review", None))
    assert step() == "Review the 1 for a second look →"
    decide(pets, (issues[1][0], "keep", None))
    assert step() == "Export the cleaned labels →"


def test_kept_labels_change_nothing_but_are_counted(pets):
    (first, _), (second, _) = flagged(pets)[:2]
    decide(pets, (first, "keep", None), (second, "skip", None))
    test = open_page(pets, NOISE)
    assert not has_choice(test)
    words = visiting.seen(test)
    assert "<b>1</b> decided" in words and "· saved " in words
    assert f"1 of {len(flagged(pets))} flagged labels decided" in words


@pytest.mark.parametrize("page", ["overview.py", NOISE])
def test_estimate_with_the_decisions_is_the_oracles(pets, page):
    rows = flagged(pets)
    said = [(row, "relabel", label) for row, label in rows[:15]]
    said += [(rows[15][0], "exclude", None), (rows[16][0], "keep", None)]
    wrong = slow_errors(*decide(pets, *said))
    before = given_errors(pets)
    assert round(before) - round(wrong) > 5  # else the test would show nothing
    given = visiting.seen(open_page(pets, page))
    assert f"{before:,.0f} of 300" in given and "than as given" not in given
    words = visiting.seen(open_page(pets, page, labels="decided"))
    start = f"{before:,.0f} " if page == "overview.py" else ""
    of = f"{start}→ {wrong:,.0f} of 299"
    assert of in words
    assert f"{round(before) - round(wrong)} fewer than as given" in words
    assert "15 relabelled, 1 left out; the rest as given." in words
    assert "of the 16 labels that people chose or confirmed, it doubts 1." in words
    assert ("Not shown: 1 that a person confirmed." in words) == (page == "overview.py")


def test_choice_is_kept_in_the_link_and_on_other_pages(pets):
    row, label = flagged(pets)[0]
    decide(pets, (row, "relabel", label))
    test = open_page(pets, NOISE)
    assert "labels" not in visiting.link(test)
    test.button_group(key=WIDGET).set_value("decided").run()
    assert visiting.link(test)["labels"] == "decided"
    links = [each.proto.query_string for each in test.sidebar.get("page_link")]
    assert links and all("labels=decided" in each for each in links)
    test.button_group(key=WIDGET).set_value("given").run()
    assert "labels" not in visiting.link(test) and "fewer than as given" not in visiting.seen(test)


def test_decision_made_meanwhile_is_shown_by_the_next_run(pets):
    rows = flagged(pets)
    decide(pets, (rows[0][0], "relabel", rows[0][1]))
    test = open_page(pets, NOISE, labels="decided")
    assert "1 relabelled;" in visiting.seen(test)
    decide(pets, *[(row, "relabel", label) for row, label in rows[1:4]])
    test.run()
    assert "4 relabelled;" in visiting.seen(test) and "<b>4</b> decided" in visiting.seen(test)


def test_one_analysis_serves_every_run_until_something_is_decided(pets, monkeypatch):
    module, calls = sys.modules["curation.review.corrected_dataset"], []
    work = module.analyze

    def counted(*given, **more):
        calls.append(1)
        return work(*given, **more)

    monkeypatch.setattr(module, "analyze", counted)
    rows = flagged(pets)
    decide(pets, (rows[0][0], "relabel", rows[0][1]))
    test = open_page(pets, NOISE)
    assert not calls  # nobody asked yet
    test.button_group(key=WIDGET).set_value("decided").run()
    test.segmented_control(key="widget.matrix").set_value("inverse_noise_matrix").run()
    open_page(pets, labels="decided")
    assert len(calls) == 1
    decide(pets, (rows[1][0], "exclude", None))
    test.run()
    test.run()
    assert len(calls) == 2


def test_page_shows_the_labels_as_given_until_the_analysis_is_there(pets, monkeypatch):
    shown, module = threading.Event(), label_choice
    monkeypatch.setattr("curation.ui.shell.jobs.WAIT_SECONDS", 0)
    work, progress, seen = module.compare, module.show_progress, []

    def waiting(*given, **more):
        shown.wait(60)
        return work(*given, **more)

    def noting(job):
        progress(job)
        seen.append(job.stage)
        shown.set()

    monkeypatch.setattr(module, "compare", waiting)
    monkeypatch.setattr(module, "show_progress", noting)
    row, label = flagged(pets)[0]
    decide(pets, (row, "relabel", label))
    test = open_page(pets, NOISE, labels="decided")  # which looks again by itself
    assert seen and "1 relabelled;" in visiting.seen(test) and not test.get("progress")


def test_dataset_without_a_row_left_is_reported(tmp_path):
    data = visiting.save(tmp_path / "few", n=60)
    decide(data, *[(row, "exclude", None) for row in range(60)])
    test = visiting.run(data, NOISE, labels="decided")
    assert not test.exception and "There are no rows" in test.error[0].value
    assert "of 60 labels** look wrong" in visiting.seen(test)


def spec(test):
    return json.loads(test.get("plotly_chart")[0].proto.spec)


def test_map_marks_the_cells_that_changed_on_the_scale_as_given(tmp_path):
    data = write_overlaps(tmp_path / "data")  # 12 projectiles are missiles
    dataset = curation.load(data)
    rows = [row for row, label in flagged(data) if dataset.labels[row] == 0 and label == 1]
    decide(data, *[(row, "relabel", 1) for row in rows[:5]], (rows[5], "keep", None))
    given = open_page(data, NOISE, matrix="confident_joint")
    test = open_page(data, NOISE, matrix="confident_joint", labels="decided", given=0, true=1)
    before, now = spec(given), spec(test)
    for key in ("zmin", "zmax"):
        assert before["data"][0][key] == now["data"][0][key]
    assert now["data"][0]["colorbar"]["tickvals"] == before["data"][0]["colorbar"]["tickvals"]
    hover = now["data"][-1]["hovertext"][1]  # of projectile, missile
    assert hover.startswith("7 examples labelled <b>projectile</b> are confidently <b>missile</b>")
    assert hover.endswith("<br>5 fewer than as given")
    written = [each["text"] for each in now["layout"]["annotations"]]
    assert "7<br><span style='font-size:11px'>▼ 5</span>" in written
    assert sum("▼" in each or "▲" in each for each in written) == 1
    words = visiting.seen(test)
    assert "1 of 30 pairs of classes differs from the labels as given" in words
    assert "Labelled projectile, probably missile: 6 examples" in words
    assert "Not shown: 1 more with a label confirmed by a person." in words
    table = test.dataframe[0].value
    changed = table[table["change"].notna()]
    assert changed[["labelled", "probably", "change"]].to_numpy().tolist() == [
        ["projectile", "missile", -5]
    ]


def test_overlap_says_what_changed_and_keeps_emptied_pairs(tmp_path):
    data = write_overlaps(tmp_path / "data")
    dataset = curation.load(data)
    said = [
        (row, "relabel", label)
        for row, label in flagged(data)
        if (int(dataset.labels[row]), label) in ((0, 1), (0, 2))
    ]
    decide(data, *said, merge=(3, 2))  # bathtub is tub
    test = open_page(data, OVERLAP, labels="decided")
    table = test.dataframe[0].value
    # as given 15, 12, 8 and 1: projectile-missile keeps 3, tub-bathtub and the error none
    assert table["counted"].tolist() == [8, 3, 0, 0]
    assert [int(each) if each == each else 0 for each in table["change"]] == [0, -12, -12, -1]
    assert table["Looks like"].tolist()[2:] == ["", ""]
    assert "11 examples are counted between 2 pairs of classes, 25 fewer" in visiting.seen(test)
    each = open_page(data, OVERLAP, labels="decided", rows="each").dataframe[0].value
    assert each["counted"].tolist() == [8, 3, 0, 0, 0, 0]
    open_page(data, OVERLAP, labels="decided", view="map")
    assert "change" not in open_page(data, OVERLAP).dataframe[0].value
    for page in (test, open_page(data, OVERLAP)):  # also where much is shown
        assert visiting.width_of(page.dataframe[0], "Looks like") <= visiting.NARROW


def test_merge_can_be_decided_and_undone_with_the_decisions_shown(tmp_path):
    data = write_overlaps(tmp_path / "data")
    decide(data, merge=(3, 2))
    test = open_page(data, OVERLAP, labels="decided", a=0, b=1)
    test.button(key="distinct-0-1-0").click().run()
    assert not test.exception
    with open_store(curation.load(data)) as store:
        assert [each.action for each in store.class_decisions()] == ["merge", "distinct"]


def test_merged_class_is_no_longer_a_class(tmp_path):
    data = write_overlaps(tmp_path / "data")
    decide(data, merge=(3, 2))  # bathtub is tub
    words = visiting.seen(open_page(data, OVERLAP, labels="decided", a=0, b=1))
    assert "<b>5<i>→</i>4</b>" in words  # and not 6 to 5
    assert "<b>0</b> decided" in words and "· 1 class decision<" in words
    assert "Your decisions already merge them." in visiting.seen(
        open_page(data, OVERLAP, labels="decided", a=2, b=3)
    )
    test = open_page(data, labels="decided")
    assert "examples · 5 classes" in visiting.seen(test)
    assert "bathtub" not in test.dataframe[0].value["name"].tolist()
    priors = json.loads(test.get("plotly_chart")[-1].proto.spec)
    assert len(priors["layout"]["xaxis"]["ticktext"]) == 5
    assert "never confused" not in visiting.seen(test)  # it says nothing about class sizes
    noise = visiting.seen(open_page(data, NOISE, labels="decided"))
    assert "80 % of all pairs of classes are never confused" in noise  # 16 of 20
    assert "examples · 6 classes" in visiting.seen(open_page(data))


def test_merging_both_classes_leaves_one(tmp_path):
    data = write_overlaps(tmp_path / "two", ("cat", "dog"), ((0, 1, 9),))
    decide(data, merge=(0, 1))
    words = visiting.seen(open_page(data, labels="decided"))
    assert "examples · 1 class ·" in words and "One class is left." in words
    assert "Your decisions already merge them." in visiting.seen(
        open_page(data, OVERLAP, labels="decided", a=0, b=1)
    )


def test_noise_opens_on_the_largest_cell_of_what_is_shown(tmp_path):
    data = write_overlaps(tmp_path / "data")
    assert "Labelled projectile, probably missile" in visiting.seen(open_page(data, NOISE))
    decide(data, merge=(0, 1))
    words = visiting.seen(open_page(data, NOISE, labels="decided"))
    assert "Labelled :red[x] **b**, probably" in words


def test_review_keeps_count_itself(pets):
    row, label = flagged(pets)[0]
    decide(pets, (row, "relabel", label))
    assert "decided ·" not in visiting.seen(visiting.run(pets, REVIEW))


def test_store_that_cannot_be_opened_is_reported_and_hides_nothing_else(pets):
    (pets / ".curation").mkdir()
    (pets / ".curation" / "decisions.db").write_bytes(b"no database")
    test = open_page(pets, NOISE, labels="decided")
    assert "The decisions cannot be opened. The Review page says why." in visiting.seen(test)
    assert test.get("plotly_chart")


def test_store_exists_once_it_was_created_and_a_server_always(pets):
    dataset = curation.load(pets)
    place = pets.parent / "mine.db"
    for url in (None, place, f"sqlite:///{place}"):
        assert not has_store(dataset, url)
    open_store(dataset, place).close()
    assert has_store(dataset, place) and has_store(dataset, f"sqlite:///{place}")
    assert has_store(dataset, "postgresql://someone@nowhere/decisions")


def test_map_of_classes_says_how_it_was_as_given(tmp_path):
    data = write_overlaps(tmp_path / "data")
    dataset = curation.load(data)
    rows = [row for row, label in flagged(data) if (dataset.labels[row], label) == (0, 1)]
    decide(data, *[(row, "relabel", 1) for row in rows[:5]])
    figure = (
        open_page(data, OVERLAP, labels="decided", view="map").get("plotly_chart")[0].proto.spec
    )
    assert (
        "7 labelled projectile are probably missile, 3 the other way; as given 12 and 3" in figure
    )
