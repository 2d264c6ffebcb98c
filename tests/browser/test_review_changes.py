"""The review page when something changed between looking and deciding: nothing is misplaced."""

from __future__ import annotations

import json

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
    assert review.store.in_force(second).label == "eel"


def test_another_threshold_shows_other_numbers_without_a_reload_and_keeps_the_note(review):
    tab = review()
    shown = painted(tab)
    numbers = tab.locator("[data-el=suggestedNumbers]")
    assert "(typical " in numbers.inner_text()
    tab.keyboard.press("m")
    tab.keyboard.type("half a no")
    tab.evaluate("window.before = true")
    tab.get_by_role("button", name="Method and threshold").click()
    tab.get_by_role("combobox", name="Threshold of a class").click()
    tab.get_by_role("option", name="the 90th percentile").click()
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


def test_a_bulk_answer_means_what_was_on_screen_when_it_was_asked(review):
    tab = review(view="grid", curator="ana")
    chosen = [each.get_attribute("data-id") for each in tab.locator(".tile").all()[:3]]
    for example in chosen:
        tab.locator(f".tile[data-id='{example}']").click()
    tab.keyboard.press("e")
    tab.get_by_role("heading", name="Exclude 3 examples?").wait_for()
    review.store.decide(chosen[1], "keep", curator="ben")
    tab.evaluate(f"{APP}.sendNow()")  # as it does by itself every 15 seconds
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
    tab.evaluate(f"{APP}.data.classes = 'of yesterday'")
    tab.keyboard.press("a")
    wait_past(tab, shown)
    tab.locator(".alarm").get_by_text("NOT saved: the classes have changed").wait_for()
    saved(tab)
    assert not review.since()


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
