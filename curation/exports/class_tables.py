"""class_map.csv, class_weights.csv and matrices of classes: one row per class."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curation.loading.formats.csv_writing import csv_lines
from curation.review.cleaning_plan import Plan
from curation.review.extended_classes import list_named, name_classes
from curation.wording import count_of

MAP_COLUMNS = (
    *("index", "id", "name", "label"),
    *("becomes_index", "becomes_id", "becomes_name", "becomes_label", "applied", "why"),
)
WEIGHT_COLUMNS = ("index", "id", "name", "label", "weight", "latent_prior", "joint_diagonal")
CORNER = "given \\ true"  # the first cell of a matrix


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
    yield from _map_added(plan)


def _map_added(plan: Plan) -> Iterator[Sequence[Any]]:
    """Yield the classes that curators added; they stay as they are."""
    every = plan.every_class
    for label, added in zip(every.list_added(), every.added, strict=True):
        same = (label, added.id, added.name, every.texts[label])
        yield *same, *same, False, describe_added(plan, label)


def describe_added(plan: Plan, label: int) -> str:
    """Return who added a class, and how many examples have it after the decisions that count."""
    added = plan.every_class.ids[label]
    who = sorted(
        {
            each.curator
            for decisions in plan.outcome.candidates.values()
            for each in decisions
            if added in dict(list_named(each))
        }
    )
    count = int(np.count_nonzero(plan.new_labels[~plan.out] == label))
    both = sum(added in each.label_ids for each in plan.outcome.by_row.values())
    more = f", and {both:,} with another class too" if both else ""
    return f"added by {', '.join(who)}; {count_of(count, 'example')}{more}"


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
        name_classes(plan.dataset), plan.findings.joint, safe=plan.settings.spreadsheet_safe
    )


def write_noise_matrix(plan: Plan) -> Iterator[bytes]:
    """Yield p(given | true); each column sums to 1."""
    yield from write_matrix(
        name_classes(plan.dataset), plan.findings.noise_matrix, safe=plan.settings.spreadsheet_safe
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
