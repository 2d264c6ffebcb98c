"""The order of a queue by neighbours: whose label the nearest examples contradict most."""

from __future__ import annotations

from curation.analysis.findings import Findings
from curation.core.matrix import FloatArray
from curation.neighbours.neighbour_search import Neighbours

NEIGHBOUR_ORDER = "neighbours"  # its name, next to those in `analysis.findings.ORDERS`


def score_neighbours(findings: Findings, neighbours: Neighbours) -> FloatArray:
    """Return how far neighbours and model support the given label, -1 to 1; low is suspect. (n,)

    It is the mean of two margins: the share of the nearest examples that have the given label
    minus the share that have the suggested one, and the normalized margin of the probabilities.
    Where an example has no neighbours, the first is 0.
    """
    labels = findings.labels
    given = neighbours.count_labels(labels, labels)
    suggested = neighbours.count_labels(labels, findings.suggested_labels)
    score: FloatArray = ((given - suggested) / neighbours.count + findings.normalized_margin) / 2
    return score
