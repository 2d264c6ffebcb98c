"""The review page when something changed between looking and deciding: nothing is misplaced."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

import curation
from curation.store import open_store
from tests import small_set
from tests.browser.conftest import settle
from tests.browser.watching import painted, press, saved, stored, wait_past

APP = "window.curationReview"


def compose(tab, element, key):
    """Press a key as an input method does while a word is being put together."""
    tab.locator(f"[data-el={element}]").evaluate(
        """(node, key) => { node.focus(); node.dispatchEvent(new KeyboardEvent("keydown",
            { key, isComposing: true, bubbles: true, composed: true, cancelable: true })); }""",
        key,
    )


def test_enter_takes_a_class_that_is_listed_and_no_other(review):
    tab = review()
    find = tab.locator("[data-el=find]")
    first = painted(tab)
    find.fill("eel")
    compose(tab, "find", "Enter")
    compose(tab, "stage", "x")
    assert painted(tab) == first
    tab.keyboard.press("Escape")  # back to the example, with what was found unused
    assert press(tab, "x") == first
    second = painted(tab)
    tab.keyboard.press("t")
    tab.keyboard.press("Enter")  # nothing is typed for this one
    assert painted(tab) == second
    tab.keyboard.type("eel")
    tab.get_by_role("option", name="eel").wait_for()
    tab.locator("[data-el=note]").focus()
    tab.get_by_role("option", name="eel").wait_for(state="hidden")
    find.focus()  # the text is still there, and so are the classes again
    tab.get_by_role("option", name="eel").wait_for()
    tab.keyboard.press("Enter")
    wait_past(tab, second)
    saved(tab)
    assert stored(review.since()) == [("keep", first), ("relabel", second)]
    assert review.store.current_decision(second).label == "eel"


def test_another_threshold_shows_other_numbers_without_a_reload_and_keeps_the_note(review):
    tab = review()
    shown = painted(tab)
    numbers = tab.locator("[data-el=suggestedNumbers]")
    assert "(typical " in numbers.inner_text()
    tab.keyboard.press("m")
    tab.keyboard.type("half a no")
    tab.evaluate("window.before = true")
    tab.get_by_role("button", name="Method and threshold").click()
    tab.get_by_role("combobox", name="Class threshold").click()
    tab.get_by_role("option", name="90th percentile").click()
    tab.get_by_text("90th percentile 0.").first.wait_for()
    tab.keyboard.press("Escape")
    tab.get_by_test_id("stPopoverBody").wait_for(state="hidden")
    assert "(90th percentile 0." in numbers.inner_text()
    assert tab.evaluate("window.before")
    assert painted(tab) == shown
    assert tab.locator("[data-el=note]").input_value() == "half a no"
    tab.locator(".stage").focus()
    shown = press(tab, "a")
    saved(tab)
    assert stored(review.since()) == [("relabel", shown)]


def test_a_bulk_answer_means_what_was_on_screen(review):
    tab = review(view="grid", curator="ana")
    chosen = [each.get_attribute("data-id") for each in tab.locator(".tile").all()[:3]]
    for example in chosen:
        tab.locator(f".tile[data-id='{example}']").click()
    tab.keyboard.press("e")
    tab.get_by_role("heading", name="Exclude 3 examples?").wait_for()
    review.store.decide(chosen[1], "keep", curator="ben")
    tab.evaluate(f"{APP}.connection.sendNow()")  # as it does by itself every 15 seconds
    tab.locator(f".tile[data-id='{chosen[1]}']").wait_for(state="detached")
    tab.keyboard.press("Enter")
    alarm = tab.locator(".alarm")
    alarm.get_by_text(f"NOT saved: none of the 3. ben decided {chosen[1]} meanwhile.").wait_for()
    assert stored(review.since()) == [("keep", chosen[1])]

    tab.locator(f".tile[data-id='{chosen[0]}']").click()
    tab.keyboard.press("x")
    tab.keyboard.press("Enter")
    saved(tab)
    assert stored(review.since()) == [("keep", chosen[1]), ("keep", chosen[0])]
    tab.reload()
    alarm.get_by_text("NOT saved: none of the 3").wait_for()  # until a person has read it
    alarm.get_by_role("button", name="Close").click()
    alarm.wait_for(state="hidden")


def test_a_label_of_other_classes_is_refused(review):
    tab = review()
    shown = painted(tab)
    tab.evaluate(f"{APP}.data.judged = 'yesterday'")
    tab.keyboard.press("a")
    wait_past(tab, shown)
    tab.locator(".alarm").get_by_text("NOT saved: the classes or the examples").wait_for()
    saved(tab)
    assert not review.since()


def test_what_was_not_sent_before_the_files_changed_is_stored_only_where_it_still_fits(
    serve, page, tmp_path
):
    data = small_set.write_texts(tmp_path / "set", 30, 6, rng=np.random.default_rng(2))
    page.on("dialog", lambda dialog: dialog.accept())
    page.goto(serve(data).url("Review"))
    painted(page)
    # a browser that was killed: nothing of what was decided left it
    page.evaluate(f"{APP}.connection.sendNow = {APP}.connection.sendLast = () => {{}}")
    one, two = press(page, "x"), press(page, "x")
    table = data / "labels.csv"
    table.write_text(table.read_text().replace(f"{one},cat,", f"{one},dog,"))
    page.reload()
    page.get_by_role("button", name="Load the dataset again").click()
    alarm = page.locator(".alarm")
    alarm.get_by_text(f"NOT saved: {one} was labelled 'cat' when you decided").wait_for()
    saved(page)
    with open_store(curation.load(data)) as store:
        assert [entry.example_id for entry in store.log()] == [two]


def test_what_is_not_saved_under_another_name_is_not_forgotten(review):
    tab = review(curator="ana")
    said = [{"op_id": "1", "do": "decide", "id": "p00001", "curator": "ben", "dataset": "pets"}]
    tab.evaluate("said => { sessionStorage['curation.log.ben'] = said }", json.dumps(said))
    banner = tab.get_by_role("alert").filter(has_text="Review of pets as ben")
    banner.wait_for()
    asked = []
    tab.on("dialog", lambda dialog: asked.append(dialog.type))
    tab.keyboard.press("ArrowRight")  # a page nobody touched may be left without a question
    tab.reload()
    painted(tab)
    assert asked == ["beforeunload"]
    banner.wait_for()
    tab.evaluate("sessionStorage.removeItem('curation.log.ben')")
    banner.wait_for(state="detached")


def hold(tab, key, times=8):
    """Hold a key down, as a keyboard repeats it."""
    for _ in range(times):
        tab.keyboard.down(key)
        tab.wait_for_timeout(40)
    tab.keyboard.up(key)


@pytest.mark.fault(68, "HOLDS")
def test_enter_held_on_a_button_presses_it_once_and_answers_no_question(review):
    tab = review()
    shown = painted(tab)
    tab.locator("[data-action=keep]").focus()
    hold(tab, "Enter")
    wait_past(tab, shown)
    saved(tab)
    assert stored(review.since()) == [("keep", shown)]

    tab.get_by_text("Grid", exact=True).click()
    tab.get_by_role("button", name="Select this page").click()
    tab.locator("[data-bulk=exclude]").focus()
    hold(tab, "Enter")
    tab.get_by_role("heading", name="Exclude 24 examples?").wait_for()
    assert len(review.since()) == 1
    for _ in range(5):  # the question keeps the focus until it is answered
        tab.keyboard.press("Tab")
    tab.keyboard.press("Enter")  # once round kind, note and two buttons: Cancel
    tab.locator(".layer").wait_for(state="detached")
    tab.keyboard.press("ArrowRight")  # and the grid has its keys again
    tab.locator(".tile.focused").nth(0).wait_for()
    assert tab.locator(".tile").nth(1).evaluate("e => e.classList.contains('focused')")
    assert len(review.since()) == 1


@pytest.mark.fault(71, "HOLDS")
@pytest.mark.parametrize("view", ["one", "grid"])
def test_a_server_that_was_started_again_is_found_without_a_reload(review, slow, view):
    tab = review()
    tab.get_by_text("Grid", exact=True).click()
    tab.wait_for_selector(".tile")
    if view == "one":
        tab.get_by_text("One by one", exact=True).click()
        painted(tab)
    tab.evaluate("window.before = true")
    review.lost = True
    slow.kill()
    slow.start()
    # Streamlit's own "Connection error" covers the page until it has found the server again.
    tab.wait_for_function("() => !document.querySelector('[role=dialog]')")
    if view == "one":
        tab.keyboard.press("x")  # the switch that was clicked does not keep the keys
    else:
        tab.locator(".tile").first.click()
        tab.keyboard.press("x")
        tab.keyboard.press("Enter")
    saved(tab)
    assert [entry.action for entry in review.since()] == ["keep"]
    assert tab.evaluate("window.before")


def test_all_that_match_outlives_a_restart_but_not_another_word(review, slow):
    review.store.decide("p00001", "skip", curator="ben")
    tab = review(view="grid", status="all", scope="flagged", curator="ana")
    total = int(tab.get_by_text("to decide together").inner_text().split(",")[0])

    def keep_all():
        tab.get_by_role("button", name="that match").click()
        tab.keyboard.press("x")
        tab.get_by_role("heading", name=f"Keep the label of {total} examples?").wait_for()

    keep_all()
    review.store.decide("p00001", "exclude", curator="ben")
    tab.keyboard.press("Enter")
    tab.locator(".alarm").get_by_text("ben decided p00001 meanwhile").wait_for()
    assert review.store.current_decision("p00001").action == "exclude"

    keep_all()
    review.lost = True
    slow.kill()
    tab.keyboard.press("Enter")
    slow.start()
    saved(tab)
    unit = [e for e in review.since() if e.curator == "ana" and e.entry == "decide"]
    assert len(unit) == total and len({entry.op_id for entry in unit}) == 1
    tab.keyboard.press("z")
    saved(tab)


def test_notes_and_kinds_outlive_a_look_away_an_undo_and_a_reload(review):
    tab = review()
    shown = painted(tab)

    def said():
        kind = tab.locator(".kind[aria-checked=true]")
        return tab.locator("[data-el=note]").input_value(), kind.inner_text()

    tab.keyboard.press("k")
    tab.keyboard.press("m")
    tab.keyboard.type("is it?")
    tab.keyboard.press("Enter")
    tab.keyboard.press("ArrowRight")
    wait_past(tab, shown)
    painted(tab)  # a key before the next example is painted is ignored
    tab.keyboard.press("ArrowLeft")
    tab.wait_for_selector(f".stage[data-painted='{shown}']")
    assert said() == ("is it?", "error")
    tab.reload()
    tab.wait_for_selector(f".stage[data-painted='{shown}']")
    assert said() == ("is it?", "error")
    press(tab, "a")
    tab.keyboard.press("z")  # before it is saved
    tab.wait_for_selector(f".stage[data-painted='{shown}']")
    assert said() == ("is it?", "error")
    saved(tab)
    assert review.since()[0].note == "is it?"


def test_a_finished_list_opens_at_its_end_with_a_way_back(review, slow):
    tab = review(search="p0000")
    left = int(re.search(r"(\d+) left", tab.locator("[data-el=pace]").inner_text())[1])
    shown = [press(tab, "x") for _ in range(left - 1)]
    painted(tab)
    tab.keyboard.press("x")
    done = tab.get_by_role("heading", name="Nothing is left in this list")
    done.wait_for()
    saved(tab)
    tab.reload()
    done.wait_for()
    tab.keyboard.press("a")
    assert len(review.since()) == left
    tab.locator("[data-el=latest] .chip").nth(1).click()
    tab.wait_for_selector(f".stage[data-painted='{shown[-1]}']")
    other = tab.context.new_page()
    other.goto(slow.url("Review", search="p0000"))
    other.get_by_role("button", name="Undo the last one").click()
    painted(other)
    saved(other)
    assert [entry.entry for entry in review.since()][-1] == "undo"


def test_the_grid_keeps_its_focus_and_selection_while_the_list_shrinks(review):
    tab = review(view="grid", search="p0002")
    tiles = tab.locator(".tile")
    total = tiles.count()
    ids = [tile.get_attribute("data-id") for tile in tiles.all()]
    tab.get_by_role("button", name="that match").click()
    tiles.nth(2).click()  # takes that one out, and leaves the others
    tab.get_by_text(f"{total - 1} of {total} selected").wait_for()
    tab.get_by_role("button", name="Select none").click()
    tab.locator(".tiles").focus()
    for _ in range(total):
        tab.keyboard.press("ArrowRight")
    review.store.decide_many(
        [{"example_id": each, "action": "keep"} for each in ids[2:]], curator="ben"
    )
    tab.evaluate(f"{APP}.connection.sendNow()")
    tab.get_by_text("2 to decide together").wait_for()
    assert tab.locator(".tile.focused").get_attribute("data-id") == ids[1]
    tab.keyboard.press("Space")
    tab.get_by_text("1 of 2 selected").wait_for()
    tab.keyboard.press("x")
    tab.keyboard.press("Enter")
    tab.get_by_text("1 to decide", exact=True).wait_for()
    review.store.decide(ids[0], "keep", curator="ben")
    tab.evaluate(f"{APP}.connection.sendNow()")
    tab.get_by_role("heading", name="Nothing is left in this list").wait_for()
    for key in ("Space", "Shift+ArrowRight"):
        tab.keyboard.press(key)
    tab.get_by_role("button", name="Undo the last one").click()
    tab.get_by_text("1 to decide", exact=True).wait_for()
    saved(tab)


# A click on another page's link, and in the same moment a message of Review. Neither a click by
# hand nor a slow server can be this quick.
LEAVE_AND_SEND = """
name => {
  const links = [...document.querySelectorAll("[data-testid=stSidebar] a")];
  links.find(each => each.textContent.endsWith(name)).click();
  window.curationReview.connection.sendNow();
}
"""


def wait_until_stored(tab, review, count):
    while len(review.since()) < count:
        tab.wait_for_timeout(50)


def test_what_is_decided_in_the_moment_of_leaving_is_saved_on_the_next_page(review):
    tab = review()
    shown = [press(tab, "x") for _ in range(3)]
    assert not tab.locator(".saved").inner_text().startswith("all saved")
    tab.evaluate(LEAVE_AND_SEND, "Export")
    tab.get_by_role("heading", name="Export").wait_for()
    wait_until_stored(tab, review, 3)
    settle(tab)
    assert tab.get_by_role("heading", name="Export").is_visible()  # no message brought Review back
    assert not tab.locator(".stage").count()
    assert not tab.get_by_text("not saved yet").count()
    assert stored(review.since()) == [("keep", each) for each in shown]
    tab.get_by_role("link", name="Review", exact=True).click()
    assert press(tab, "x") not in shown
    saved(tab)


def test_a_page_that_is_left_for_good_sends_what_it_has_not_sent(review):
    tab = review()
    painted(tab)
    tab.evaluate(f"{APP}.connection.sendNow = () => {{}}")
    shown = [press(tab, "x") for _ in range(3)]
    tab.goto("about:blank")
    wait_until_stored(tab, review, 3)
    assert stored(review.since()) == [("keep", each) for each in shown]


def test_another_page_says_what_is_not_saved_only_while_it_is_not(review, slow):
    tab = review()
    shown = painted(tab)
    review.lost = True
    tab.route("**/_review/*", lambda route: route.abort())
    tab.keyboard.press("x")
    wait_past(tab, shown)
    tab.get_by_role("link", name="Export", exact=True).click()
    banner = tab.get_by_text("1 decision not saved yet. Go back to Review to save what is left.")
    banner.wait_for()
    tab.unroute("**/_review/*")
    banner.wait_for(state="detached")
    assert stored(review.since()) == [("keep", shown)]
