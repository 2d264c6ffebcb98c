"""Where the content of examples comes from: files, Parquet cells, an array, a text column, nowhere.

Each class here is a `Content`. File names are kept in memory; pictures are not.
"""

from __future__ import annotations

import hashlib
import os
import time
import zlib
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, ClassVar, NoReturn

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from curation.dataset import Kind, Picture
from curation.errors import ContentError, InputError
from curation.fingerprint import FileHashes, little_endian, text_chunks
from curation.loading.content.images import open_image, shrink, to_rgb
from curation.loading.content.integrity import check_image, check_text
from curation.loading.formats.arrow import Arrow, ArrowCells
from curation.loading.formats.parquet_cells import ParquetCells
from curation.paths import check_name, find_origin, open_inside

UNREADABLE_DIGEST = "unreadable"  # the digest of content that is missing or cannot be reached
NO_DIGEST = "none"  # the digest of an example that has no content at all
HASH_BYTES = 1 << 20
TAIL_BYTES = 4096  # at the end of a file, compared first, so that few whole files are read


class _Images:
    """What all pictures have in common."""

    kind: ClassVar[Kind] = "image"

    def text(self, row: int) -> NoReturn:
        raise _not_here(row, "a picture, not a text")


@dataclass(frozen=True, eq=False)
class ImageFiles(_Images):
    """Picture files under a folder; `names` are relative to it.

    A file that is changed or replaced later is not shown: the findings are about the old picture.
    Changes are recognized by the times of the file. If these are in the future, a file server's
    clock is ahead of ours; then only a change of the times counts.
    """

    root: Path
    names: NDArray[np.object_]
    loaded_ns: int  # when the dataset was loaded
    ahead: dict[str, int]  # the times of files that are in the future, by name

    def __init__(
        self,
        root: Path,
        names: Sequence[str] | NDArray[Any],
        loaded_ns: int | None = None,
        ahead: dict[str, int] | None = None,
    ) -> None:
        object.__setattr__(self, "root", root)
        object.__setattr__(self, "names", np.asarray(names, dtype=object))
        object.__setattr__(self, "loaded_ns", loaded_ns or time.time_ns())
        object.__setattr__(self, "ahead", {} if ahead is None else ahead)

    def __len__(self) -> int:
        return len(self.names)

    def image(self, row: int, *, size: int | None = None) -> Picture:
        with self._naming(row), self._open(row) as file:
            return open_image(file, size=size)

    def read(self, row: int) -> bytes:
        """Return the bytes of the file."""
        with self._naming(row), open_inside(self.root, self.names[row]) as file:
            return file.read()

    def digest(self, row: int) -> str:
        def read() -> str:
            with self._open(row) as file:
                digest = hashlib.sha256()
                while block := file.read(HASH_BYTES):
                    digest.update(block)
                return digest.hexdigest()

        return _digest(read)

    def size(self, row: int) -> int | None:
        """Return a file's size without opening it; None if no file has exactly its name."""
        try:
            check_name(self.names[row])
            return os.stat(f"{self.root}{os.sep}{self.names[row]}").st_size
        except (ContentError, OSError, ValueError):
            return None

    def outline(self, row: int) -> Hashable | None:
        """Return a file's size and a checksum of its end, which differ for nearly all files."""
        try:
            with open_inside(self.root, self.names[row]) as file:
                size = os.fstat(file.fileno()).st_size
                file.seek(max(0, size - TAIL_BYTES))
                return (size, zlib.crc32(file.read())) if size else None
        except (ContentError, OSError):
            return None

    def check(self, row: int, *, deep: bool = False) -> None:
        with self._naming(row), self._open(row) as file:
            check_image(file, deep=deep)

    def hash_chunks(self, files: FileHashes) -> Iterator[bytes]:
        # Names are not content, but the order of the files is, so the hashes are kept in order.
        yield "\n".join(files.hash_names(self.root, self.names.tolist())).encode()

    def take(self, rows: NDArray[np.int64]) -> ImageFiles:
        return ImageFiles(self.root, self.names[rows], self.loaded_ns, self.ahead)

    def _open(self, row: int) -> BinaryIO:
        """Return the file, unless it was written, replaced or renamed after loading."""
        file = open_inside(self.root, self.names[row])
        found = os.fstat(file.fileno())
        # On Windows, st_ctime is when the file was created.
        changed_ns = found.st_mtime_ns if os.name == "nt" else found.st_ctime_ns
        if changed_ns > time.time_ns():
            self.ahead.setdefault(self.names[row], changed_ns)
        if changed_ns <= self.loaded_ns or self.ahead.get(self.names[row]) == changed_ns:
            return file
        file.close()
        raise ContentError(
            "changed after the dataset was loaded",
            "Load the dataset again to see it.",
            "unreadable",
        )

    def _naming(self, row: int) -> _naming:
        return _naming(self.names[row])


