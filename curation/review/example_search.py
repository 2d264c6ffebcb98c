"""Examples that hold a text: in the id, the text, the path, the class names or another column.

A million texts are searched by Arrow, in chunks. It lets other threads run meanwhile, so that a
search never freezes the server; `progress` is called after each chunk, and may raise an exception
to stop it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from curation.core.matrix import BoolArray
from curation.dataset import Dataset
from curation.loading.content.sources import ImageFiles, Texts
from curation.progress import Progress, ignore_progress

CHUNK = 20_000  # examples converted at a time; other threads wait a few milliseconds for that


@dataclass(frozen=True)
class Search:
    """A text to look for: everywhere, or in one column; there it may have to be the whole cell."""

    text: str
    column: str | None = None
    is_whole: bool = False


def normalize(text: str) -> str:
    """Return a text as it is compared: without case, and without spaces around it."""
    return text.strip().casefold()


def find_matches(
    dataset: Dataset, search: Search, *, progress: Progress = ignore_progress
) -> BoolArray:
    """Return which examples hold a text. Case is ignored, unless it is a whole cell."""
    found = np.zeros(len(dataset), bool)
    if search.column is None:
        wanted = normalize(search.text)
        is_named = [wanted in normalize(name) for name in dataset.class_names]
        found |= np.array(is_named, bool)[dataset.labels]
    places = list(_list_places(dataset, search.column))
    for number, (name, values) in enumerate(places):
        for start in range(0, len(found), CHUNK):
            progress(f"Searching {name}", (number + start / len(found)) / len(places))
            found[start : start + CHUNK] |= _search(values[start : start + CHUNK], search)
    return found


def _list_places(dataset: Dataset, column: str | None) -> Iterator[tuple[str, Any]]:
    """Yield what is searched, with a name: (n,) arrays of texts."""
    if column is not None:
        yield column, dataset.extras[column]
        return
    yield "ids", dataset.ids
    if isinstance(dataset.content, ImageFiles):
        yield "paths", dataset.content.names
    if isinstance(dataset.content, Texts):
        yield "texts", dataset.content.values
    for name in dataset.extras:
        yield name, dataset.extras[name]


def _search(values: Any, search: Search) -> BoolArray:
    cells = ["" if each is None else str(each) for each in values]
    if search.is_whole:
        return np.array([each == search.text for each in cells], bool)
    try:
        texts = pa.array(cells, pa.large_string())
    except (pa.ArrowInvalid, UnicodeEncodeError):  # half a character, as in broken exports
        wanted = normalize(search.text)
        return np.array([wanted in each.casefold() for each in cells], bool)
    hits = pc.match_substring(texts, search.text, ignore_case=True)
    found: BoolArray = hits.to_numpy(zero_copy_only=False)
    return found
