"""Hashes of what decisions depend on: they change with the dataset, but not with its folder.

Files are hashed by several threads. Each hash is kept with the file's size and times, so that the
next time only changed files are read.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from io import FileIO
from pathlib import Path
from typing import Any, BinaryIO, Protocol, runtime_checkable

import numpy as np

from curation.errors import CurationError
from curation.paths import cache_folder, open_inside, writable
from curation.whole_files import write_whole

CACHE_FOLDER = ".curation"
CACHE_FILE = "hashes.json"
VERSION = 1  # of the cache's layout and of how parts are hashed
READ_BYTES = 4 * 2**20
PIECE_BYTES = 64 * 2**20  # large files are hashed in pieces of this size, in parallel
THREADS = min(8, (os.cpu_count() or 1) * 2)
# A file written this recently may be written again within the same tick of the clock, with the
# same size and times; its hash is not kept. Ticks are 10 ms at most.
STILL_WARM_NS = 100_000_000
UNREADABLE = "unreadable"

Stamp = tuple[int, int, int]


class UnknownHash(LookupError):
    """The hash of a file is not known without reading it."""


@runtime_checkable
class SelfHashing(Protocol):
    """A matrix or content that can be hashed without reading every example."""

    def hash_chunks(self, files: FileHashes) -> Iterator[Any]:
        """Yield bytes that change whenever it changes; `files` gives the hashes of whole files."""


def hash_bytes(chunks: Iterable[Any]) -> str:
    """Return the hash of bytes that come in chunks."""
    digest = hashlib.sha256()
    for chunk in chunks:
        digest.update(chunk)
    return digest.hexdigest()


def text_chunks(texts: Sequence[str]) -> Iterator[bytes]:
    """Yield bytes that differ whenever the texts do, even if only the split between them differs.

    >>> hash_bytes(text_chunks(["ab", "c"])) == hash_bytes(text_chunks(["a", "bc"]))
    False
    """
    encoded = [str(text).encode("utf-8", "surrogatepass") for text in texts]
    yield np.array([len(each) for each in encoded], dtype="<i8").tobytes()
    yield b"".join(encoded)


def matrix_chunks(matrix: Any, files: FileHashes) -> Iterator[bytes]:
    """Yield what identifies a matrix: its own hash chunks, otherwise its values."""
    if isinstance(matrix, SelfHashing):
        yield from matrix.hash_chunks(files)
    else:
        yield from array_chunks(matrix)


def array_chunks(matrix: Any) -> Iterator[bytes]:
    """Yield the values of a matrix, read in blocks of rows."""
    yield f"array {matrix.shape} {np.dtype(matrix.dtype).str}\n".encode()
    step = max(1, READ_BYTES // max(1, matrix.shape[1] * matrix.dtype.itemsize))
    for start in range(0, matrix.shape[0], step):
        yield little_endian(np.asarray(matrix[start : start + step])).tobytes()


def little_endian(array: Any) -> Any:
    """Return an array in the byte order that is hashed, the same on every machine."""
    return array.astype(array.dtype.newbyteorder("<"), copy=False)


def content_chunks(content: Any, files: FileHashes) -> Iterator[Any]:
    """Yield what identifies the content: its own hash chunks, otherwise a digest per example."""
    if isinstance(content, SelfHashing):
        yield from content.hash_chunks(files)
    else:
        yield "\n".join(content.digest(row) for row in range(len(content))).encode()


class FileHashes:
    """Hashes of files under a root, kept next to the data, or in the user's cache if that fails."""

    def __init__(self, root: Path, *, only_known: bool = False) -> None:
        """With `only_known`, a file that would have to be read raises `UnknownHash` instead."""
        self.root = Path(root)
        self.only_known = only_known
        self._known = self._read()
        self._changed = False

    def hash_file(self, path: Path) -> str:
        """Return the hash of one file, read only if it changed since the last time."""
        name = self._name(path)
        return self._recall(name, os.stat(path)) or self._hash(name, lambda: path.open("rb"))

    def hash_open(self, path: Path, descriptor: int) -> str:
        """Return the hash of an open file, whatever is at its path by now."""
        name = self._name(path)
        known = self._recall(name, os.fstat(descriptor))
        return known or self._hash(name, lambda: FileIO(descriptor, closefd=False))

    def _name(self, path: Path) -> str:
        try:
            return path.resolve().relative_to(self.root.resolve()).as_posix()
        except ValueError:
            return str(path)  # a file outside the root

    def hash_names(self, root: Path, names: Sequence[Any]) -> list[str]:
        """Return the hash of each named file under a root; a missing file has a fixed one."""
        found = {name: self._look_up(root, name) for name in dict.fromkeys(names)}
        touched = [name for name, known in found.items() if known is None]
        with ThreadPoolExecutor(THREADS) as pool:  # only files that must be read
            read = pool.map(lambda name: self._hash(name, lambda: open_inside(root, name)), touched)
            found.update(zip(touched, read, strict=True))
        return [str(found[name]) for name in names]

    def _look_up(self, root: Path, name: Any) -> str | None:
        """Return the hash of a named file if it is known without opening it; None otherwise."""
        if not isinstance(name, str) or not name or "\0" in name:
            return UNREADABLE
        try:
            return self._recall(name, os.stat(f"{root}{os.sep}{name}"))
        except FileNotFoundError:
            return None if "\\" in name else UNREADABLE  # a backslash may separate folders
        except (OSError, ValueError):
            return UNREADABLE

    def _recall(self, name: str, found: os.stat_result) -> str | None:
        known = self._known.get(name)
        stamp = _stamp(found)
        return str(known[3]) if known is not None and tuple(known[:3]) == stamp else None

    def _hash(self, name: str, opener: Callable[[], BinaryIO | FileIO]) -> str:
        if self.only_known:
            raise UnknownHash(name)
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

    def note(self, path: Path, stamp: Stamp, digest: str) -> None:
        """Remember the hash that another machine computed of a file in this state."""
        if _stamp(os.stat(path)) == stamp and time.time_ns() - max(stamp[1:]) > STILL_WARM_NS:
            self._known[self._name(path)] = [*stamp, digest]
            self._changed = True

    def _places(self) -> list[Path]:
        own = hashlib.sha256(str(self.root.resolve()).encode(errors="replace")).hexdigest()[:32]
        return [self.root / CACHE_FOLDER / CACHE_FILE, cache_folder() / f"{own}.json"]

    def _read(self) -> dict[str, Any]:
        for place in self._places():
            try:
                kept = json.loads(place.read_bytes())
                if kept["version"] == VERSION and _is_valid_cache(kept["files"]):
                    return dict(kept["files"])
            except (OSError, ValueError, KeyError, TypeError, RecursionError):
                continue  # an unreadable cache is treated as missing
        return {}

    def save(self) -> None:
        """Save the hashes for the next time; if nothing can be written, go on without."""
        if not self._changed:
            return
        text = json.dumps({"version": VERSION, "files": self._known}, separators=(",", ":"))
        nearby, mine = self._places()
        inside = writable(self.root) and not nearby.parent.is_symlink()  # never outside the root
        for place in (nearby, mine) if inside else (mine,):
            try:
                with write_whole(place) as file:
                    file.write(text.encode())
                return
            except OSError:
                continue


def hash_stream(file: BinaryIO | FileIO, size: int) -> str:
    """Return the hash of an open file; a large one is hashed in pieces by several threads."""
    if not hasattr(os, "pread"):
        file.seek(0)
        return hash_bytes(iter(lambda: file.read(READ_BYTES), b""))
    descriptor = file.fileno()

    def read_piece(start: int) -> Iterator[bytes]:
        for place in range(start, min(start + PIECE_BYTES, size), READ_BYTES):
            yield os.pread(descriptor, min(READ_BYTES, size - place), place)

    def hash_piece(start: int) -> bytes:
        return bytes.fromhex(hash_bytes(read_piece(start)))

    if size <= PIECE_BYTES:
        return hash_bytes(read_piece(0))

    with ThreadPoolExecutor(THREADS) as pool:
        return hash_bytes(pool.map(hash_piece, range(0, size, PIECE_BYTES)))


def _is_valid_cache(files: Mapping[str, Any]) -> bool:
    return all(len(kept) == 4 and isinstance(kept[3], str) for kept in files.values())


def _stamp(found: os.stat_result) -> Stamp:
    return found.st_size, found.st_mtime_ns, found.st_ctime_ns
