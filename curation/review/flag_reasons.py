"""Why an example was flagged, in one sentence, and which classes are likely for it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from curation.analysis.findings import METHODS, Findings
from curation.dataset import Dataset
from curation.wording import isolate, typical_for

NUM_LIKELY = 10  # one class for each digit key
NUMBERS = ("no", "one", "two", "three", "four", "all five")


def count_methods(findings: Findings, row: int) -> int:
    """Return how many of the five methods flag an example."""
    return sum(bool(findings.masks[method][row]) for method in METHODS)


def explain(findings: Findings, dataset: Dataset, row: int) -> str:
    """Return one sentence, with numbers, on why an example was flagged."""
    given, other = int(findings.labels[row]), int(findings.suggested_labels[row])
    name, given_name = (quote_class(str(findings.class_names[each])) for each in (other, given))
    probability = float(dataset.pred_probs[row : row + 1][0, other])
    typical = float(findings.thresholds[other])
    usual = f"{typical_for(findings.threshold)} for {name} is {typical:.2f}"
    usual = usual if np.isfinite(typical) else "which has no label"
    times = NUMBERS[count_methods(findings, row)]
    flags = "flags" if times in ("no", "one") else "flag"
    methods = "no method" if times == "no" else times if times == "all five" else f"{times} of five"
    methods += "" if times == "no" else " methods"
    return (
        f"The model gives {name} {probability:.2f}, {usual}; it gives the label {given_name} "
        f"{float(findings.self_confidence[row]):.2f}; {methods} {flags} it."
    )


def quote_class(name: str) -> str:
    """Return a class name for a sentence with numbers; one that looks like a number is quoted.

    >>> quote_class("dog"), quote_class("7"), quote_class("5 stars")
    ('dog', '“7”', '“5 stars”')
    """
    return f"“{isolate(name)}”" if name[:1].isdigit() or name[-1:].isdigit() else isolate(name)


def rank_classes(probabilities: NDArray[np.floating], count: int = NUM_LIKELY) -> list[int]:
    """Return the likeliest classes of one example, the likeliest first.

    >>> rank_classes(np.array([.1, .6, .3]), 2)
    [1, 2]
    """
    likeliest = np.argsort(-probabilities, kind="stable")[:count]
    return [int(each) for each in likeliest]
