"""Finds examples with the same content, under the same label or under different labels."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

from curation.core.matrix import IntArray
from curation.dataset import Content
from curation.loading.content.remote_pictures import RemotePictures
from curation.loading.content.sources import (
    NO_DIGEST,
    UNREADABLE_DIGEST,
    ImageFiles,
    NoContent,
    Texts,
)
from curation.report import FIRST_ROWS, Diagnosis, Severity

MAX_PICTURES_COMPARED = 10_000  # takes about a second. Texts are in memory; all are compared


def diagnose_copies(
    content: Content,
    labels: IntArray,
    ids: Sequence[object] | NDArray[np.object_],
    class_names: Sequence[str],
    *,
    where: str = "content",
) -> tuple[list[Diagnosis], str]:
    """Return warnings about examples with the same content, and what was compared, in words.

    Texts are compared letter by letter; empty ones are not compared. Pictures are compared by
    file name, and the first ten thousand also byte for byte: one picture saved in two formats
    counts as two.
    """
    if isinstance(content, NoContent):
        return [], ""
    same_as = find_same(content)
    compared = _describe_compared(content)
    rows = np.flatnonzero(np.isin(same_as, same_as[same_as != np.arange(len(same_as))]))
    if not len(rows):
        return [], compared
    contradicted = np.unique(same_as[labels != labels[same_as]])
    found = []
    if len(contradicted):
        found.append(_two_labels(contradicted, same_as, labels, ids, class_names, where, compared))
    pairs = list(zip(same_as[rows].tolist(), labels[rows].tolist(), strict=True))
    twins = rows[_first_of_each(pairs)]
    if (twins != rows).any():
        found.append(_copies(rows[twins != rows], twins[twins != rows], ids, where, compared))
    return found, compared


def find_same(content: Content) -> IntArray:
    """Return, for each example, the first one with the same content: itself if it has no copy."""
    if isinstance(content, Texts):
        return _first_of_each([text if text and text.strip() else None for text in content.values])
    if not isinstance(content, ImageFiles):
        compared = range(min(len(content), MAX_PICTURES_COMPARED))
        same = _first_of_each([_digest(content, row) for row in compared])
        return np.concatenate([same, np.arange(len(same), len(content))])
    same_as = _first_of_each([name or None for name in content.names])
    # The cheapest comparison first: most files are only asked for their size, and few read whole.
    named_once = np.flatnonzero(same_as == np.arange(len(same_as)))[:MAX_PICTURES_COMPARED]
    sizes = [content.size(row) or "unknown" for row in named_once.tolist()]
    doubtful = _keep_alike(named_once, sizes)
    doubtful = _keep_alike(doubtful, [content.outline(row) for row in doubtful.tolist()])
    same = _first_of_each([_digest(content, row) for row in doubtful.tolist()])
    same_as[doubtful] = doubtful[same]
    return same_as[same_as]  # a copy of a copy is a copy of the first


def _keep_alike(rows: IntArray, keys: Sequence[Hashable | None]) -> IntArray:
    """Return the rows whose key another row has too."""
    first = _first_of_each(keys)
    return rows[np.isin(first, first[first != np.arange(len(first))])]


def _first_of_each(keys: Sequence[Hashable | None]) -> IntArray:
    """Return the position of each key's first occurrence; None equals nothing else.

    >>> _first_of_each(["a", None, "a", None])
    array([0, 1, 0, 3])
    """
    if len(set(keys)) == len(keys):  # much faster, and nearly always the case
        return np.arange(len(keys))
    seen: dict[Hashable, int] = {}
    places = (
        place if key is None else seen.setdefault(key, place) for place, key in enumerate(keys)
    )
    return np.fromiter(places, np.int64)


def _digest(content: Content, row: int) -> str | None:
    found = content.digest(row)
    return None if found in (NO_DIGEST, UNREADABLE_DIGEST) else found


def _describe_compared(content: Content) -> str:
    if isinstance(content, Texts):
        return "texts, letter by letter"
    way = "byte for byte"
    if isinstance(content, RemotePictures):  # whose bytes are not fetched for this
        way = "by the size and version that the storage lists"
    if len(content) <= MAX_PICTURES_COMPARED:
        return f"pictures, {way}"
    return f"the first {MAX_PICTURES_COMPARED:,} pictures, {way}"


def _two_labels(
    contradicted: IntArray,
    same_as: IntArray,
    labels: IntArray,
    ids: Sequence[object] | NDArray[np.object_],
    class_names: Sequence[str],
    where: str,
    compared: str,
) -> Diagnosis:
    def describe(first: int) -> str:
        rows = np.flatnonzero(same_as == first)[:FIRST_ROWS].tolist()
        return " = ".join(f"{ids[row]} ({class_names[labels[row]]})" for row in rows)

    count = int(np.isin(same_as, contradicted).sum())
    things = "the same" if len(contradicted) == 1 else f"{len(contradicted):,} things"
    return Diagnosis(
        severity=Severity.WARN,
        code="rows.two_labels",
        what=f"{count:,} examples show {things} under different labels (compared: {compared}).",
        where=where,
        why="Of two labels for the same content at most one is right, whatever the model says.",
        fix="Look at these examples and decide which label is right.",
        count=len(contradicted),
        first_rows=tuple(describe(first) for first in contradicted[:FIRST_ROWS].tolist()),
    )


def _copies(
    copies: IntArray,
    twins: IntArray,
    ids: Sequence[object] | NDArray[np.object_],
    where: str,
    compared: str,
) -> Diagnosis:
    again = len(copies)
    pairs = zip(copies[:FIRST_ROWS].tolist(), twins[:FIRST_ROWS].tolist(), strict=True)
    verb = "example shows" if again == 1 else "examples show"
    return Diagnosis(
        severity=Severity.WARN,
        code="rows.identical",
        what=f"{again:,} {verb} the same as another, under the same label (compared: {compared}).",
        where=where,
        why="If one copy is in the training data, the model is too sure of the other.",
        fix="Delete the copies if they are not intended.",
        count=again,
        first_rows=tuple(f"{ids[copy]} = {ids[twin]}" for copy, twin in pairs),
    )
