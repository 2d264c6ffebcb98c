"""What the nearest examples say about a label, in words."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from curation.analysis.findings import Findings
from curation.dataset import Dataset
from curation.modelling.table_features import SPLIT_COLUMNS
from curation.neighbours.neighbour_search import Neighbours
from curation.review.flag_reasons import quote_class
from curation.wording import count_of, isolate, verb_of

SPLIT = SPLIT_COLUMNS[0]


def find_splits(dataset: Dataset) -> NDArray[Any] | None:
    """Return the split of each example, such as train or test; None if no column says it."""
    name = next((each for each in dataset.extras if each.strip().lower() == SPLIT), None)
    return None if name is None else np.array([str(each) for each in dataset.extras[name]])


def explain_neighbours(
    neighbours: Neighbours, findings: Findings, dataset: Dataset, row: int
) -> str:
    """Return what the nearest examples say about one, in a few sentences."""
    parts = [_count_labels(neighbours, findings, row), _tell_copies(neighbours, dataset, row)]
    if np.isin(row, neighbours.outliers):
        parts.append("It is unlike all other examples.")
    fault = neighbours.pictures.describe(row) if neighbours.pictures else ""
    if fault:
        parts.append(f"The picture is {fault.replace('odd', 'of an odd', 1)}.")
    return " ".join(part for part in parts if part)


def _count_labels(neighbours: Neighbours, findings: Findings, row: int) -> str:
    if not neighbours.usable[row]:
        return "It cannot be compared with other examples."
    labels = findings.labels[neighbours.nearest[row]]
    given, suggested = int(findings.labels[row]), int(findings.suggested_labels[row])
    names = [quote_class(str(findings.class_names[each])) for each in (suggested, given)]
    counts = [int((labels == each).sum()) for each in (suggested, given)]
    if counts[0] == len(labels) > 1:
        return f"All {len(labels)} nearest examples are labelled {names[0]}."
    are = verb_of(counts[0], "is", "are")
    return (
        f"{counts[0] or 'None'} of the {len(labels)} nearest examples {are} labelled {names[0]}, "
        f"{counts[1] or 'none'} {names[1]}."
    )


def _tell_copies(neighbours: Neighbours, dataset: Dataset, row: int) -> str:
    """Return which near-duplicates an example has: with another label, or in another split."""
    others = neighbours.similar.others(row)
    if not len(others):
        return ""
    said = [f"It has {count_of(len(others), 'near-duplicate')}"]
    labels = dataset.labels[others]
    different = dict.fromkeys(labels[labels != dataset.labels[row]].tolist())
    if different:
        names = [quote_class(dataset.class_names[each]) for each in different]
        some = "some " if (labels == dataset.labels[row]).any() else ""
        said.append(f"{some}labelled {', '.join(names)}")
    splits = find_splits(dataset)
    if splits is None:
        return f"{', '.join(said)}."
    found = dict.fromkeys(splits[others].tolist())
    elsewhere = [isolate(each) for each in found if each != splits[row]]
    if elsewhere:
        said.append(f"in the split {', '.join(elsewhere)}")
    return f"{', '.join(said)}."
