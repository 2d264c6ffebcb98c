"""The review page in a real browser: what is stored is what was shown, once each."""

from __future__ import annotations

import random
import re
from collections import Counter
from urllib.parse import parse_qsl, urlsplit

import pytest

from tests.browser.conftest import LARGE
from tests.browser.watching import (
    expected,
    faintest,
    painted,
    press,
    saved,
    seen,
    stored,
    unaware,
    wait_past,
)


@pytest.mark.fault(69, "HOLDS")
def test_keys_faster_than_the_server_decide_what_was_shown_once_each(review):
    tab = review()
    rng = random.Random(4)
    for step in range(600):  # a key counts once its example is painted: press until enough did
        if step >= 80 and len(seen(tab)) > 40:
            break
        tab.keyboard.press(rng.choice("aaaxxen "))
        if step in (20, 40, 60):  # held down: only the first counts
            tab.keyboard.down("a")
            tab.keyboard.down("a")
            tab.keyboard.down("a")
            tab.keyboard.up("a")
        tab.wait_for_timeout(50)
    saved(tab)
    keys = seen(tab)
    assert len(keys) > 40
    assert len({example for _, example in keys}) == len(keys)  # nothing was shown as to do twice
    assert stored(review.since()) == expected(keys)
    assert faintest(tab) == 1  # Streamlit fades what a slow server has not sent again yet


@pytest.mark.fault(68, "HOLDS")
def test_double_clicks_decide_once_and_typing_decides_nothing(review):
    tab = review(queue="once")
    shown = painted(tab)
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
    shown = painted(tab)

    def type_into(widget):
        widget.focus()
        for key in ("x", "e", "n", "1", *["Backspace"] * 4):  # which undoes nothing, either
            tab.keyboard.press(key)
        tab.keyboard.press("Escape")

    for widget in (
        tab.locator("[data-el=note]"),
        tab.locator("[data-el=find]"),
        tab.get_by_placeholder("Search id"),
        tab.get_by_role("combobox", name="Status"),
        tab.get_by_role("radio", name="One by one"),
    ):
        type_into(widget)
    for button in ("Method and threshold",):
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
    assert painted(tab) == shown
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


@pytest.mark.fault(69, "HOLDS")
@pytest.mark.fault(71, "HOLDS")
def test_a_reload_and_a_killed_server_lose_double_and_misplace_nothing(review, slow):
    tab = review()
    rng = random.Random(8)
    reload_at = rng.randrange(5, 15)
    review.lost = True
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
    last = review.since()[-1].example_id
    tab.keyboard.press("z")  # the new server knows what the old one was told
    tab.wait_for_selector(f".stage[data-painted='{last}']")
    saved(tab)
    assert last not in {each.example_id for each in review.store.current()}


@pytest.mark.fault(69, "HOLDS")
def test_a_tab_closed_right_after_keys_stores_each_decision_once_or_says_nothing_of_it(review):
    tab = review()
    for _ in range(5):
        press(tab, "x")
    words, pressed = tab.locator(".saved").inner_text(), expected(seen(tab))
    tab.close()
    again = review()
    shown = painted(again)
    found = stored(review.since())
    assert len(pressed) == 5 and found == pressed[: len(found)], "in order, each once"
    assert shown not in {example for _, example in found}
    assert len(found) == len(pressed) or not words.startswith("all saved")


@pytest.mark.fault(70, "HOLDS")
def test_two_tabs_on_one_example_show_a_conflict_and_both_answers(review, slow):
    one = review(curator="ana")
    shown = painted(one)
    two = review(curator="ben", at=shown)  # a link, because a list hands it to one of them
    assert painted(two) == shown
    with unaware(two):
        one.keyboard.press("x")
        saved(one)
        two.keyboard.press("e")
    conflict = two.locator(".conflict")
    conflict.get_by_text("ana kept the label").wait_for()
    saved(two)
    two.goto(slow.url("Review", curators="on"))  # the conflict outlives it
    two.get_by_text("They differ on 1 example", exact=True).wait_for()
    conflict.get_by_text("ana kept the label").wait_for()
    assert review.store.current_decision(shown).curator == "ana"
    conflict.get_by_role("button", name="Mine stands").click()
    saved(two)
    assert [(each.curator, each.action) for each in review.store.history(shown)[-3:]] == [
        ("ana", "keep"), ("ben", "exclude"), ("ben", "exclude"),
    ]  # fmt: skip
    assert review.store.current_decision(shown).action == "exclude"
    two.reload()  # settled for both of them: nothing is left to differ on
    two.get_by_role("heading", name="Curators").wait_for()
    assert not two.get_by_text("They differ on").count()
    assert not review.store.disagreements()
    assert not conflict.is_visible()


