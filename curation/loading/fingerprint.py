"""What a dataset's decisions rest on, as hashes: the same wherever it lies, else different.

Files are hashed by several threads, and each hash is kept with the file's size and times, so
that asking again reads only what was touched.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from curation.core.matrix import Probabilities
from curation.dataset import Dataset
from curation.errors import CurationError
from curation.loading.content.sources import (
    EmbeddedImages,
    ImageArray,
    ImageFiles,
    NoContent,
    Texts,
)
from curation.loading.probs.disk_matrix import ProbMatrix
from curation.paths import cache_folder, open_inside, writable

CACHE_FOLDER = ".curation"
CACHE_FILE = "hashes.json"
VERSION = 1  # of the cache's layout and of how parts are hashed
READ_BYTES = 4 * 2**20
PIECE_BYTES = 64 * 2**20  # of a large file: pieces are hashed side by side, then their hashes
THREADS = min(8, (os.cpu_count() or 1) * 2)
# A file written this recently may be written again within the same tick of the clock, with the
# same size and times; its hash is not kept. Ticks are 10 ms at most.
STILL_WARM_NS = 100_000_000
UNREADABLE = "unreadable"

Stamp = tuple[int, int, int]


def hash_parts(dataset: Dataset) -> dict[str, str]:
    """Return a hash for each part of a dataset: ids, labels, classes, probabilities, content."""
    files = FileHashes(dataset.root)
    classes = json.dumps([dataset.class_names, dataset.class_ids]).encode()
    parts = {
        "ids": _hash(text_bytes(dataset.ids.tolist())),
        "labels": _hash([np.ascontiguousarray(dataset.labels, dtype="<i8").data]),
        "classes": _hash([classes]),
        "probabilities": _hash(_probability_bytes(dataset.pred_probs, files)),
        "content": _hash(_content_bytes(dataset, files)),
    }
    files.save()
    return parts


def _hash(chunks: Iterable[Any]) -> str:
    digest = hashlib.sha256()
    for chunk in chunks:
        digest.update(chunk)
    return digest.hexdigest()


def text_bytes(texts: Sequence[str]) -> Iterator[bytes]:
    """Yield bytes that differ whenever the texts do, also where only their borders move."""
    encoded = [str(text).encode("utf-8", "surrogatepass") for text in texts]
    yield np.array([len(each) for each in encoded], dtype="<i8").tobytes()
    yield b"".join(encoded)


def _probability_bytes(matrix: Probabilities, files: FileHashes) -> Iterator[bytes]:
    """Yield the matrix as it is read: hashes of files that are mapped, the values of the rest."""
    parts = matrix.parts if isinstance(matrix, ProbMatrix) else (matrix,)
    for part in parts:
        path = _whole_file(part)
        if path is not None:
            yield f"file {part.shape} {files.hash_file(path)}\n".encode()
        else:
            yield f"array {part.shape} {np.dtype(part.dtype).str}\n".encode()
            yield from _blocks(part)
    if isinstance(matrix, ProbMatrix):
        yield f"convert {matrix.convert}\n".encode()
        for order in (matrix.rows, matrix.columns, *(matrix.scaled or (None,))):
            yield b"in order\n" if order is None else _little(order).tobytes()


def _whole_file(array: Any) -> Path | None:
    """Return the file an array maps, if it maps all of it."""
    if not isinstance(array, np.memmap) or not isinstance(array.filename, str | os.PathLike):
        return None
    path = Path(array.filename)
    whole = path.is_file() and array.nbytes + array.offset == path.stat().st_size
    return path if whole else None


def _blocks(array: Any) -> Iterator[bytes]:
    step = max(1, READ_BYTES // max(1, array.shape[1] * array.dtype.itemsize))
    for start in range(0, array.shape[0], step):
        yield _little(np.asarray(array[start : start + step])).tobytes()


def _little(array: Any) -> Any:
    return array.astype(array.dtype.newbyteorder("<"), copy=False)  # alike on every machine


def _content_bytes(dataset: Dataset, files: FileHashes) -> Iterator[Any]:
    content: Any = dataset.content
    if isinstance(content, NoContent):
        yield b"none"
    elif isinstance(content, Texts):
        yield from text_bytes([_text(each) for each in content.values.tolist()])
    elif isinstance(content, ImageFiles):
        # The name is not content, but which example shows what is: the order of hashes tells it.
        yield "\n".join(files.hash_names(content.root, content.names.tolist())).encode()
    elif isinstance(content, EmbeddedImages):
        for path in content.cells.paths:
            yield files.hash_file(path).encode()
        yield f"column {content.cells.column}\n".encode()
        yield _little(content.rows).tobytes()
    elif isinstance(content, ImageArray):
        pixels = content.pixels
        yield f"pixels {pixels.shape}\n".encode()
        for row in content.rows.tolist():
            yield np.ascontiguousarray(pixels[row]).data
    else:  # some other Content: it can tell its own digests
        yield "\n".join(content.digest(row) for row in range(len(dataset))).encode()


def _text(value: object) -> str:
    return value if isinstance(value, str) else "\0missing"


class FileHashes:
    """Hashes of files under a root, kept beside the data, or in the user's cache if that fails."""

    def __init__(self, root: Path) -> None:
        self.root = Path(root)
        self._known = self._read()
        self._changed = False

    def hash_file(self, path: Path) -> str:
        """Return the hash of one file, read only if it was touched since."""
        try:
            name = path.resolve().relative_to(self.root.resolve()).as_posix()
        except ValueError:
            name = str(path)  # built by hand from elsewhere
        return self._recall(name, str(path)) or self._hash(name, lambda: path.open("rb"))

    def hash_names(self, root: Path, names: Sequence[Any]) -> list[str]:
        """Return the hash of each file, by name under a root; one that is not there has none."""
        found = {name: self._look_up(root, name) for name in dict.fromkeys(names)}
        touched = [name for name, known in found.items() if known is None]
        with ThreadPoolExecutor(THREADS) as pool:  # only for what has to be read
            read = pool.map(lambda name: self._hash(name, lambda: open_inside(root, name)), touched)
            found.update(zip(touched, read, strict=True))
        return [str(found[name]) for name in names]

    def _look_up(self, root: Path, name: Any) -> str | None:
        """Return what can be told of a named file without opening it; None if it must be read."""
        if not isinstance(name, str) or not name or "\0" in name:
            return UNREADABLE
        try:
            return self._recall(name, f"{root}{os.sep}{name}")
        except FileNotFoundError:
            return None if "\\" in name else UNREADABLE  # a backslash may divide folders
        except (OSError, ValueError):
            return UNREADABLE

    def _recall(self, name: str, path: str) -> str | None:
        known = self._known.get(name)
        stamp = _stamp(os.stat(path))
        return str(known[3]) if known is not None and tuple(known[:3]) == stamp else None

    def _hash(self, name: str, opener: Callable[[], BinaryIO]) -> str:
        try:
            with opener() as file:
                before = _stamp(os.fstat(file.fileno()))
                digest = hash_stream(file, before[0])
                after = _stamp(os.fstat(file.fileno()))
        except (OSError, ValueError, CurationError):
            return UNREADABLE
        if before == after and time.time_ns() - max(after[1:]) > STILL_WARM_NS:
            self._known[name] = [*after, digest]
            self._changed = True
        return digest

    def _places(self) -> list[Path]:
        own = hashlib.sha256(str(self.root.resolve()).encode(errors="replace")).hexdigest()[:32]
        return [self.root / CACHE_FOLDER / CACHE_FILE, cache_folder() / f"{own}.json"]

    def _read(self) -> dict[str, Any]:
        for place in self._places():
            try:
                kept = json.loads(place.read_bytes())
                if kept["version"] == VERSION and _well_formed(kept["files"]):
                    return dict(kept["files"])
            except (OSError, ValueError, KeyError, TypeError, RecursionError):
                continue  # a cache that cannot be read is a cache that is not there
        return {}

    def save(self) -> None:
        """Keep the hashes for the next time; if nowhere can be written, do without."""
        if not self._changed:
            return
        text = json.dumps({"version": VERSION, "files": self._known}, separators=(",", ":"))
        beside, mine = self._places()
        inside = writable(self.root) and not beside.parent.is_symlink()  # never outside the root
        for place in (beside, mine) if inside else (mine,):
            try:
                _write_whole(place, text)
                return
            except OSError:
                continue