@dataclass(frozen=True, eq=False)
class EmbeddedImages(_Images):
    """Pictures inside a column of Parquet or Arrow files: bytes, or Hugging Face's {bytes, path}.

    If a cell has a path but no bytes, the path is a file under `root`.
    """

    cells: ParquetCells | ArrowCells
    root: Path
    rows: NDArray[np.int64]

    @classmethod
    def open(cls, paths: Sequence[Path], column: str, root: Path) -> EmbeddedImages:
        """Return every picture in a column of one or more files, in order."""
        arrow = paths[0].suffix.lower() in Arrow.suffixes
        cells = ArrowCells(tuple(paths), column) if arrow else ParquetCells(paths, column)
        return cls(cells, root, np.arange(len(cells)))

    def __len__(self) -> int:
        return len(self.rows)

    def image(self, row: int, *, size: int | None = None) -> Picture:
        with _naming(f"row {row}"):
            return open_image(self._bytes(row), size=size)

    def read(self, row: int) -> bytes:
        """Return the bytes in the cell, or of the file that it names."""
        with _naming(f"row {row}"):
            return self._bytes(row)

    def digest(self, row: int) -> str:
        return _digest(lambda: hashlib.sha256(self._bytes(row)).hexdigest())

    def check(self, row: int, *, deep: bool = False) -> None:
        with _naming(f"row {row}"):
            check_image(self._bytes(row), deep=deep)

    def hash_chunks(self, files: FileHashes) -> Iterator[bytes]:
        for path in self.cells.paths:
            yield files.hash_file(path).encode()
        yield f"column {self.cells.column}\n".encode()
        yield little_endian(self.rows).tobytes()

    def take(self, rows: NDArray[np.int64]) -> EmbeddedImages:
        return EmbeddedImages(self.cells, self.root, self.rows[rows])

    def _bytes(self, row: int) -> bytes:
        cell = self.cells[int(self.rows[row])]
        data = cell.get("bytes") if isinstance(cell, dict) else cell
        if isinstance(data, bytes):
            return data
        path = cell.get("path") if isinstance(cell, dict) else None
        if not path:
            raise ContentError("missing (an empty cell)", "Fill in the picture.", "missing")
        if find_origin(self.root) is not None:
            raise ContentError(
                "a file in object storage, named inside a cell",
                "Save the pictures themselves in the table, or their names in a column of texts.",
                "not allowed",
            )
        with open_inside(self.root, path) as file:
            return file.read()


