"""Parts of the map: short in a link, and the same examples wherever they are asked for."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.neighbours.map_area import Area, contains, outline, read_area
from curation.neighbours.neighbour_search import Neighbours, place_on_map

PLACES = st.tuples(st.integers(0, 4095), st.integers(0, 4095))


def make_neighbours(places, key="0123abcd99"):
    size = len(places)
    nearest = np.zeros((size, 1), np.int32)
    return Neighbours(
        nearest, np.zeros((size, 1), np.float32), np.array(places, np.uint16),
        "embeddings.npy", True, (), key,
    )  # fmt: skip


@given(st.lists(PLACES, min_size=3, max_size=60))
def test_a_link_gives_back_the_outline_in_four_characters_per_point(points):
    area = Area("pca", "0123abcd", tuple(points))
    assert read_area(area.write()) == area
    assert len(area.write()) == len("pca.0123abcd.") + 4 * len(points)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "pca",
        "pca.0123abcd.",
        "pca.0123abcd.AAAABBBB",
        "tsne.x.AAAAAAAAAAAA",
        "pca.x.AAAA<script>",
    ]
    + ["pca.x." + "AAAA" * 500],
)
def test_what_is_no_area_is_none(text):
    assert read_area(text) is None


def turns_around(points, place):
    """Return whether an outline winds around a place: the angles to its corners add up."""
    apart = np.array(points) - np.array(place)
    angles = np.arctan2(apart[:, 1], apart[:, 0])
    steps = np.diff(np.append(angles, angles[0]))
    return abs(((steps + np.pi) % (2 * np.pi) - np.pi).sum()) > np.pi


def test_inside_is_where_the_outline_winds_around():
    angles = np.linspace(0, 2 * np.pi, 30, endpoint=False)
    far = 1000 + 600 * np.cos(5 * angles)  # a star, without crossings
    points = [
        (2000 + r * np.cos(a), 2000 + r * np.sin(a)) for r, a in zip(far, angles, strict=True)
    ]
    points = tuple((int(x), int(y)) for x, y in points)
    places = np.random.default_rng(0).integers(0, 4095, (300, 2))
    expected = [turns_around(points, place) for place in places]
    assert contains(points, places).tolist() == expected and 20 < sum(expected) < 280


def test_examples_inside_are_found_on_the_map_it_was_drawn_on_and_on_no_other():
    found = make_neighbours([(10, 10), (100, 100), (3000, 5)])
    area = outline("pca", found, [[0, 0], [200, 0], [200.4, 200], [0, 200]])
    assert area.points == ((0, 0), (200, 0), (200, 200), (0, 200))
    assert area.find_inside(found).tolist() == [True, True, False]
    other = make_neighbours([(10, 10), (100, 100), (3000, 5)], key="ffff")
    assert not area.find_inside(other).any() and not area.fits(other)


@pytest.mark.parametrize(
    "sent", [None, "x", [[1, 2]], [[1], [2], [3]], [[1, 2]] * 900, [["a", 1]] * 3]
)
def test_anything_else_from_a_browser_is_no_outline(sent):
    assert outline("pca", make_neighbours([(1, 1)]), sent) is None


def test_an_outline_along_the_edge_holds_everything_even_far_outliers():
    spread = np.random.default_rng(0).normal(size=(500, 2))
    spread[0] = [900, -900]
    places = place_on_map(spread, np.ones(500, bool))
    assert contains(((0, 0), (4095, 0), (4095, 4095), (0, 4095)), places).all()


def test_points_that_are_all_equal_have_a_place():
    assert place_on_map(np.zeros((4, 2)), np.ones(4, bool)).shape == (4, 2)