def test_two_tabs_of_one_curator_and_a_duplicated_one_store_what_each_showed_once(review):
    one = review(curator="cleo")
    two = one.context.new_page()
    two.goto(one.url)
    painted(two)
    rng = random.Random(3)
    for _ in range(200):  # until both tabs decided some while the other did
        if min(len(seen(tab, only_here=True)) for tab in (one, two)) > 5:
            break
        for tab in (one, two):
            tab.keyboard.press(rng.choice("xen"))
            tab.wait_for_timeout(20)
    with one.context.expect_page() as opened:  # with what is not answered yet in its storage
        waiting = one.evaluate("""() => { window.open(location.href);
            return Object.keys(sessionStorage).filter(key => key.startsWith('curation.log.'))
                .flatMap(key => JSON.parse(sessionStorage[key])).length; }""")
    assert waiting > 0
    for tab in (one, two, opened.value):
        painted(tab)
        saved(tab)
    entries = review.since()  # what was said of an example that the other tab had settled, too
    keys = [key for tab in (one, two) for key in seen(tab, only_here=True)]
    assert min(len(seen(tab, only_here=True)) for tab in (one, two)) > 5
    assert len({entry.op_id for entry in entries}) == len(entries)
    said = [(entry.action, entry.example_id) for entry in entries]
    assert not Counter(said) - Counter(expected(keys))  # nothing more often than it was pressed
    # The same answer from both is one, unless a tab had seen the other's and said it again.
    unseen = [(entry.action, entry.example_id) for entry in entries if not entry.revision]
    assert len(set(unseen)) == len(unseen)
    assert set(said) == set(expected(keys))
    late = {(entry.action, entry.example_id) for entry in entries if entry.entry == "conflict"}
    for tab in (one, two):  # whichever came too late
        if late & set(expected(seen(tab, only_here=True))):
            tab.locator(".conflict").get_by_text("You, in another tab,").wait_for()


@pytest.mark.fault(69, "HOLDS")
@pytest.mark.fault(71, "HOLDS")
def test_a_lost_connection_loses_double_and_misplaces_nothing(review):
    tab = review()
    review.lost = True
    rng = random.Random(6)
    for step in range(28):
        tab.keyboard.press(rng.choice("axen"))
        if step == 5:
            tab.context.set_offline(True)
        if step == 19:
            # The server would have stored most of them by now.
            assert int(re.search(r"\d+", tab.locator(".saved").inner_text())[0]) > 5
            tab.context.set_offline(False)
            tab.wait_for_function("() => !document.querySelector('[role=dialog]')")
        tab.wait_for_timeout(200)
    saved(tab)
    assert len(seen(tab)) > 12
    assert stored(review.since()) == expected(seen(tab))


def test_many_at_once_are_one_unit_with_one_undo(review):
    tab = review()
    tab.get_by_text("Grid", exact=True).click()
    tab.wait_for_selector(".tile")
    tiles = tab.locator(".tile")
    tiles.nth(0).click()
    tiles.nth(3).click(modifiers=["Shift"])
    chosen = [tiles.nth(place).get_attribute("data-id") for place in range(4)]
    tab.keyboard.press("x")
    tab.get_by_role("heading", name="Keep the label of 4 examples?").wait_for()
    tab.keyboard.press("Enter")
    saved(tab)
    unit = review.since()
    assert [entry.example_id for entry in unit] == chosen
    assert len({entry.op_id for entry in unit}) == 1
    tab.keyboard.press("z")
    tab.wait_for_selector(f".tile[data-id='{chosen[0]}']")
    saved(tab)
    assert not {each.example_id for each in review.store.current()} & set(chosen)