@dataclass(frozen=True, eq=False)
class ImageArray(_Images):
    """Pictures in one array of 8-bit values, (n, height, width) or with 1, 3 or 4 channels."""

    pixels: Any  # an array, perhaps memory-mapped; read one picture at a time
    rows: NDArray[np.int64]

    @classmethod
    def of(cls, pixels: Any) -> ImageArray:
        """Return the pictures in an array; stop if its shape or type does not fit."""
        shape = tuple(pixels.shape)
        channels = shape[3:] or (1,)
        if pixels.dtype != np.uint8 or len(shape) not in (3, 4) or channels[0] not in (1, 3, 4):
            raise InputError(
                f"The array of pictures has the shape {shape} and the type {pixels.dtype}.",
                "Save it as uint8 of shape (n, height, width) or (n, height, width, 3).",
            )
        return cls(pixels, np.arange(shape[0]))

    def __len__(self) -> int:
        return len(self.rows)

    def image(self, row: int, *, size: int | None = None) -> Picture:
        pixels = self._pixels(row)
        if 0 in pixels.shape:
            raise ContentError("empty (no pixels)", "Fill in the picture.", "empty", f"row {row}")
        image = Image.fromarray(pixels[..., 0] if pixels.shape[2:] == (1,) else pixels)
        rgb, _ = to_rgb(image)
        return Picture(shrink(rgb, size), "", image.size)

    def digest(self, row: int) -> str:
        pixels = self._pixels(row)
        return hashlib.sha256(f"{pixels.shape}".encode() + pixels.tobytes()).hexdigest()

    def check(self, row: int, *, deep: bool = False) -> None:
        if 0 in self.pixels.shape[1:] or deep:
            self.image(row, size=1)

    def hash_chunks(self, files: FileHashes) -> Iterator[Any]:
        yield f"pixels {self.pixels.shape}\n".encode()
        for row in self.rows.tolist():
            yield np.ascontiguousarray(self.pixels[row]).data

    def take(self, rows: NDArray[np.int64]) -> ImageArray:
        return ImageArray(self.pixels, self.rows[rows])

    def _pixels(self, row: int) -> NDArray[np.uint8]:
        return np.ascontiguousarray(self.pixels[int(self.rows[row])])


@dataclass(frozen=True, eq=False)
class Texts:
    """Texts of any length, complete and unchanged."""

    values: NDArray[np.object_]
    kind: ClassVar[Kind] = "text"

    def __init__(self, values: Sequence[str | None] | NDArray[Any]) -> None:
        object.__setattr__(self, "values", np.asarray(values, dtype=object))

    def __len__(self) -> int:
        return len(self.values)

    def image(self, row: int, *, size: int | None = None) -> NoReturn:
        raise _not_here(row, "a text, not a picture")

    def text(self, row: int) -> str:
        value = self.values[row]
        if isinstance(value, str):
            return value
        raise ContentError(
            "missing (no text)", "Fill in the text in the table.", "missing", f"row {row}"
        )

    def digest(self, row: int) -> str:
        # surrogatepass: half a character, as in broken exports, still has a digest
        return _digest(
            lambda: hashlib.sha256(self.text(row).encode("utf-8", "surrogatepass")).hexdigest()
        )

    def check(self, row: int, *, deep: bool = False) -> None:
        with _naming(f"row {row}"):
            check_text(self.values[row])

    def hash_chunks(self, files: FileHashes) -> Iterator[bytes]:
        texts = self.values.tolist()
        yield from text_chunks([each if isinstance(each, str) else "\0missing" for each in texts])

    def take(self, rows: NDArray[np.int64]) -> Texts:
        return Texts(self.values[rows])


@dataclass(frozen=True)
class NoContent:
    """Examples without content, known only by their number; they can still be reviewed."""

    count: int
    kind: ClassVar[Kind] = "index"

    def __len__(self) -> int:
        return self.count

    def image(self, row: int, *, size: int | None = None) -> NoReturn:
        raise _not_here(row, "no picture; this dataset has indices only")

    def text(self, row: int) -> NoReturn:
        raise _not_here(row, "no text; this dataset has indices only")

    def digest(self, row: int) -> str:
        return NO_DIGEST

    def check(self, row: int, *, deep: bool = False) -> None:
        """Do nothing: there is no content that could be missing."""

    def hash_chunks(self, files: FileHashes) -> Iterator[bytes]:
        yield b"none"

    def take(self, rows: NDArray[np.int64]) -> NoContent:
        return NoContent(len(rows))


class _naming:
    """Add the name of the file or row to a `ContentError` raised inside."""

    def __init__(self, name: object) -> None:
        self.name = str(name)

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, ContentError) and not error.name:
            raise error.named(self.name) from None


def _digest(read: Callable[[], str]) -> str:
    try:
        return read()
    except (ContentError, OSError):
        return UNREADABLE_DIGEST


def _not_here(row: int, what: str) -> ContentError:
    return ContentError(f"row {row} is {what}", "Show it by its own kind.", "none")
