"""Filters that live in the link."""

from __future__ import annotations

from curation.ui.review.filter_widgets import Choices

NAMES = {"": "(anyone)", "ana": "ana", "a · 3": "a · 3", "a": "a"}
PEOPLE = Choices(list(NAMES), NAMES.__getitem__, lambda each: {"ana": 1200, "a": 3}.get(each))


def test_a_choice_is_shown_with_how_many_examples_it_brings():
    assert [PEOPLE.show(each) for each in NAMES] == ["(anyone)", "ana · 1,200", "a · 3", "a · 3"]


def test_a_choice_reported_with_the_number_of_a_moment_ago_is_still_understood():
    assert PEOPLE.understand("ana") == PEOPLE.understand("ana · 1,199") == "ana"
    assert PEOPLE.understand("a · 3") == "a · 3"  # a value of its own comes first
    assert PEOPLE.understand("(anyone)") == ""
    assert PEOPLE.understand("bob · 2") is None