def hash_stream(file: BinaryIO, size: int) -> str:
    """Return the hash of an open file; a large one is hashed in pieces by several threads."""
    if size <= PIECE_BYTES or not hasattr(os, "pread"):
        return _hash(iter(lambda: file.read(READ_BYTES), b""))
    descriptor = file.fileno()

    def hash_piece(start: int) -> bytes:
        digest = hashlib.sha256()
        for place in range(start, min(start + PIECE_BYTES, size), READ_BYTES):
            digest.update(os.pread(descriptor, min(READ_BYTES, size - place), place))
        return digest.digest()

    with ThreadPoolExecutor(THREADS) as pool:
        return _hash(pool.map(hash_piece, range(0, size, PIECE_BYTES)))


def _well_formed(files: Mapping[str, Any]) -> bool:
    return all(len(kept) == 4 and isinstance(kept[3], str) for kept in files.values())


def _stamp(found: os.stat_result) -> Stamp:
    return found.st_size, found.st_mtime_ns, found.st_ctime_ns


def _write_whole(place: Path, text: str) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    passing = place.with_name(f"{place.name}.{os.getpid()}.tmp")
    try:
        passing.write_text(text, encoding="utf-8")
        os.replace(passing, place)
    finally:
        passing.unlink(missing_ok=True)