def test_all_that_match_get_both_labels_in_one_unit_and_the_page_outlives_a_reload(review):
    tab = review(view="grid")
    tab.get_by_role("button", name="Next →").click()
    tab.get_by_text("page 2 of").wait_for()
    second = tab.locator(".tile").first.get_attribute("data-id")
    tab.reload()
    tab.wait_for_selector(f".tile[data-id='{second}']")
    tab.get_by_text("page 2 of").wait_for()
    count = int(tab.get_by_text("to decide together").inner_text().split()[0])
    tab.get_by_role("button", name=f"Select all {count} that match").click()
    tab.keyboard.press("b")
    tab.get_by_role("heading", name=f"Give {count} examples both labels?").wait_for()
    tab.keyboard.press("Enter")
    tab.get_by_role("heading", name="Nothing is left in this list").wait_for()
    saved(tab)
    unit = review.since()
    assert len(unit) == count and len({entry.op_id for entry in unit}) == 1
    assert {(entry.action, entry.labels) for entry in unit} == {("ambiguous", ("cat", "dog"))}
    tab.keyboard.press("z")
    tab.get_by_text(f"{count} to decide together").wait_for()
    saved(tab)
    assert not {each.example_id for each in review.store.current()} & {e.example_id for e in unit}
    tab.get_by_role("button", name="H Help").click()
    tab.get_by_role("heading", name="Keys").wait_for()


def test_own_and_others_decisions_and_the_place_are_shown(review):
    tab = review()
    queue = [painted(tab)]
    for _ in range(3):
        tab.keyboard.press("ArrowRight")
        wait_past(tab, queue[-1])
        queue.append(painted(tab))
    tab.reload()
    tab.wait_for_selector(f".stage[data-painted='{queue[3]}']")
    tab.wait_for_url(re.compile(f"at={queue[3]}"))
    elsewhere = review(**dict(parse_qsl(urlsplit(tab.url).query)))
    assert painted(elsewhere) == queue[3]

    review.store.decide(queue[1], "keep", curator="ben")
    for example in (queue[2], queue[1], queue[0]):
        tab.keyboard.press("ArrowLeft")
        tab.wait_for_selector(f".stage[data-painted='{example}']")
        if example == queue[1]:
            tab.get_by_text("ben kept the label.").wait_for()
    press(tab, "x")
    assert painted(tab) == queue[2]  # what ben decided is not asked again

    tab.locator("[data-el=latest] .chip").first.click()
    tab.wait_for_selector(f".stage[data-painted='{queue[0]}']")
    tab.get_by_text("You kept the label.").wait_for()
    saved(tab)
    assert stored(review.since()) == [("keep", queue[1]), ("keep", queue[0])]


def test_a_large_picture_is_enlarged_with_more_detail_than_the_screen_shows(review):
    tab = review(id=LARGE)
    assert painted(tab) == LARGE
    small = tab.locator(".content img").evaluate("e => e.naturalWidth")
    tab.keyboard.press("f")
    tab.locator(".zoom img").first.wait_for()  # the small one, at once
    tab.locator(".zoom img.large").wait_for()
    assert (small, tab.locator(".zoom img").evaluate("e => e.naturalWidth")) == (720, 2000)
    sheet = tab.locator(".zoom .sheet")
    assert sheet.evaluate("e => e.scrollWidth - e.clientWidth") > 500
    before = sheet.evaluate("e => e.scrollLeft")
    sheet.hover()
    tab.mouse.wheel(200, 0)
    tab.wait_for_function(SCROLLED, arg=before)
    assert press(tab, "n") == LARGE  # keys decide while enlarged, and the next is enlarged too
    assert tab.locator(".zoom img").evaluate("e => [e.naturalWidth, e.className]") == [32, "tiny"]
    tab.locator(".zoom img").click()
    assert not tab.locator(".zoom").count()
    saved(tab)
    assert stored(review.since()) == [("needs_review", LARGE)]


SCROLLED = """(before) => [...document.querySelectorAll('.stBidiComponent *')]
    .map(e => e.shadowRoot)
        .find(each => each?.querySelector('.review'))
        ?.querySelector('.zoom .sheet').scrollLeft > before"""


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
    tab.get_by_role("heading", name="Exclude 7 examples?").wait_for()
    tab.get_by_role("button", name="Exclude 7 examples").click()
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
        if len(selected(tab)) == 60 / 3:
            break
    tab.mouse.up()
    assert len(selected(tab)) == 60 / 3  # two of the six columns, down to the last row
