"""A graph of classes: which overlaps to draw, and where each class is placed.

Clusters of confusion are the connected parts of the graph. Each part is laid out separately and
gets its own area, so that no part covers another or drifts out of sight.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import networkx as nx
import numpy as np

from curation.core.matrix import FloatArray
from curation.core.overlap import Pair, is_few

MAX_EDGES = 150  # with more lines the drawing cannot be read
MAX_WHOLE_CLASSES = 30  # up to this many, every class is drawn, and about as many lines
SEED = 7  # the same dataset always looks the same
LAYOUT_ITERATIONS = 200  # enough for parts of a hundred classes to settle
WIDTH_TO_HEIGHT = 2  # of the whole drawing
MIN_LINE_LENGTH = 6.0  # fits three pairs side by side
PART_GAP = np.array([1.0, 0.75])  # between parts, where neighbours are about 1 apart


@dataclass(frozen=True)
class ClassGraph:
    """Classes with their places, and the pairs drawn between them, strongest first."""

    labels: tuple[int, ...]
    places: FloatArray  # (number of labels, 2)
    pairs: tuple[Pair, ...]
    left_out: int  # weaker pairs that are not drawn


def lay_out_classes(
    pairs: Sequence[Pair], num_classes: int, *, every_class: bool = True
) -> ClassGraph:
    """Return the graph of the strongest overlaps.

    Of many classes, or without `every_class`, only those with an overlap are drawn.
    """
    drawn = choose_edges(pairs, num_classes)
    graph: nx.Graph[int] = nx.Graph()
    for pair in drawn:
        graph.add_edge(pair.a, pair.b)
    if drawn and every_class and num_classes <= MAX_WHOLE_CLASSES:
        graph.add_nodes_from(range(num_classes))
    places = _place_parts([_lay_out_part(graph, part) for part in _find_parts(graph)])
    labels = tuple(sorted(places))
    return ClassGraph(
        labels=labels,
        places=np.array([places[label] for label in labels]).reshape(len(labels), 2),
        pairs=tuple(drawn),
        left_out=len(pairs) - len(drawn),
    )


def choose_edges(pairs: Sequence[Pair], num_classes: int) -> list[Pair]:
    """Return the pairs to draw, the largest first.

    Plain errors are drawn where there is little else: as many as make one line for each of a few
    classes. Among many classes they would connect each with every other and hide the clusters.

    >>> strong, weak = Pair(0, 1, 30, 9, 200), Pair(0, 2, 1, 0, 200)
    >>> choose_edges([strong, weak], 3) == [strong, weak]
    True
    >>> choose_edges([strong, weak], 1000) == [strong], choose_edges([weak], 1000) == [weak]
    (True, True)
    """
    strong = [pair for pair in pairs if not is_few(pair)][:MAX_EDGES]
    if num_classes > MAX_WHOLE_CLASSES:
        return strong or list(pairs[:MAX_EDGES])
    weak = [pair for pair in pairs if is_few(pair)][: max(0, num_classes - len(strong))]
    return sorted([*strong, *weak], key=lambda pair: -pair.total)


def _find_parts(graph: nx.Graph[int]) -> list[list[int]]:
    """Return the connected parts, the one with most classes first."""
    parts = [sorted(part) for part in nx.connected_components(graph)]
    return sorted(parts, key=lambda part: (-len(part), part))


def _lay_out_part(graph: nx.Graph[int], part: list[int]) -> dict[int, FloatArray]:
    """Return places in a box from (0, 0); neighbours are about one apart."""
    if len(part) == 1:
        return {part[0]: np.zeros(2)}
    if len(part) == 2:
        return {part[0]: np.array([0.0, 0.0]), part[1]: np.array([1.0, 0.0])}
    # All lines pull equally: if stronger ones pulled harder, names of close pairs would overlap.
    found = nx.spring_layout(
        graph.subgraph(part), seed=SEED, iterations=LAYOUT_ITERATIONS, weight=None
    )
    places = np.array([found[label] for label in part])
    places = _turn_flat(places - places.mean(axis=0))
    ends = np.array([(part.index(a), part.index(b)) for a, b in graph.subgraph(part).edges])
    usual = float(np.median(np.linalg.norm(places[ends[:, 0]] - places[ends[:, 1]], axis=1)))
    places = places / max(usual, 1e-9)
    return dict(zip(part, places - places.min(axis=0), strict=True))


def _turn_flat(places: FloatArray) -> FloatArray:
    """Return places rotated so that they spread from left to right, where names have room."""
    _, _, axes = np.linalg.svd(places, full_matrices=False)
    turned: FloatArray = places @ axes.T
    return turned


def _place_parts(parts: list[dict[int, FloatArray]]) -> dict[int, FloatArray]:
    """Return every class's place; the parts are arranged in rows, like words in lines."""
    sizes = [np.max(list(part.values()), axis=0) + PART_GAP for part in parts]
    area = sum(float(size[0] * size[1]) for size in sizes)
    line = max([MIN_LINE_LENGTH, np.sqrt(area * WIDTH_TO_HEIGHT), *(float(s[0]) for s in sizes)])
    placed: dict[int, FloatArray] = {}
    x = y = height = 0.0
    for part, size in zip(parts, sizes, strict=True):
        if x and x + size[0] > line + 0.01:
            x, y, height = 0.0, y - height, 0.0
        placed |= {label: spot * [1, -1] + [x, y] for label, spot in part.items()}
        x, height = x + float(size[0]), max(height, float(size[1]))
    return placed
