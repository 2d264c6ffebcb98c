import numpy as np
import pytest

from curation.analysis.class_graph import MAX_EDGES, lay_out_classes
from curation.charts import plots
from curation.core.overlap import Pair


def make_pairs(*ends: tuple[int, int], total: int = 20) -> list[Pair]:
    return [Pair(a, b, total, 0, 100) for a, b in ends]


def test_every_class_of_an_overlap_has_one_place_and_no_two_share_it():
    pairs = make_pairs((0, 1), (1, 2), (2, 0), (4, 5), (7, 8))
    for graph, labels in (
        (lay_out_classes(pairs, 100), (0, 1, 2, 4, 5, 7, 8)),
        (lay_out_classes(pairs, 9), tuple(range(9))),  # of a few classes, each is drawn
        (lay_out_classes(pairs, 9, every_class=False), (0, 1, 2, 4, 5, 7, 8)),
    ):
        assert graph.labels == labels
        distances = np.linalg.norm(graph.places[:, None] - graph.places[None, :], axis=2)
        assert (distances[~np.eye(len(labels), dtype=bool)] > 0.3).all()


def test_the_same_pairs_are_always_drawn_alike():
    pairs = make_pairs((0, 1), (1, 2), (2, 3), (3, 0), (0, 4))
    first, second = lay_out_classes(pairs, 5), lay_out_classes(pairs, 5)
    assert (first.places == second.places).all()


def test_clusters_do_not_lie_over_each_other():
    pairs = make_pairs((0, 1), (1, 2), (2, 0), (10, 11), (11, 12), (12, 13), (20, 21))
    graph = lay_out_classes(pairs, 30)
    boxes = []
    for part in ((0, 1, 2), (10, 11, 12, 13), (20, 21)):
        places = graph.places[[graph.labels.index(label) for label in part]]
        boxes.append((places.min(axis=0), places.max(axis=0)))
    for k, (low, high) in enumerate(boxes):
        for other_low, other_high in boxes[k + 1 :]:
            assert (high < other_low).any() or (other_high < low).any()


def test_plain_errors_among_many_classes_are_left_out_where_there_are_overlaps():
    strong, weak = make_pairs((0, 1)), make_pairs((0, 2), (1, 3), total=1)
    graph = lay_out_classes(strong + weak, 400)
    assert graph.pairs == tuple(strong) and graph.labels == (0, 1) and graph.left_out == 2
    assert lay_out_classes(weak, 400).pairs == tuple(weak)


def test_ten_classes_with_two_overlaps_are_all_drawn_with_a_line_for_each():
    ends = [(a, b) for a in range(10) for b in range(a)]
    pairs = make_pairs((1, 9), (3, 5)) + make_pairs(*ends, total=1)
    graph = lay_out_classes(pairs, 10)
    assert graph.labels == tuple(range(10)) and len(graph.pairs) == 10
    assert graph.pairs[:2] == tuple(pairs[:2])


@pytest.mark.parametrize("count", [0, 1, 400])
def test_no_more_lines_are_drawn_than_can_be_read(count):
    graph = lay_out_classes(make_pairs(*((k, k + 1) for k in range(count))), 1000)
    assert len(graph.pairs) == min(count, MAX_EDGES)
    assert graph.places.shape == (len(graph.labels), 2)


def test_graph_of_many_classes_names_each_one_differently():
    places = np.stack(np.divmod(np.arange(400), 20), axis=1)
    names = [f"class {100 + k}" for k in range(400)]
    figure = plots.class_graph(
        names, places, np.ones(400), np.array([[0, 1]]), np.ones(1), [""],
        node_hover=names, ids=range(400),
    )  # fmt: skip
    (discs,) = (each for each in figure.data if each.text is not None)
    assert list(discs.text) == names
