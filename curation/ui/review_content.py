"""Examples as the review page sends them to the browser: pictures at screen size, whole texts.

Pictures are decoded and encoded again by a few threads of their own, ahead of time, and kept a
while for everybody. What is not ready within a moment is sent with the next answer.
"""

from __future__ import annotations

import base64
import io
import threading
from collections import OrderedDict
from collections.abc import Hashable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any
from weakref import ref

import streamlit as st

from curation.dataset import Dataset
from curation.errors import ContentError

SCREEN, THUMBNAIL, STAMP = 720, 200, 96  # pixels on the longer side: item, grid, typical example
TINY = 64  # pictures up to this size are shown pixel by pixel
LONGEST = 200_000  # characters of a text that are shown; the whole text is never changed
EXCERPT = 280  # characters of a text in the grid and among typical examples
KEPT = 600  # encoded pictures kept in memory, some 40 MB
Shown = dict[str, Any]


class Kitchen:
    """Prepares content in threads; what was used longest ago is forgotten first."""

    def __init__(self) -> None:
        self._ready: OrderedDict[Hashable, tuple[ref[Dataset], Future[Shown]]] = OrderedDict()
        self._lock = threading.Lock()
        self.pool = ThreadPoolExecutor(2, thread_name_prefix="pictures")

    def get(self, dataset: Dataset, row: int, size: int) -> Future[Shown]:
        """Return an example's content, or what will be."""
        key = (id(dataset), row, size)
        with self._lock:
            whose, future = self._ready.get(key, (None, None))
            # A dataset that was let go may have left its id to another one.
            if future is None or whose is None or whose() is not dataset:
                future = self.pool.submit(show, dataset, row, size)
                self._ready[key] = (ref(dataset), future)
            self._ready.move_to_end(key)
            while len(self._ready) > KEPT:
                self._ready.popitem(last=False)
            return future


@st.cache_resource
def kitchen() -> Kitchen:
    """Return the one that serves every visitor of this server."""
    return Kitchen()


def show_many(
    dataset: Dataset, rows: Iterable[int], size: int, patience: float
) -> dict[int, Shown]:
    """Return the content of rows, as many as are ready in time, and always the first."""
    wanted = list(dict.fromkeys(rows))
    if dataset.kind != "image":
        return {row: show(dataset, row, size) for row in wanted}
    futures = {row: kitchen().get(dataset, row, size) for row in wanted}
    wait(list(futures.values())[:1])
    wait(futures.values(), patience)
    return {row: future.result() for row, future in futures.items() if future.done()}


def show(dataset: Dataset, row: int, size: int) -> Shown:
    """Return one example's content for the browser, or the reason why it cannot be shown."""
    try:
        if dataset.kind == "image":
            return _picture(dataset, row, size)
        if dataset.kind == "text":
            return _words(dataset.content.text(row), LONGEST if size == SCREEN else EXCERPT)
    except ContentError as error:
        return {"kind": "missing", "reason": error.problem, "remedy": error.remedy}
    return {"kind": "index", "text": f"Row {int(dataset.source_rows[row]):,} of the label file"}


def _words(text: str, longest: int) -> Shown:
    return {"kind": "text", "text": text[:longest], "length": len(text)}


def _picture(dataset: Dataset, row: int, size: int) -> Shown:
    picture = dataset.content.image(row, size=size)
    image, original = picture.image, picture.original_size
    original = original if original[0] else image.size
    tiny = max(original) <= TINY
    buffer = io.BytesIO()
    if tiny:
        image.save(buffer, "PNG")
    else:
        image.save(buffer, "JPEG", quality=87)
    data = base64.b64encode(buffer.getvalue()).decode()
    return {
        "kind": "image",
        "src": f"data:image/{'png' if tiny else 'jpeg'};base64,{data}",
        "size": list(original),
        "tiny": tiny,
        "note": picture.note,
    }
