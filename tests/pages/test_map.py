"""The Map page: an offer to make it, what is on it, and what is selected."""

from __future__ import annotations

import json

import numpy as np
import pytest

import curation
from curation.neighbours.map_area import Area
from curation.store import open_store
from curation.ui.shell import neighbour_job
from tests.pages.visiting import link, run, seen

MAP = "pages/6_Map.py"
EVERYTHING = ((0, 0), (4095, 0), (4095, 4095), (0, 4095))


def find_area(folder, points=EVERYTHING):
    key = curation.find_neighbours(curation.load(folder)).key
    return Area("pca", key[:8], points).write()


def sent_to_browser(app):
    """Return what the map was sent: the text in JSON, and how many points follow."""
    (component,) = [
        each.proto for each in app.main if "curation_map" in str(getattr(each, "proto", ""))[:400]
    ]
    raw = component.bytes
    size = int(np.frombuffer(raw[:4], "<u4")[0])
    return json.loads(raw[4 : 4 + size]), (len(raw) - 4 - size) // 5


def test_a_quick_map_is_made_without_asking_and_says_what_it_is_made_of(pets):
    app = run(pets, MAP)
    assert not app.exception
    assert "Compared by the logarithms of the probabilities" in seen(app)
    assert "Nothing is selected" in seen(app)
    about, points = sent_to_browser(app)
    assert points == 300 and [each["name"] for each in about["legend"]] == ["cat", "dog", "eel"]
    assert sum(each["count"] for each in about["legend"]) == 300


def test_a_slow_map_is_made_only_when_asked_for(pets, monkeypatch):
    monkeypatch.setattr(neighbour_job, "SECONDS_WITHOUT_ASKING", 0.0)
    app = run(pets, MAP)
    assert "Compared by" not in seen(app)
    app.button(key="find-neighbours").click().run()
    assert not app.exception and "Compared by" in seen(app)


def test_a_map_that_is_done_while_the_page_is_drawn_is_shown(pets, monkeypatch):
    monkeypatch.setattr(neighbour_job, "SECONDS_WITHOUT_ASKING", 0.0)
    app = run(pets, MAP)
    app.button(key="find-neighbours").click().run()
    looked, peek = [], neighbour_job.peek_neighbours

    def look_too_early(dataset):
        looked.append(1)
        return peek(dataset) if len(looked) > 1 else None

    monkeypatch.setattr(neighbour_job, "peek_neighbours", look_too_early)
    app.run()
    assert not app.exception and "Compared by" in seen(app)


def test_features_that_do_not_fit_are_explained(pets):
    np.save(pets / "embeddings.npy", np.ones((7, 2)))
    app = run(pets, MAP)
    assert not app.exception
    assert "7 rows for 300 examples" in seen(app)


def test_an_area_in_the_link_is_selected_and_leads_to_exactly_these_examples(pets):
    area = find_area(pets)
    app = run(pets, MAP, area=area)
    assert "Selected: 300 examples" in seen(app)
    findings = curation.analyze(*(np.load(pets / f"{name}.npy") for name in ("labels", "probs")))
    app = run(pets, MAP, area=area, only_flagged="on")
    assert f"Selected: {len(findings.issues())} examples" in seen(app)


def test_an_area_of_another_map_is_dropped(pets):
    app = run(pets, MAP, area=Area("pca", "ffffffff", EVERYTHING).write())
    assert "Nothing is selected" in seen(app) and "area" not in link(app)


@pytest.mark.parametrize("colour", ["suggested", "margin", "decision"])
def test_colours_can_be_chosen_by_link(pets, colour):
    app = run(pets, MAP, colour=colour)
    about, _ = sent_to_browser(app)
    names = [each["name"] for each in about["legend"]]
    expected = {"suggested": "not flagged", "margin": "−1.0 to −0.7", "decision": "undecided"}
    assert not app.exception and expected[colour] in names


def test_what_is_decided_can_be_left_out_and_coloured(pets):
    dataset = curation.load(pets)
    with open_store(dataset) as store:
        store.decide(str(dataset.ids[3]), "exclude", curator="ana")
    about, points = sent_to_browser(run(pets, MAP, colour="decision", only_undecided="on"))
    assert points == 299
    about, points = sent_to_browser(run(pets, MAP, colour="decision"))
    counts = {each["name"]: each["count"] for each in about["legend"]}
    assert counts == {"undecided": 299, "exclude": 1}


def test_without_umap_the_page_says_how_to_install_it_and_shows_the_axes(pets, monkeypatch):
    monkeypatch.setattr("curation.ui.map.point_choice.has_umap", lambda: False)
    app = run(pets, MAP, layout="umap")
    assert not app.exception
    assert "pip install 'confident-curation[umap]'" in seen(app)
    assert sent_to_browser(app)[1] == 300 and "by the two directions" in seen(app)


def test_a_layout_that_fails_is_explained_and_can_be_tried_again(pets, monkeypatch, caplog):
    def fail(*given):
        raise ValueError("numba")

    monkeypatch.setattr("curation.ui.map.point_choice.has_umap", lambda: True)
    monkeypatch.setattr("curation.ui.map.point_choice.make_umap", fail)
    app = run(pets, MAP, layout="umap")
    app.button(key="make-umap").click().run()
    assert not app.exception and "The server's log says why." in seen(app)
    assert "the layout by UMAP failed" in caplog.text
    assert not app.button(key="make-umap").disabled


def test_umap_lays_out_the_map_once_asked(pets):
    pytest.importorskip("umap")
    app = run(pets, MAP, layout="umap")
    assert "Lay out with UMAP" in [button.label for button in app.button]
    app.button(key="make-umap").click().run(timeout=240)
    assert not app.exception
    assert "by UMAP; distances between clusters mean little" in seen(app)
    assert sent_to_browser(app)[1] == 300
