"""class_map.csv, class_weights.csv and matrices of classes: one row per class."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from numpy.typing import NDArray

from curation.class_names import distinct_names
from curation.dataset import Dataset
from curation.loading.formats.csv_writing import csv_lines
from curation.review.cleaning_plan import Plan

MAP_COLUMNS = (
    *("index", "id", "name", "label"),
    *("becomes_index", "becomes_id", "becomes_name", "becomes_label", "applied", "why"),
)
WEIGHT_COLUMNS = ("index", "id", "name", "label", "weight", "latent_prior", "joint_diagonal")
CORNER = "given \\ true"  # the first cell of a matrix


def axis_names(dataset: Dataset) -> tuple[str, ...]:
    """Return a unique name for each class: its own, its own with its id, or only its id."""
    names = distinct_names(dataset.class_names, dataset.class_ids)
    return names if len(set(names)) == len(names) else tuple(dataset.class_ids)


def write_class_map(plan: Plan) -> Iterator[bytes]:
    """Yield what each class became, and whether the cleaned labels show it."""
    yield from csv_lines(_map_classes(plan), safe=plan.settings.spreadsheet_safe)


def _map_classes(plan: Plan) -> Iterator[Sequence[Any]]:
    dataset, classes = plan.dataset, plan.classes
    yield MAP_COLUMNS
    for label, becomes in enumerate(classes.becomes):
        yield (
            *(label, dataset.class_ids[label], dataset.class_names[label]),
            dataset.label_values[label],
            *(becomes, dataset.class_ids[becomes], classes.names[label], classes.texts[label]),
            bool(plan.settings.apply_merges and classes.why[label]),
            classes.why[label],
        )


def write_class_weights(plan: Plan) -> Iterator[bytes]:
    """Yield how much to weight each class when training without the errors."""
    yield from csv_lines(_weigh_classes(plan), safe=plan.settings.spreadsheet_safe)


def _weigh_classes(plan: Plan) -> Iterator[Sequence[Any]]:
    findings, dataset = plan.findings, plan.dataset
    yield WEIGHT_COLUMNS
    for label, name in enumerate(dataset.class_names):
        yield (
            *(label, dataset.class_ids[label], name, dataset.label_values[label]),
            float(findings.class_weights[label]),
            float(findings.latent_prior[label]),
            float(findings.joint[label, label]),
        )


def write_joint(plan: Plan) -> Iterator[bytes]:
    """Yield the estimated joint of given and true labels."""
    yield from write_matrix(
        axis_names(plan.dataset), plan.findings.joint, safe=plan.settings.spreadsheet_safe
    )


def write_noise_matrix(plan: Plan) -> Iterator[bytes]:
    """Yield p(given | true); each column sums to 1."""
    yield from write_matrix(
        axis_names(plan.dataset), plan.findings.noise_matrix, safe=plan.settings.spreadsheet_safe
    )


def write_matrix(
    names: Sequence[str], values: NDArray[Any], *, safe: bool = False
) -> Iterator[bytes]:
    """Yield a matrix `[given, true]` as CSV with the classes on both axes.

    Numbers are written with all digits, so that they are read back exactly.

    >>> import numpy as np
    >>> b"".join(write_matrix(["cat", "dog"], np.array([[.5, .1], [0, .4]]))).decode().splitlines()
    ['given \\\\ true,cat,dog', 'cat,0.5,0.1', 'dog,0.0,0.4']
    """
    rows = ([name, *numbers] for name, numbers in zip(names, values.tolist(), strict=True))
    yield from csv_lines([[CORNER, *names]], safe=safe)
    yield from csv_lines(rows, safe=safe)
