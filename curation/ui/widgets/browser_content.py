"""Examples as they are sent to the browser: pictures at the size they are shown, whole texts.

A few threads decode and encode pictures ahead of time, and keep them for all visitors. Pictures
that are not ready soon enough are sent with the next answer.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor, wait

from curation.dataset import Dataset
from curation.errors import ContentError
from curation.loading.content.data_urls import encode_picture
from curation.loading.content.remote_pictures import RemotePictures
from curation.review.example_types import Content, ImageContent, TextContent
from curation.ui.shell import cache
from curation.ui.widgets.example_titles import read_title

# Pixels on the longer side of a picture
SCREEN_PIXELS = 720  # the example under review
ENLARGED_PIXELS = 2_000  # the same, enlarged
THUMBNAIL_PIXELS = 200  # in the grid
STAMP_PIXELS = 96  # a typical example
MAX_TINY_PIXELS = 64  # pictures up to this size are shown pixel by pixel
MAX_TEXT_CHARACTERS = 200_000  # shown of a text; the text itself is never changed
EXCERPT_CHARACTERS = 280  # of a text in the grid and among typical examples
PICTURES_KEPT = 600  # encoded and in memory, some 40 MB
LARGE_PICTURES_KEPT = 8  # of up to 2 MB each: one for each of a few people who enlarge at once
STORAGE_WAIT_SECONDS = 1.5  # for a picture in object storage; decisions do not wait longer
Shown = Content
FETCHING: Shown = {
    "kind": "waiting",
    "reason": "waiting for storage.",
    "remedy": "The picture is shown as soon as it comes. You can decide without it.",
}
Pictures = OrderedDict[Hashable, Future[Shown]]


class PictureCache:
    """Prepares content in threads; the least recently used is dropped first."""

    def __init__(self) -> None:
        self._small: Pictures = OrderedDict()
        self._large: Pictures = OrderedDict()
        self._lock = threading.Lock()
        self.pool = ThreadPoolExecutor(2, thread_name_prefix="pictures")

    def get(self, dataset: Dataset, row: int, size: int) -> Future[Shown]:
        """Return the future of an example's content."""
        key = (cache.identify(dataset), row, size)
        kept, limit = (
            (self._large, LARGE_PICTURES_KEPT)
            if size == ENLARGED_PIXELS
            else (self._small, PICTURES_KEPT)
        )
        with self._lock:
            future = kept.get(key)
            if future is None or _is_to_be_tried_again(future):
                future = kept[key] = self.pool.submit(show, dataset, row, size)
            kept.move_to_end(key)
            while len(kept) > limit:
                kept.popitem(last=False)
            return future


def pictures() -> PictureCache:
    """Return the pictures that all visitors of this server share."""
    return cache.of_server(("pictures",), PictureCache)


def show_many(
    dataset: Dataset,
    rows: Iterable[int],
    size: int,
    wait_seconds: float,
    title_column: str | None = None,
    *,
    stand_in: bool = False,
) -> dict[int, Shown]:
    """Return the content of the rows that are ready in time, and always of the first.

    `title_column` is what examples without a picture or text are called by, if not by their id.
    Pictures in object storage that do not come in time are left out, and sent with a later answer.
    With a `stand_in`, words take the place of those that storage does not give, and of the first if
    it does not come in time, so that these examples can be decided.
    """
    wanted = list(dict.fromkeys(rows))
    if dataset.kind != "image":
        return {row: show(dataset, row, size, title_column) for row in wanted}
    futures = {row: pictures().get(dataset, row, size) for row in wanted}
    longest = longest_wait(dataset)
    if longest is None or stand_in:
        wait(list(futures.values())[:1], longest)
    wait(futures.values(), wait_seconds)
    ready = {row: each.result() for row, each in futures.items() if each.done()}
    if stand_in:
        return {wanted[0]: FETCHING, **ready} if wanted else {}
    return {row: each for row, each in ready.items() if each["kind"] != "waiting"}


def longest_wait(dataset: Dataset) -> float | None:
    """Return how many seconds a page waits for a picture; None (no limit) on this machine."""
    return STORAGE_WAIT_SECONDS if isinstance(dataset.content, RemotePictures) else None


def _is_to_be_tried_again(future: Future[Shown]) -> bool:
    """Return whether storage did not answer, or something failed that may pass."""
    if not future.done():
        return False
    return future.exception() is not None or future.result()["kind"] == "waiting"


def show(dataset: Dataset, row: int, size: int, title_column: str | None = None) -> Shown:
    """Return one example's content for the browser, or the reason why it cannot be shown."""
    try:
        if dataset.kind == "image":
            return _picture(dataset, row, size)
        if dataset.kind == "text":
            return _words(
                dataset.content.text(row),
                MAX_TEXT_CHARACTERS if size == SCREEN_PIXELS else EXCERPT_CHARACTERS,
            )
    except ContentError as error:
        if error.fault == "waiting":
            return {"kind": "waiting", "reason": error.problem, "remedy": error.remedy}
        return {"kind": "missing", "reason": error.problem, "remedy": error.remedy}
    title = read_title(dataset, row, title_column) or str(dataset.ids[row])
    return {"kind": "index", "text": title, "row": int(dataset.source_rows[row]) + 1}


def _words(text: str, longest: int) -> TextContent:
    return {"kind": "text", "text": text[:longest], "length": len(text)}


def _picture(dataset: Dataset, row: int, size: int) -> ImageContent:
    picture = dataset.content.image(row, size=size)
    image, original = picture.image, picture.original_size
    original = original if original[0] else image.size
    tiny = max(original) <= MAX_TINY_PIXELS
    return {
        "kind": "image",
        "src": encode_picture(image, exact=tiny),
        "size": list(original),
        "tiny": tiny,
        "note": picture.note,
    }
