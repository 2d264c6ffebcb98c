"""The content of several splits as one, in the order of the splits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from curation.dataset import Content, Kind, Picture
from curation.fingerprint import FileHashes, content_chunks
from curation.loading.content.remote_pictures import open_pictures
from curation.loading.content.sources import ImageFiles, NoContent, Texts


def join_content(root: Path, contents: Sequence[Content]) -> Content:
    """Return the content of all splits; none if one has pictures and another texts."""
    if len({each.kind for each in contents}) > 1:
        return NoContent(sum(map(len, contents)))
    if all(isinstance(each, Texts) for each in contents):
        return Texts(np.concatenate([each.values for each in contents if isinstance(each, Texts)]))
    if all(isinstance(each, NoContent) for each in contents):
        return NoContent(sum(map(len, contents)))
    if all(isinstance(each, ImageFiles) and each.root.is_relative_to(root) for each in contents):
        names = [_name_from(root, each) for each in contents if isinstance(each, ImageFiles)]
        return open_pictures(root, np.concatenate(names))
    return JoinedContent(contents)


def _name_from(root: Path, files: ImageFiles) -> NDArray[np.object_]:
    """Return the names of files relative to a folder above their own."""
    prefix = files.root.relative_to(root).as_posix()
    if prefix == ".":
        return files.names
    return np.array([name and f"{prefix}/{name}" for name in files.names], dtype=object)


class JoinedContent:
    """Contents one after another, such as the arrays of pictures of several splits."""

    def __init__(self, contents: Sequence[Content], rows: NDArray[np.int64] | None = None) -> None:
        self.contents = tuple(contents)
        self.starts = np.cumsum([0, *map(len, contents)])
        self.rows = np.arange(self.starts[-1]) if rows is None else rows

    @property
    def kind(self) -> Kind:
        return self.contents[0].kind

    def __len__(self) -> int:
        return len(self.rows)

    def _find(self, row: int) -> tuple[Content, int]:
        place = int(self.rows[row])
        which = int(np.searchsorted(self.starts, place, side="right")) - 1
        return self.contents[which], place - int(self.starts[which])

    def image(self, row: int, *, size: int | None = None) -> Picture:
        content, inner = self._find(row)
        return content.image(inner, size=size)

    def text(self, row: int) -> str:
        content, inner = self._find(row)
        return content.text(inner)

    def digest(self, row: int) -> str:
        content, inner = self._find(row)
        return content.digest(inner)

    def check(self, row: int, *, deep: bool = False) -> None:
        content, inner = self._find(row)
        content.check(inner, deep=deep)

    def hash_chunks(self, files: FileHashes) -> Iterator[bytes]:
        for content in self.contents:
            yield from content_chunks(content, files)
        yield self.rows.astype("<i8").tobytes()

    def take(self, rows: NDArray[np.int64]) -> JoinedContent:
        return JoinedContent(self.contents, self.rows[rows])
