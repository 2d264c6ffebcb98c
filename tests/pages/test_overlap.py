"""What the Overlap page says and stores, without a browser."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

import curation
from curation.store import open_store
from curation.ui.overlap import class_decisions
from tests.overlap_data import write_overlaps
from tests.pages import visiting


@pytest.fixture(autouse=True)
def fresh_caches():
    st.cache_resource.clear()
    yield
    st.cache_resource.clear()


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return write_overlaps(tmp_path / "data")


def open_page(data: Path, **parameters: object) -> AppTest:
    page = visiting.run(data, "pages/2_Overlap.py", **parameters)
    for _ in range(60):  # opened and previewed in other threads
        assert not page.exception
        if page.title and not page.get("progress"):
            return page
        page.run()
    raise AssertionError(html_of(page))


def html_of(page: AppTest) -> str:
    return "".join(str(each.proto.body) for each in page.get("html"))


def click(page: AppTest, key: str) -> None:
    page.button(key=key).click().run()
    assert not page.exception


def stored(data: Path) -> list[Any]:
    with open_store(curation.load(data)) as store:
        return store.class_decisions()


def test_pairs_come_largest_first_with_names_ids_and_counts(data):
    table = open_page(data).dataframe[0].value
    first = table.iloc[0]
    assert list(first[["first", "first id", "second", "second id"]]) == [
        "projectile", "n0", "missile", "n1",
    ]  # fmt: skip
    assert list(first[["counted", "forth", "back", "confusion"]]) == [15, 12, 3, 15]
    assert list(table["counted"]) == [15, 12, 8, 1]
    assert first["Looks like"] == "kind or part of"


def test_each_direction_has_its_own_row(data):
    table = open_page(data, rows="each").dataframe[0].value
    assert list(table["counted"]) == [12, 8, 6, 6, 3, 1]
    assert list(table["second"][:2]) == ["missile", "<b>ear</b>"]


def test_the_filter_shows_the_pairs_of_one_class_and_chooses_the_largest(data):
    page = open_page(data)
    page.selectbox(key="widget.class").select(2).run()
    assert list(page.dataframe[0].value["counted"]) == [12, 1]
    assert page.query_params["class"] == "2" and page.query_params["a"] == "2"
    page.selectbox(key="widget.class").set_value(None).run()
    assert len(page.dataframe[0].value) == 4 and "class" not in page.query_params


def test_more_rows_are_shown_when_asked_and_by_the_link(data, monkeypatch):
    monkeypatch.setattr(sys.modules["curation.ui.overlap.pair_table"], "ROWS_PER_CLICK", 2)
    page = open_page(data)
    assert len(page.dataframe[0].value) == 2
    click(page, "overlap-more")
    assert len(page.dataframe[0].value) == 4 and page.query_params["most"] in ("4", ["4"])
    assert len(open_page(data, most=3).dataframe[0].value) == 3
    for nonsense in ("-1", "all", "9" * 20):
        assert len(open_page(data, most=nonsense).dataframe[0].value) == 2


@pytest.mark.parametrize("pair", [{"a": 3, "b": 2}, {"a": "n2", "b": "n3"}])
def test_a_link_restores_its_pair(data, pair):
    assert "6 + 6 examples in doubt" in html_of(open_page(data, **pair))


@pytest.mark.parametrize(
    "pair", [("0", "1"), ("n0", "n1"), ("projectile", "missile"), ("n0", "missile")]
)
def test_a_link_that_opens_here_opens_on_the_noise_page_too(data, pair):
    assert "12 + 3 examples in doubt" in html_of(open_page(data, a=pair[0], b=pair[1]))
    noise = visiting.run(data, "pages/1_Noise.py", given=pair[0], true=pair[1])
    assert "Labelled projectile, probably missile: " in html_of(noise)


def test_the_chosen_pair_is_marked_in_the_table(data):
    page = open_page(data, a=3, b=2)
    assert page.dataframe[0].value["chosen"].tolist() == ["", "●", "", ""]
    assert not any(open_page(data, a=1, b=4).dataframe[0].value["chosen"])


@pytest.mark.parametrize("pair", [{"a": 0, "b": 0}, {"a": 77, "b": "-1"}, {"a": "nobody"}])
def test_a_link_to_no_pair_shows_the_largest(data, pair):
    page = open_page(data, **pair)
    assert "12 + 3 examples in doubt" in html_of(page)
    assert (page.query_params["a"], page.query_params["b"]) == ("0", "1")


def test_a_pair_without_a_counted_example_can_be_looked_at_and_decided(data):
    page = open_page(data, a=1, b=4)
    words = html_of(page)
    assert "None of the 91 examples with either label is in doubt" in words
    assert "looks like" not in words
    click(page, "distinct-1-4-0")
    assert [each.action for each in stored(data)] == ["distinct"]


def test_hostile_names_are_shown_as_they_are(data):
    words = html_of(open_page(data, a=4, b=5))
    assert ":red[x] **b**" in words and "&lt;b&gt;ear&lt;/b&gt;" in words
    assert "<b>ear</b>" not in words


@pytest.mark.fault(40, "HOLDS")
def test_right_to_left_names_do_not_reorder_other_words(tmp_path):
    cat, lie = "قطة", "a\u202eb"
    data = write_overlaps(tmp_path / "turned", (cat, lie, "dog"), ((0, 1, 12), (1, 0, 3)))
    page = open_page(data, a=0, b=1)
    click(page, "merge-0-1-0")
    shown = [html_of(page), *(str(each.proto.label) for each in page.get("page_link"))]
    page = open_page(data, a=0, b=1, view="map")
    shown += json.loads(page.get("plotly_chart")[0].proto.spec)["data"][-1]["hovertext"]
    shown += json.loads(page.get("plotly_chart")[0].proto.spec)["data"][-2]["hovertext"]
    words = re.sub(r'title="[^"]*"', "", "\n".join(shown))  # a tip holds the name alone
    for name in (cat, lie):
        assert words.count(name) == words.count(f"\u2068{name}\u2069") > 4


def test_the_preview_says_what_a_merge_would_do(data):
    words = html_of(open_page(data, a=0, b=1))
    assert "Estimated wrong labels" in words
    assert "<b>36<i>→</i>21</b><small>15 fewer" in words
    beside_save = [each.value for each in open_page(data, a=0, b=1).markdown]
    assert "Estimated wrong labels: 36 → 21. Issues flagged: 36 → 21." in beside_save
    assert "<b>6<i>→</i>5</b><small>53 + 43 → 96 examples in one" in words


def test_the_map_is_drawn_without_a_table(data):
    page = open_page(data, view="map")
    assert len(page.get("plotly_chart")) == 1 and not page.dataframe


def test_a_note_that_is_not_saved_yet_stays_while_another_page_is_open(data):
    page = open_page(data, a=0, b=1)
    page.text_input(key="note-0-1-0").set_value("same thing").run()
    page.switch_page("pages/1_Noise.py").run()
    page.switch_page("pages/2_Overlap.py").run()
    assert page.text_input(key="note-0-1-0").value == "same thing"
    click(page, "distinct-0-1-0")
    assert stored(data)[0].note == "same thing"


def test_merging_is_stored_once_read_back_and_marked_in_the_table(data):
    page = open_page(data, a=0, b=1)
    page.text_input(key="note-0-1-0").set_value("same thing")
    click(page, "merge-0-1-0")
    (decision,) = stored(data)
    assert (decision.action, decision.given, decision.other) == ("merge", "projectile", "missile")
    assert (decision.into, decision.note) == ("missile", "same thing")
    assert "✓ Saved: <b>merge into missile</b>" in html_of(page)
    assert page.dataframe[0].value["Decided"][0] == "✓ merge"
    assert "✓ Saved: <b>merge into missile</b>" in html_of(open_page(data, a=1, b=0))


def test_merging_into_a_new_name_keeps_that_name(data):
    with open_store(curation.load(data)) as store:
        class_decisions._save(store, "ana", "note", "op", "merge", 0, 1, lambda: "thrown weapon")
        (decision,) = store.class_decisions()
    assert (decision.into, decision.into_id) == ("thrown weapon", None)
    assert "<b>merge into thrown weapon</b>" in html_of(open_page(data, a=0, b=1))


def test_is_a_names_the_parent(data):
    page = open_page(data, a=0, b=1)
    assert page.selectbox(key="parent-0-1-0").options[0] == "missile is a kind of projectile"
    click(page, "is-a-0-1-0")
    (decision,) = stored(data)
    assert (decision.action, decision.into) == ("is_a", "projectile")
    assert "<b>missile is a kind of projectile</b>" in html_of(page)
    assert page.dataframe[0].value["Decided"][0] == "✓ kind of"


def test_renaming_is_about_one_class_and_needs_a_name(data):
    page = open_page(data, a=0, b=1)
    click(page, "rename-0-1-0")
    assert "no name was typed" in page.error[0].value and not stored(data)
    page.selectbox(key="rename-which-0-1-0").select(0)
    page.text_input(key="rename-name-0-1-0").set_value(" shell ")
    click(page, "rename-0-1-0")
    (decision,) = stored(data)
    assert (decision.given, decision.other, decision.into) == ("projectile", None, "shell")
    assert "<b>rename projectile to shell</b>" in html_of(page)


def test_renaming_onto_another_class_offers_a_merge_where_it_is_made(data):
    page = open_page(data, a=0, b=1)
    page.selectbox(key="rename-which-0-1-0").select(0)
    page.text_input(key="rename-name-0-1-0").set_value("tub")
    click(page, "rename-0-1-0")
    assert not stored(data) and "NOT renamed: another class has this name" in page.warning[0].value
    click(page, "merge-instead-0-1-0")
    (decision,) = stored(data)
    assert (decision.action, decision.given, decision.into) == ("merge", "projectile", "tub")
    assert "✓ Saved: <b>merge into tub</b>" in html_of(page)  # that pair is on screen now
    assert not page.warning
    page = open_page(data, a=0, b=1)  # and this pair can still be decided
    click(page, "distinct-0-1-0")
    assert [each.action for each in stored(data)] == ["merge", "distinct"]


def test_a_name_is_free_once_its_class_was_renamed_and_taken_once_another_has_it(data):
    with open_store(curation.load(data)) as store:
        store.decide_classes("rename", 2, into="sink", curator="bo")
    for name, words in (("sink", ["NOT renamed"]), ("tub", [])):
        page = open_page(data, a=0, b=1)
        page.selectbox(key="rename-which-0-1-0").select(0)
        page.text_input(key="rename-name-0-1-0").set_value(name)
        click(page, "rename-0-1-0")
        assert [each.value.partition(":")[0] for each in page.warning] == words
    assert [each.into for each in stored(data)] == ["sink", "tub"]


def test_a_name_that_curators_gave_to_a_class_of_their_own_is_refused(data):
    dataset = curation.load(data)
    with open_store(dataset) as store:
        store.decide(dataset.ids[0], "relabel", new_class="Zebra", curator="bo")
    page = open_page(data, a=0, b=1)
    page.text_input(key="rename-name-0-1-0").set_value("zebra")
    click(page, "rename-0-1-0")
    assert not stored(data)
    assert any("curators added a class" in each.value for each in page.error)


def test_undo_takes_a_decision_back_and_the_forms_return(data):
    page = open_page(data, a=0, b=1)
    click(page, "distinct-0-1-0")
    (decision,) = stored(data)
    click(page, f"undo-{decision.seq}")
    assert not stored(data) and "Saved" not in html_of(page)
    click(page, "distinct-0-1-0")
    assert len(stored(data)) == 1


def test_undo_is_off_after_later_decisions_and_for_other_curators(data):
    page = open_page(data, a=0, b=1, curator="ana")
    click(page, "distinct-0-1-0")
    (first,) = stored(data)
    other = open_page(data, a=0, b=1, curator="bob")
    assert "Only ana, who decided this, can undo it." in other.button(key=f"undo-{first.seq}").help
    page = open_page(data, a=2, b=3, curator="ana")
    click(page, "distinct-2-3-0")
    page = open_page(data, a=0, b=1, curator="ana")
    assert page.button(key=f"undo-{first.seq}").disabled


def test_a_different_answer_replaces_the_decision(data):
    page = open_page(data, a=0, b=1)
    click(page, "distinct-0-1-0")
    seq = stored(data)[0].seq
    click(page, "overlap-again")
    click(page, f"merge-0-1-{seq}")
    assert [each.action for each in stored(data)] == ["merge"]


def test_nothing_is_decided_before_a_name_is_given_and_then_under_that_name(data):
    page = open_page(data, a=0, b=1, curator="")
    assert not [each for each in page.button if "distinct" in str(each.key)]
    page.text_input(key="curator-page").set_value("  ")
    click(page, "curator-page-save")
    assert not [each for each in page.button if "distinct" in str(each.key)]
    page.text_input(key="curator-page").set_value(" ben ")
    click(page, "curator-page-save")
    click(page, "distinct-0-1-0")
    assert [each.curator for each in stored(data)] == ["ben"]


def test_a_double_click_is_one_decision(data):
    with open_store(curation.load(data)) as store:
        for _ in range(2):
            class_decisions._save(store, "ana", "note", "op", "distinct", 0, 1, lambda: None)
        assert len(store.log()) == 1


def test_a_store_that_can_only_be_read_shows_its_decisions_and_why(data, monkeypatch):
    click(open_page(data, a=0, b=1), "distinct-0-1-0")
    st.cache_resource.clear()
    monkeypatch.setattr("curation.store.sqlite.writable", lambda path: False)
    page = open_page(data, a=0, b=1)
    assert "✓ Saved: <b>distinct</b>" in html_of(page)
    page = open_page(data, a=2, b=3)
    assert page.button(key="distinct-2-3-0").disabled
    assert any("can only be read" in each.value for each in page.caption)


def test_decisions_that_cannot_be_opened_are_reported_and_the_page_stays(data):
    folder = data / ".curation"
    folder.mkdir()
    (folder / "decisions.db").write_bytes(b"not a database, but long enough to look at" * 40)
    page = open_page(data, a=0, b=1)
    assert page.error and page.button(key="distinct-0-1-0").disabled
    assert "12 + 3 examples in doubt" in html_of(page)


def test_no_overlap_is_good_news(tmp_path):
    page = open_page(write_overlaps(tmp_path / "clean", overlaps=()))
    assert "No two classes overlap" in page.success[0].value and not page.dataframe


def test_two_classes_have_nothing_to_preview(tmp_path):
    page = open_page(write_overlaps(tmp_path / "two", ("cat", "dog"), ((0, 1, 9),)))
    assert any("Only one class would be left" in each.value for each in page.caption)


def test_what_was_typed_about_a_pair_stands_when_one_comes_back(pets):
    app = visiting.run(pets, "pages/2_Overlap.py")
    keys = [each.key for each in app.text_input if each.key and each.key.startswith("rename-name")]
    (name,) = keys
    base = name.removeprefix("rename-name-")
    before = app.selectbox(key=f"rename-which-{base}").value
    app.text_input(key=name).set_value("wolf").run()
    app.text_input(key=f"note-{base}").set_value("they are one").run()
    other = next(each for each in map(int, base.split("-")[:2]) if each != before)
    app.selectbox(key=f"rename-which-{base}").set_value(other).run()
    app.switch_page("pages/1_Noise.py").run()
    app.switch_page("pages/2_Overlap.py").run()
    assert app.text_input(key=name).value == "wolf"
    assert app.text_input(key=f"note-{base}").value == "they are one"
    assert app.selectbox(key=f"rename-which-{base}").value == other
