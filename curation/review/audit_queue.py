"""The examples of an audit as a queue: in the order they were drawn, alone or among the flagged.

A curator should judge an example of the audit like any other. Mixed with the flagged examples, it
cannot be told from them; the order is fixed by the audit's seed, so that it stays the same for
everybody. While an audit is open, neither queue says which methods flag an example.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from curation.core.matrix import IntArray
from curation.dataset import Dataset
from curation.review.audits import Audit, find_audits
from curation.store.entries import AuditEntry

AUDIT, MIXED = "audit", "mixed"  # the scopes that show an audit
BLIND_SCOPES = (AUDIT, MIXED)


def find_audit_rows(entries: Iterable[AuditEntry], dataset: Dataset) -> IntArray:
    """Return the rows of the last audit in its order; none if it does not fit the dataset."""
    audit = _find_last(entries)
    rows = np.array(audit.rows if audit else [], dtype=np.int64)
    if audit is None or not len(rows) or rows.max() >= len(dataset):
        return np.zeros(0, dtype=np.int64)
    same = [str(dataset.ids[row]) for row in rows] == list(audit.stored["ids"])
    return rows if same else np.zeros(0, dtype=np.int64)


def mix_audit_rows(entries: Iterable[AuditEntry], dataset: Dataset, flagged: IntArray) -> IntArray:
    """Return the audit's rows among others, both in their own order; each row once."""
    entries = list(entries)
    drawn = find_audit_rows(entries, dataset)
    audit = _find_last(entries)
    others = flagged[~np.isin(flagged, drawn)]
    return mix(drawn, others, audit.seed if audit else 0)


def mix(one: IntArray, other: IntArray, seed: int) -> IntArray:
    """Return two lists as one, by a coin that the seed tosses; both keep their order.

    >>> mix(np.array([1, 2, 3]), np.array([7, 8, 9]), seed=1)
    array([1, 2, 7, 3, 8, 9])
    """
    tosses = np.random.PCG64(seed).random_raw(len(one) + len(other)) >> np.uint64(63) == 1
    heads, tails = np.flatnonzero(tosses), np.flatnonzero(~tosses)
    # Once one list is used up, the other one goes on: its places come after all tosses.
    last = len(tosses)
    places = np.concatenate([_extend(heads, len(one), last), _extend(tails, len(other), last)])
    mixed: IntArray = np.concatenate([one, other])[np.argsort(places, kind="stable")]
    return mixed


def _extend(places: IntArray, size: int, last: int) -> IntArray:
    extended: IntArray = np.concatenate(
        [places[:size], last + np.arange(max(0, size - len(places)))]
    )
    return extended


def is_blind(scope: str, entries: Iterable[AuditEntry]) -> bool:
    """Return whether a queue must not say what the methods flag: the audit is still open."""
    if scope not in BLIND_SCOPES:
        return False
    audit = _find_last(entries)
    return audit is not None and audit.closed is None


def _find_last(entries: Iterable[AuditEntry]) -> Audit | None:
    audits = find_audits(entries)
    return audits[-1] if audits else None
