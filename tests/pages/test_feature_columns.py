"""A table without pictures and texts is reviewed by its values, and called by any column."""

import json

import numpy as np
import pytest

import curation
from curation.analysis.feature_ranges import compare_features, summarize_columns
from curation.ui.shell import jobs
from tests.folders import CHOSEN, write_unclear
from tests.pages.review_visits import open_page, sent_to_browser
from tests.pages.visiting import link, run, seen

FIX = json.dumps(CHOSEN)


@pytest.fixture
def trees(tmp_path):
    return write_unclear(tmp_path / "forest")


def first_item(page):
    data = sent_to_browser(page)
    return data["start"], data["items"][data["start"]]


def test_values_come_with_the_ranges_of_both_classes_the_most_telling_first(trees):
    name, item = first_item(open_page(trees, fix=FIX))
    assert [each["name"] for each in item["features"]] == ["height", "side <b>"]
    height = item["features"][0]
    dataset = curation.load(trees, **CHOSEN)
    own = dataset.labels == item["suggested"]
    heights = np.array(dataset.extras["height"], dtype=float)
    assert height["suggested"]["low"] == pytest.approx(np.quantile(heights[own], 0.1))
    assert height["suggested"]["high"] == pytest.approx(np.quantile(heights[own], 0.9))
    assert height["number"] == heights[dataset.row_of[name]] and height["evidence"] > 1
    side = item["features"][1]
    assert side["value"] in "NS" and 0.3 < side["given"]["share"] < 0.7
    assert item["extras"] == []


def test_the_numbers_sent_are_those_of_the_analysis(trees):
    name, item = first_item(open_page(trees, fix=FIX))
    dataset = curation.load(trees, **CHOSEN)
    summaries = summarize_columns(dataset.extras, dataset.labels, 3)
    cells = dataset.cells(dataset.row_of[name])
    expected = compare_features(cells, summaries, item["given"], item["suggested"])
    found = [each["evidence"] for each in item["features"]]
    assert found == [each.evidence for each in expected]


def test_columns_beyond_the_most_telling_follow_as_plain_text(trees, monkeypatch):
    monkeypatch.setattr("curation.ui.review.feature_columns.MAX_FEATURES", 1)
    _, item = first_item(open_page(trees, fix=FIX))
    assert [each["name"] for each in item["features"]] == ["height"]
    assert [name for name, _ in item["extras"]] == ["side <b>"]


def test_columns_of_pictures_or_texts_are_not_compared(tmp_path):
    (tmp_path / "labels.csv").write_text(
        "text,label,size\n" + "".join(f"t {k},{'ab'[k % 2]},{k}\n" for k in range(40))
    )
    np.save(tmp_path / "probs.npy", np.eye(2)[(np.arange(40) // 20) % 2] * 0.8 + 0.1)
    _, item = first_item(open_page(tmp_path))
    assert item["features"] == [] and [name for name, _ in item["extras"]] == ["size"]


def test_progress_is_shown_until_the_columns_are_compared(trees, monkeypatch):
    run(trees, fix=FIX)  # loaded and analysed
    monkeypatch.setattr(jobs, "WAIT_SECONDS", 0)
    page = run(trees, "pages/3_Review.py", fix=FIX)
    assert not page.exception
    assert page.get("bidi_component") or page.get("progress")


def test_any_column_is_the_title_of_an_item_on_every_page(trees):
    page = open_page(trees, fix=FIX, title="height")
    name, item = first_item(page)
    dataset = curation.load(trees, **CHOSEN)
    height = dataset.cells(dataset.row_of[name])["height"]
    row = int(dataset.source_rows[dataset.row_of[name]]) + 1
    assert item["content"] == {"kind": "index", "text": height, "row": row}
    assert page.selectbox(key="widget.title").options == ["its id", "height", "side <b>"]
    assert f'<div class="cu-id">{height}</div>' in seen(run(trees, fix=FIX, title="height"))
    grid = sent_to_browser(open_page(trees, fix=FIX, title="height", view="grid"))
    assert height in [tile["content"]["text"] for tile in grid["tiles"]]


def test_the_title_is_the_id_unless_another_is_chosen(trees):
    overview = run(trees, fix=FIX)
    assert '<div class="cu-id">t' in seen(overview)
    overview = overview.selectbox(key="widget.title").select("height").run()
    assert link(overview)["title"] == "height" and '<div class="cu-id">t' not in seen(overview)
    grid = sent_to_browser(open_page(trees, fix=FIX, view="grid"))
    assert grid["tiles"][0]["content"]["text"] == grid["tiles"][0]["id"]


def test_another_title_is_another_content_for_the_browser(trees):
    one, other = (
        sent_to_browser(open_page(trees, fix=FIX, title=title))["analysis"]
        for title in ("height", "side <b>")
    )
    assert one.split(" by ")[1] != other.split(" by ")[1]


def test_the_title_can_be_part_of_the_manifest(trees):
    fix = json.dumps(CHOSEN | {"title_column": "height"})
    assert '<div class="cu-id">t' not in seen(run(trees, fix=fix))
    assert '<div class="cu-id">t' in seen(run(trees, fix=fix, title="(id)"))


def test_the_rows_that_change_are_called_by_it_too(trees):
    dataset = curation.load(trees, **CHOSEN)
    with curation.open_store(dataset) as store:
        store.decide("t3", "relabel", label=int(dataset.labels[3] + 1) % 3, curator="ana")
    table = run(trees, "pages/4_Export.py", fix=FIX, title="height").dataframe[0].value
    assert table["title"].tolist() == [dataset.cells(3)["height"]]
    assert "title" not in run(trees, "pages/4_Export.py", fix=FIX).dataframe[0].value
