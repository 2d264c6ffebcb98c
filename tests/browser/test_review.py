"""The review page in a real browser: what is stored is what was shown, once each."""

from __future__ import annotations

import random
import re

import numpy as np
import pytest

import curation
from curation.store import open_store
from tests import small_set
from tests.browser.watching import (
    WATCH,
    SlowServer,
    expected,
    faintest,
    press,
    saved,
    seen,
    stored,
    wait_past,
)

FLAGGED = 420


@pytest.fixture(scope="module")
def slow(tmp_path_factory):
    folder = tmp_path_factory.mktemp("slow")
    data = small_set.write_images(
        folder / "set", 3 * FLAGGED, FLAGGED, size=32, rng=np.random.default_rng(9)
    )
    server = SlowServer(data, folder / "server.log")
    yield server
    server.stop()


@pytest.fixture
def review(chromium, slow):
    """A fresh store, and a function that opens the page in a tab of its own."""
    contexts, errors = [], []
    store = open_store(curation.load(slow.data))
    begin = max([entry.seq for entry in store.log()], default=0)

    def start(**parameters):
        context = chromium.new_context(viewport={"width": 1440, "height": 900})
        contexts.append(context)
        context.add_init_script(WATCH)
        tab = context.new_page()
        tab.set_default_timeout(30_000)
        tab.on("pageerror", lambda error: errors.append(str(error)))
        tab.on("dialog", lambda dialog: dialog.accept())
        tab.goto(slow.url("Review", **parameters))
        tab.wait_for_selector(".stage[data-painted], .tile")
        return tab

    start.store, start.since = store, lambda: store.log(after=begin)
    yield start
    for context in contexts:
        context.close()
    store.close()
    assert not errors, errors


def test_keys_faster_than_the_server_decide_what_was_shown_once_each(review):
    tab = review()
    rng = random.Random(4)
    for step in range(600):  # a key counts once its example is painted: press until enough did
        if step >= 200 and len(seen(tab)) > 60:
            break
        tab.keyboard.press(rng.choice("aaaxxen "))
        if step in (30, 60, 150):  # held down: only the first counts
            tab.keyboard.down("a")
            tab.keyboard.down("a")
            tab.keyboard.down("a")
            tab.keyboard.up("a")
        tab.wait_for_timeout(50)
    saved(tab)
    keys = seen(tab)
    assert len(keys) > 60
    assert len({example for _, example in keys}) == len(keys)  # nothing was shown as to do twice
    assert stored(review.since()) == expected(keys)
    assert faintest(tab) == 1  # Streamlit fades what a slow server has not sent again yet


def test_double_clicks_decide_once_and_typing_decides_nothing(review):
    tab = review(queue="once")
    shown = tab.locator(".stage").get_attribute("data-painted")
    tab.locator("[data-action=accept]").dblclick()
    tab.locator("[data-el=note]").click()
    tab.keyboard.type("axe banned 12")
    tab.keyboard.press("Enter")
    tab.get_by_placeholder("Search id").click()
    tab.keyboard.type("ax")
    tab.keyboard.press("Control+A")
    tab.keyboard.press("Delete")
    tab.locator('[data-testid="stSelectbox"] input').first.focus()
    tab.keyboard.press("x")
    tab.keyboard.press("Escape")
    saved(tab)
    assert stored(review.since()) == [("relabel", shown)]


def test_keys_are_silent_while_any_other_widget_has_the_focus(review):
    tab = review()
    shown = tab.locator(".stage").get_attribute("data-painted")

    def type_into(widget):
        widget.focus()
        for key in ("x", "e", "n", "1", *["Backspace"] * 4):  # which undoes nothing, either
            tab.keyboard.press(key)
        tab.keyboard.press("Escape")

    for widget in (
        tab.locator("[data-el=note]"),
        tab.locator("[data-el=find]"),
        tab.get_by_placeholder("Search id"),
        tab.get_by_role("textbox", name="Curator"),
        tab.get_by_role("combobox", name="Status"),
        tab.get_by_role("radio", name="One by one"),
    ):
        type_into(widget)
    for button in ("Filters", "Method and threshold"):
        tab.get_by_role("button", name=button).click()
        inside = tab.get_by_test_id("stPopoverBody")
        type_into(inside.get_by_role("combobox").first)
        tab.keyboard.press("Escape")
        inside.wait_for(state="hidden")
    tab.locator("[data-action=help]").focus()
    tab.keyboard.press("Space")  # presses that button, and skips nothing
    tab.get_by_role("heading", name="Keys").wait_for()
    for key in "xen":
        tab.keyboard.press(key)
    tab.keyboard.press("Escape")
    assert tab.locator(".stage").get_attribute("data-painted") == shown
    tab.keyboard.press("x")
    wait_past(tab, shown)
    saved(tab)
    assert stored(review.since()) == [("keep", shown)]


def test_ten_decided_three_undone_and_a_reload_later_still_there(review):
    tab = review()
    shown = [press(tab, "x") for _ in range(10)]
    tab.get_by_text(re.compile(r"about \d+ of the next 50 are real \(\d+ to \d+\)")).wait_for()
    for example in reversed(shown[-3:]):
        tab.keyboard.press("z")
        tab.wait_for_selector(f".stage[data-painted='{example}']")
    saved(tab)
    tab.reload()
    tab.wait_for_selector(f".stage[data-painted='{shown[7]}']")
    standing = {each.example_id for each in review.store.current()}
    assert standing >= set(shown[:7]) and not standing & set(shown[7:])
    tab.keyboard.press("Backspace")  # back through everything, also what was done before
    tab.wait_for_selector(f".stage[data-painted='{shown[6]}']")
    saved(tab)
    assert shown[6] not in {each.example_id for each in review.store.current()}


