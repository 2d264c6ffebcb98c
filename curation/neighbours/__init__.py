"""Which examples are alike: the nearest of each, copies, outliers, pictures of poor quality."""

from curation.neighbours.neighbour_order import score_neighbours
from curation.neighbours.neighbour_search import Neighbours, find_neighbours

__all__ = ["Neighbours", "find_neighbours", "score_neighbours"]
