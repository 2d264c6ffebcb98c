"""Which examples are flagged, once merges of classes are taken into account.

If the given and the suggested label are one class now, there is nothing left to ask. Every place
that lists or counts flagged examples gets them from here.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from curation.analysis.findings import Findings, Method, Order
from curation.core.matrix import BoolArray, IntArray


def mark_flagged(findings: Findings, method: Method, becomes: Sequence[int] | None) -> BoolArray:
    """Return a mask of the examples that a method flags and no merge has settled.

    `becomes[j]` is the class that replaces class j, or None if no classes were merged.
    """
    flagged = findings.mask(method)
    if becomes is None:
        return flagged
    now = np.asarray(becomes)
    differ: BoolArray = now[findings.labels] != now[findings.suggested_labels]
    return flagged & differ


def find_flagged(
    findings: Findings,
    method: Method,
    becomes: Sequence[int] | None,
    order: Order = "normalized_margin",
) -> IntArray:
    """Return the rows of the flagged examples, the most suspect first.

    >>> from curation import analyze
    >>> findings = analyze([0, 0, 1, 1], [[.9, .1], [.2, .8], [.3, .7], [.1, .9]])
    >>> find_flagged(findings, "confident_joint", None)
    array([1])
    >>> find_flagged(findings, "confident_joint", [0, 0])
    array([], dtype=int64)
    """
    rows = findings.issues(method, order)
    kept: IntArray = rows[mark_flagged(findings, method, becomes)[rows]]
    return kept