def test_a_reload_and_a_killed_server_lose_double_and_misplace_nothing(review, slow):
    tab = review()
    rng = random.Random(8)
    reload_at = rng.randrange(5, 15)
    for step in range(40):
        tab.keyboard.press(rng.choice("axen"))
        if step == reload_at:
            tab.reload()
            tab.wait_for_selector(".stage[data-painted]")
        if step == 22:
            slow.kill()
        tab.wait_for_timeout(60)
    slow.start()
    saved(tab)
    assert stored(review.since()) == expected(seen(tab))
    assert len(seen(tab)) > 15


def test_two_tabs_on_one_example_show_a_conflict_and_both_answers(review):
    one, two = review(curator="ana"), review(curator="ben")
    shown = one.locator(".stage").get_attribute("data-painted")
    assert two.locator(".stage").get_attribute("data-painted") == shown
    one.keyboard.press("x")
    saved(one)
    two.keyboard.press("e")
    conflict = two.locator(".conflict")
    conflict.get_by_text("ana kept the label").wait_for()
    assert review.store.in_force(shown).curator == "ana"
    conflict.get_by_role("button", name="Mine stands").click()
    saved(two)
    assert [(each.curator, each.action) for each in review.store.of(shown)[-3:]] == [
        ("ana", "keep"), ("ben", "exclude"), ("ben", "exclude"),
    ]  # fmt: skip
    assert review.store.in_force(shown).action == "exclude"


def test_many_at_once_are_one_unit_with_one_undo(review):
    tab = review()
    tab.get_by_text("Grid", exact=True).click()
    tab.wait_for_selector(".tile")
    tiles = tab.locator(".tile")
    tiles.nth(0).click()
    tiles.nth(3).click(modifiers=["Shift"])
    chosen = [tiles.nth(place).get_attribute("data-id") for place in range(4)]
    tab.keyboard.press("x")
    tab.get_by_role("heading", name="Keep the label for 4 examples?").wait_for()
    tab.keyboard.press("Enter")
    saved(tab)
    unit = review.since()
    assert [entry.example_id for entry in unit] == chosen
    assert len({entry.op_id for entry in unit}) == 1
    tab.keyboard.press("z")
    tab.wait_for_selector(f".tile[data-id='{chosen[0]}']")
    saved(tab)
    assert not {each.example_id for each in review.store.current()} & set(chosen)


def middle(tile):
    box = tile.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def selected(tab):
    return [
        each.get_attribute("data-id") for each in tab.locator(".tile[aria-selected=true]").all()
    ]


def test_a_drag_selects_what_it_touches_and_leaves_clicks_and_keys_as_they_are(review):
    tab = review(view="grid")
    tiles = tab.locator(".tile")
    tiles.nth(23).wait_for()
    ids = [each.get_attribute("data-id") for each in tiles.all()]
    columns = sum(
        tile.bounding_box()["y"] == tiles.nth(0).bounding_box()["y"] for tile in tiles.all()
    )
    count = tab.get_by_role("status").filter(has_text="selected")
    touched = {ids[row * columns + column] for row in (0, 1) for column in (1, 2, 3)}

    tiles.nth(0).click()
    tab.mouse.move(*middle(tiles.nth(1)))
    tab.mouse.down()
    tab.mouse.move(*middle(tiles.nth(columns + 4)), steps=9)
    assert len(selected(tab)) == 1 + 8
    tab.mouse.move(*middle(tiles.nth(columns + 3)), steps=5)  # the band shrinks, and with it
    assert set(selected(tab)) == {ids[0], *touched}
    assert tab.locator(".band").is_visible()
    tab.mouse.up()
    assert not tab.locator(".band").is_visible()
    assert (
        count.inner_text()
        == f"7 of {tab.get_by_text('to decide together').inner_text().split()[0]} selected"
    )

    tiles.nth(1).click()  # a click takes out, a drag adds again
    assert set(selected(tab)) == {ids[0], *touched} - {ids[1]}
    tab.mouse.move(*middle(tiles.nth(2)))
    tab.mouse.down()
    tab.mouse.move(*middle(tiles.nth(1)), steps=5)
    tab.mouse.up()
    assert set(selected(tab)) == {ids[0], *touched}

    before = selected(tab)
    tab.mouse.move(*middle(tiles.nth(5)))
    tab.mouse.down()
    tab.mouse.move(*middle(tiles.nth(4)), steps=5)
    assert len(selected(tab)) > len(before)
    tab.keyboard.press("Escape")  # lets go of the band
    tab.mouse.up()
    assert selected(tab) == before

    tab.keyboard.press("ArrowRight")
    tab.keyboard.press("Space")
    assert len(selected(tab)) != len(before)
    tab.keyboard.press("Space")
    tab.keyboard.press("e")
    tab.get_by_role("heading", name="Exclude for 7 examples?").wait_for()
    tab.get_by_role("button", name="Exclude: 7 examples").click()
    saved(tab)
    assert {(entry.action, entry.example_id) for entry in review.since()} == {
        ("exclude", each) for each in before
    }


def test_a_drag_to_the_edge_of_the_window_scrolls_on(review):
    tab = review(view="grid", size="60")
    tab.set_viewport_size({"width": 1024, "height": 600})
    tiles = tab.locator(".tile")
    tiles.nth(59).wait_for()
    across = tiles.nth(1).bounding_box()["x"]
    tab.mouse.move(*middle(tiles.nth(0)))
    tab.mouse.down()
    for step in range(60):
        tab.mouse.move(across + step % 2, 590)
        if len(selected(tab)) == 60 / 2:
            break
    tab.mouse.up()
    assert len(selected(tab)) == 60 / 2  # two of the four columns, down to the last row
