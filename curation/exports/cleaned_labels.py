"""The cleaned labels: the user's own file and format, with only the decided cells changed."""

from __future__ import annotations

from typing import BinaryIO

import numpy as np

from curation.core.matrix import BoolArray
from curation.dataset import Dataset
from curation.errors import InputError
from curation.loading.formats.registry import BY_NAME, find_suffix
from curation.review.cleaning_plan import Plan


def cleaned_name(dataset: Dataset) -> str:
    """Return the name of the cleaned labels, with the suffix of the label file."""
    source = dataset.source
    own = find_suffix(source.path.name) if source.path else ""
    return f"cleaned_labels{BY_NAME[source.format].export_suffix or own}"


def check_unchanged(dataset: Dataset) -> None:
    """Stop if the label file changed since the dataset was loaded."""
    source = dataset.source
    if not source.is_unchanged:
        raise InputError(
            f"{source.called} has been changed, moved or deleted since the dataset was loaded.",
            "Load the dataset again, check which decisions still fit, then export.",
        )


def write_labels(plan: Plan, file: BinaryIO) -> int:
    """Write the cleaned labels, and return the number of rows in the label file."""
    safe = plan.settings.spreadsheet_safe
    format_ = BY_NAME[plan.dataset.source.format]
    return format_.rewrite(plan.dataset, plan.edits, file, spreadsheet_safe=safe)


def keep_mask(plan: Plan, num_rows: int) -> BoolArray:
    """Return which rows of the label file stay; rows without a label always do."""
    keep = np.ones(num_rows, bool)
    keep[plan.dataset.source_rows[np.flatnonzero(plan.out)]] = False
    return keep
