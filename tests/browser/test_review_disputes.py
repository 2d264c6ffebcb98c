"""Curators who differ: the page follows what others do, and a list of disputes settles them."""

from __future__ import annotations

import re

import pytest

from tests.browser.watching import painted, saved, unaware

HEAR_NOTHING = "window.curationReview.followConflict = () => {}"


@pytest.fixture
def conflict(review):
    """Ana keeps an example; Ben, who had seen it undecided, excludes it. Return his tab and it."""
    tab = review(curator="ben", curators="on")
    shown = painted(tab)
    with unaware(tab):
        review.store.decide(shown, "keep", curator="ana")
        tab.keyboard.press("e")
    tab.locator(".conflict").get_by_text("ana kept the label").wait_for()
    saved(tab)
    return tab, shown


def test_the_notice_and_the_curators_table_follow_what_others_do(review, conflict):
    tab, shown = conflict
    tab.get_by_text("They differ on 1 example", exact=True).wait_for()
    review.store.resolve(shown, "exclude", curator="cleo")
    notice = tab.locator(".conflict")
    notice.get_by_text(f"Settled: {shown}").wait_for()  # without a reload
    assert "cleo excluded it." in notice.inner_text()
    assert not notice.get_by_role("button", name="Theirs stands").count()
    tab.get_by_text("They differ on 1 example", exact=True).wait_for(state="hidden")
    notice.get_by_role("button", name="Close").click()
    notice.wait_for(state="hidden")
    assert review.since()[-1].curator == "cleo"


def test_theirs_stands_says_nothing_if_it_no_longer_does(review, conflict):
    tab, shown = conflict
    tab.evaluate(HEAR_NOTHING)  # the page has not heard of what comes next
    review.store.resolve(shown, "exclude", curator="cleo")
    count = len(review.since())
    tab.locator(".conflict").get_by_role("button", name="Theirs stands").click()
    tab.locator(".alarm").get_by_text(
        f"{shown} was settled meanwhile: cleo said exclude."
    ).wait_for()
    assert len(review.since()) == count
    assert review.store.current_decision(shown).curator == "cleo"
    assert not review.store.disagreements()


def test_disputes_are_settled_one_after_the_other_by_one_key_each(review):
    tab = review(curator="lead")
    ids = [painted(tab), "p00900"]  # the second is not flagged
    for each in ids:
        review.store.decide(each, "keep", curator="ana", note="as I see it")
        review.store.decide(each, "exclude", curator="ben")
    tab.evaluate("window.curationReview.connection.sendNow()")
    tab.get_by_role("link", name="2 examples are disputed: show →").click()
    answers = tab.locator(".answers")
    answers.get_by_text("as I see it").wait_for()
    first = painted(tab)
    assert answers.get_by_role("button").count() == 2
    tab.keyboard.press("q")
    tab.wait_for_selector(f".stage[data-painted]:not([data-painted='{first}'])")
    answers.get_by_role("button", name="Excluded it").click()
    tab.get_by_role("heading", name="That was the last one").wait_for()
    saved(tab)
    said = [each for each in review.since() if each.entry == "resolve"]
    assert [(each.curator, each.action) for each in said] == [("lead", "keep"), ("lead", "exclude")]
    assert {each.example_id for each in said} == set(ids) and said[0].example_id == first
    assert not review.store.disagreements()


def test_all_that_match_leaves_out_what_somebody_else_has_on_screen_and_says_so(review):
    other = review(curator="olga")
    hers = painted(other)
    tab = review(view="grid")
    tab.get_by_role("button", name="that are free").click()
    words = tab.locator(".gridbar .count").inner_text()
    free, total, taken = (int(each) for each in re.findall("[0-9]+", words))
    assert taken >= 1 and free + taken == total
    assert words == f"{free} of {total} selected · {taken} in front of somebody else"
    tab.keyboard.press("x")
    tab.get_by_text(f"{taken} more are in front of somebody else and left out.").wait_for()
    tab.get_by_role("button", name=f"Keep the label of {free} examples").click()
    notice = tab.locator(".alarm.calm")
    notice.get_by_text(f"{taken} are in front of somebody else and were left out.").wait_for()
    saved(tab)
    decided = {each.example_id for each in review.since()}
    assert len(decided) == free and hers not in decided
    notice.get_by_role("button", name="Close").click()
    notice.wait_for(state="hidden")
    tab.keyboard.press("z")
    saved(tab)
