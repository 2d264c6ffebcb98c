"""What the fixes of the input doctor are called on their buttons."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from curation.wording.short_names import shorten


def describe_fix(override: Mapping[str, Any]) -> str:
    """Return what an override does in a few words, for a button.

    >>> describe_fix({"convert": "softmax"}), describe_fix({"drop_rows": True})
    ('Apply softmax', 'Leave out these rows')
    """
    (key, value), *more = override.items() or [("", "")]
    if more:
        return "Apply this fix"
    if key == "convert":
        return CONVERSION_NAMES.get(str(value), "Convert the probabilities")
    words = ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
    return FIX_NAMES.get(key, "Apply this fix").format(shorten(words, 40) or "(no name)")


CONVERSION_NAMES = {
    "softmax": "Apply softmax",
    "percent": "Divide by 100",
    "rescale": "Rescale every row to 1",
}
FIX_NAMES = {
    "shift_labels": "Add {} to every label",
    "drop_rows": "Leave out these rows",
    "labels_are": "Read labels as {}",
    "positive_class": "The column holds the probability of {}",
    "class_order": "Use the suggested order",
    "classes": "Use these classes",
    "encoding": "Read the file as {}",
    "delimiter": "Split the cells at {}",
    "no_header": "Read the first line as a row",
    "sheet": "Read the labels from sheet {}",
    "prob_sheet": "Read the probabilities from sheet {}",
    "memory_limit_gb": "Allow {} GB of memory",
    "labels": "Read the labels from {}",
    "probs": "Read the probabilities from {}",
    "true_labels": "Read the true labels from {}",
    "label_column": "Read the labels from column {}",
    "majority_of": "Use what most annotators say",
    "splits": "Read the split: {}",
    "prob_array": "Read the probabilities from array {}",
    "id_column": "Read the ids from column {}",
    "text_column": "Read the texts from column {}",
    "image_column": "Read the pictures from column {}",
    "image_root": "Look for the pictures in {}",
    "features": "Read the features from {}",
    "prob_columns": "Read the probabilities from the columns {}",
    "title_column": "Call the examples by column {}",
    "name": "Call the dataset {}",
}
