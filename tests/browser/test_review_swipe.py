"""A finger on the review page of a phone: a swipe decides, a scroll does not."""

from __future__ import annotations

import pytest

from devtools.serving import name_curator
from tests.browser.conftest import CURATOR, TIMEOUT_MS
from tests.browser.watching import painted, saved, stored, wait_past


@pytest.fixture
def phone(chromium, review, slow):
    """Return a phone's screen with Review on it, and a function that moves a finger over it."""
    context = chromium.new_context(
        viewport={"width": 420, "height": 800}, has_touch=True, is_mobile=True
    )
    name_curator(context, CURATOR)
    tab = context.new_page()
    tab.set_default_timeout(TIMEOUT_MS)
    tab.goto(slow.url("Review"))
    painted(tab)
    session = context.new_cdp_session(tab)

    def touch(kind, *points):
        places = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": places})

    def swipe(right, down=0, *, start=None, lift=True):
        box = tab.locator("[data-el=content]").bounding_box()
        x, y = start or (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        touch("touchStart", (x, y))
        for step in range(1, 9):
            touch("touchMove", (x + right * step / 8, y + down * step / 8))
        if lift:
            touch("touchEnd")

    tab.swipe, tab.touch = swipe, touch
    yield tab
    context.close()


def test_a_swipe_says_what_it_does_decides_one_example_and_can_be_undone(review, phone):
    badge = phone.locator(".swipe")
    first = painted(phone)
    phone.swipe(60, lift=False)
    assert badge.inner_text() == phone.locator("[data-action=accept] span").inner_text()
    assert "ready" not in badge.get_attribute("class")
    phone.touch("touchEnd")  # too short: it springs back
    assert not badge.is_visible() and painted(phone) == first
    phone.swipe(170)
    wait_past(phone, first)
    second = painted(phone)
    phone.swipe(-170)
    wait_past(phone, second)
    saved(phone)
    assert stored(review.since()) == [("relabel", first), ("keep", second)]
    phone.locator("[data-action=undo]").click()
    phone.wait_for_selector(f".stage[data-painted='{second}']")
    saved(phone)
    assert review.store.current_decision(second) is None


def test_a_scroll_a_pinch_and_a_finger_from_the_edge_decide_nothing(review, phone):
    shown = painted(phone)
    main = phone.get_by_test_id("stMain")
    phone.swipe(30, -250)
    phone.wait_for_function(
        "() => document.querySelector('[data-testid=stMain]').scrollTop + scrollY > 50"
    )
    main.evaluate("e => { e.scrollTop = 0; scrollTo(0, 0) }")
    box = phone.locator("[data-el=content]").bounding_box()
    phone.swipe(200, start=(8, box["y"] + 80))  # a phone goes back a page with this
    phone.touch("touchStart", (200, box["y"] + 80))
    phone.touch("touchStart", (200, box["y"] + 80), (240, box["y"] + 80))
    phone.touch("touchMove", (20, box["y"] + 80), (400, box["y"] + 80))
    phone.touch("touchEnd")
    assert painted(phone) == shown and not phone.locator(".swipe").is_visible()
    assert not review.since()


def test_a_swipe_decides_nothing_that_is_not_painted(review, phone):
    phone.evaluate("window.curationReview.view.awaitPaint = () => {}")
    first = painted(phone)
    phone.swipe(170)
    phone.wait_for_selector(f".stage[data-id]:not([data-id='{first}'])")
    phone.swipe(170)  # the next one is there, but nobody has seen it
    phone.swipe(-170)
    saved(phone)
    assert stored(review.since()) == [("relabel", first)]


def test_the_classes_that_are_found_are_clear_of_the_buttons(review, phone):
    phone.get_by_role("combobox", name="Any other class").fill("zebra")
    offer = phone.get_by_role("option", name="Add “zebra” as a new class")
    offer.wait_for()
    phone.wait_for_function(
        """() => {
          const root = [...document.querySelectorAll(".stBidiComponent *")].map(e => e.shadowRoot)
              .find(each => each?.querySelector(".review"));
          const box = name => root.querySelector(name).getBoundingClientRect();
          return box("#found").bottom <= box(".actions").top && box(".find").top > 60;
        }"""
    )
    offer.tap()
    phone.get_by_role("button", name="Add zebra").wait_for()
    phone.get_by_role("button", name="Cancel").tap()
    assert not review.since()
