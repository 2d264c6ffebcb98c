"""A graph of classes: which overlaps to draw, and where each class stands.

Clusters of confusion are the connected parts of the graph. Each is laid out alone and given its
own place, so that no cluster is drawn over another and none drifts out of sight.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import networkx as nx
import numpy as np

from curation.core.matrix import FloatArray
from curation.core.overlap import Pair, is_few

MOST_EDGES = 150  # more lines than this cannot be told apart
SEED = 7  # the same dataset always looks the same
ROUNDS = 200  # of the spring layout; parts of a hundred classes have settled by then
WIDTH_TO_HEIGHT = 2.2  # of the whole drawing


@dataclass(frozen=True)
class ClassGraph:
    """Classes with their places, and the pairs drawn between them, strongest first."""

    labels: tuple[int, ...]
    places: FloatArray  # (number of labels, 2)
    pairs: tuple[Pair, ...]
    left_out: int  # weaker pairs that are not drawn


def lay_out_classes(pairs: Sequence[Pair], num_classes: int) -> ClassGraph:
    """Return the graph of the strongest overlaps; classes without any are left out.

    Every overlap is drawn but plain errors, and of those only as many as make one line a class:
    all of them would tie every class to every other and hide the clusters.
    """
    drawn = choose_edges(pairs, num_classes)
    graph: nx.Graph[int] = nx.Graph()
    for pair in drawn:
        graph.add_edge(pair.a, pair.b, weight=float(np.sqrt(pair.total)))
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

    >>> strong, weak = Pair(0, 1, 30, 9, 200), Pair(0, 2, 1, 0, 200)
    >>> choose_edges([strong, *[weak] * 9], num_classes=3) == [strong, weak, weak]
    True
    """
    strong = [pair for pair in pairs if not is_few(pair)]
    weak = [pair for pair in pairs if is_few(pair)]
    chosen = strong[:MOST_EDGES]
    room = min(MOST_EDGES, num_classes) - len(chosen)
    return chosen + weak[: max(0, room)]


def _find_parts(graph: nx.Graph[int]) -> list[list[int]]:
    """Return the connected parts, the one with most classes first."""
    parts = [sorted(part) for part in nx.connected_components(graph)]
    return sorted(parts, key=lambda part: (-len(part), part))


def _lay_out_part(graph: nx.Graph[int], part: list[int]) -> dict[int, FloatArray]:
    """Return places in a box from (0, 0) as wide and high as the part needs."""
    side = 1.0 * np.sqrt(len(part))
    if len(part) == 2:
        return {part[0]: np.array([0.15, 0.35]), part[1]: np.array([0.95, 0.35])}
    places = nx.spring_layout(
        graph.subgraph(part), seed=SEED, iterations=ROUNDS, weight="weight", k=2.2 / side
    )
    found = np.array([places[label] for label in part])
    low, high = found.min(axis=0), found.max(axis=0)
    scaled = (found - low) / np.where(high > low, high - low, 1) * [side * 1.25, side * 0.85]
    return dict(zip(part, scaled, strict=True))


def _place_parts(parts: list[dict[int, FloatArray]]) -> dict[int, FloatArray]:
    """Return every class's place, the parts set in rows like words in lines."""
    sizes = [np.max(list(part.values()), axis=0) + [1.0, 0.75] for part in parts]
    area = sum(float(size[0] * size[1]) for size in sizes)
    line = max([np.sqrt(area * WIDTH_TO_HEIGHT), *(float(size[0]) for size in sizes)])
    placed: dict[int, FloatArray] = {}
    x = y = height = 0.0
    for part, size in zip(parts, sizes, strict=True):
        if x and x + size[0] > line:
            x, y, height = 0.0, y - height, 0.0
        placed |= {label: spot * [1, -1] + [x, y] for label, spot in part.items()}
        x, height = x + float(size[0]), max(height, float(size[1]))
    return placed
