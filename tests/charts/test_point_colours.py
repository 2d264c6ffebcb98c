"""Colours of points: a legend entry for each, and grey for what has none."""

import numpy as np

from curation.charts.point_colours import (
    GREY,
    MAX_CLASSES,
    OTHER,
    colour_classes,
    colour_decisions,
    colour_margins,
)


def named(found):
    return [found.legend[code].name for code in found.codes.tolist()]


def test_many_classes_leave_the_frequent_ones_their_own_colour():
    names = [f"c{k}" for k in range(30)]
    labels = np.concatenate([np.repeat(np.arange(30), 2), np.arange(5)])
    found = colour_classes(labels, names)
    assert len(found.legend) == MAX_CLASSES and found.legend[-1].name == OTHER
    own = {entry.name for entry in found.legend[:-1]}
    assert {"c0", "c1", "c2", "c3", "c4"} < own
    words = named(found)
    assert all(
        word == (names[k] if names[k] in own else OTHER)
        for k, word in zip(labels, words, strict=True)
    )
    assert len({entry.colour for entry in found.legend}) == MAX_CLASSES


def test_the_suggestion_of_an_example_that_is_not_flagged_is_not_shown():
    found = colour_classes(np.array([0, 1, 1]), ["cat", "dog"], np.array([False, True, False]))
    assert named(found) == ["not flagged", "dog", "not flagged"]
    assert found.legend[-1].colour == GREY


def test_margins_have_steps_and_the_ends_belong_to_them():
    words = named(colour_margins(np.array([-1.0, -0.2, 0.05, 1.0]), dark=True))
    assert words == ["−1.0 to −0.7", "−0.4 to −0.1", "−0.1 to 0.1", "0.7 to 1.0"]


def test_decisions_have_the_same_colour_whichever_others_there_are():
    names = {1: "keep", 2: "relabel", 3: "exclude"}
    one = colour_decisions(np.array([0, 3], np.int8), names)
    all_of_them = colour_decisions(np.array([0, 1, 2, 3], np.int8), names)
    assert named(one) == ["undecided", "exclude"]
    assert one.legend[1].colour == all_of_them.legend[3].colour
    assert colour_decisions(np.zeros(3, np.int8), names).codes.tolist() == [0, 0, 0]
