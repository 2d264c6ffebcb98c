"""Undo and redo on the review page: they say what they did, and ask before touching classes."""

from __future__ import annotations

from tests.browser.watching import painted, press, saved


def test_undo_says_what_it_took_back_and_redo_restores_it(review):
    tab = review()
    taken, redo = tab.locator("[data-el=taken]"), tab.get_by_role("button", name="Redo [⇧Z]")
    one, two = press(tab, "x"), press(tab, "e")
    for shown, words in ((two, "excluded"), (one, "kept")):
        tab.keyboard.press("z")
        tab.wait_for_selector(f".stage[data-painted='{shown}']")
        tab.get_by_text(f"Took back: {shown}, {words}.").wait_for()
    saved(tab)
    tab.reload()  # what can be redone is known after it
    tab.get_by_text(f"Took back: {one}, kept.").wait_for()
    painted(tab)
    tab.keyboard.press("Shift+Z")
    tab.get_by_text(f"Took back: {two}, excluded.").wait_for()
    tab.keyboard.press("Control+y")
    redo.wait_for(state="hidden")
    assert taken.inner_text() == ""
    saved(tab)
    tab.keyboard.press("Control+z")
    tab.wait_for_selector(f".stage[data-painted='{two}']")
    redo.click()
    redo.wait_for(state="hidden")
    saved(tab)
    assert [(each.entry, each.example_id) for each in review.since()] == [
        ("decide", one), ("decide", two), ("undo", two), ("undo", one), ("redo", one),
        ("redo", two), ("undo", two), ("redo", two),
    ]  # fmt: skip
    assert review.store.current_decision(one).action == "keep"
    assert review.store.current_decision(two).action == "exclude"


def test_undo_asks_before_it_takes_back_a_decision_about_classes(review):
    tab = review(curator="olga")
    first = press(tab, "x")
    saved(tab)
    review.store.decide_classes("is_a", "cat", "dog", into="dog", curator="olga")
    tab.evaluate("window.curationReview.connection.sendNow()")
    tab.locator("[data-el=latest]").get_by_text("kind of ✓").wait_for()
    question = tab.get_by_role("heading", name="Take it back: cat and dog, kind of?")
    tab.keyboard.press("z")
    question.wait_for()
    tab.keyboard.press("z")  # while the question is open, no key answers it
    tab.keyboard.press("Enter")  # the answer at hand is to leave it
    question.wait_for(state="hidden")
    assert [each.entry for each in review.since()] == ["decide", "decide"]
    tab.keyboard.press("z")
    tab.get_by_role("button", name="Take it back").click()
    tab.get_by_text("Took back: cat and dog, kind of.").wait_for()
    saved(tab)
    assert not review.store.class_decisions()
    tab.keyboard.press("z")
    tab.wait_for_selector(f".stage[data-painted='{first}']")
    saved(tab)
    assert [each.entry for each in review.since()] == ["decide", "decide", "undo", "undo"]


def test_a_key_that_does_nothing_says_why(review):
    tab = review(curator="nobody yet")
    shown, ignored = painted(tab), tab.locator("[data-el=ignored].shown")
    for key, why in (
        ("z", "nothing is left to undo"), ("Shift+Z", "nothing is left to redo"),
        ("y", "no key Y here; H lists the keys"),
    ):  # fmt: skip
        tab.keyboard.press(key)
        ignored.get_by_text(f"Ignored: {why}.").wait_for()
    assert painted(tab) == shown and not review.since()
