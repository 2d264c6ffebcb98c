"""Five minutes without a connection, by the clock of the browser."""

from __future__ import annotations

import re

import pytest

from tests.browser.watching import expected, painted, press, saved, seen, stored


@pytest.mark.fault(69, "HOLDS")
@pytest.mark.fault(71, "HOLDS")
def test_five_minutes_offline_lose_double_and_misplace_nothing(review):
    tab = review()
    tab.clock.install()  # its timers follow the test's clock, which first runs on as usual
    tab.reload()
    painted(tab)
    for key in "axe":
        press(tab, key)
    saved(tab)
    before = len(review.since())
    review.lost = True
    tab.context.set_offline(True)
    for key in "xexnx":
        press(tab, key)
    tab.clock.fast_forward("05:00")  # every timer that would have run out, runs out
    words = tab.locator(".saved").inner_text()
    assert int(re.search(r"\d+", words)[0]) == 5, words
    assert len(review.since()) == before
    place = painted(tab)
    tab.context.set_offline(False)
    tab.clock.fast_forward("01:00")  # past the longest wait before the next attempt
    saved(tab)
    assert painted(tab) == place, "the same place"
    assert stored(review.since()) == expected(seen(tab))
    assert len(stored(review.since())) == 8
