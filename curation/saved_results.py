"""Results that took long to compute, saved beside the dataset they belong to.

They are in `.curation/` in the dataset's folder, or in the user's cache if nothing can be written
there. Each is one .npz file, named by a key: a hash of everything that the result depends on, so
that another dataset, other settings or another version never find it. A file is written as a whole
or not at all. One that is cut or damaged fails its checksums, and the result is computed again.
"""

from __future__ import annotations

import hashlib
import logging
import os
import struct
import time
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from importlib.metadata import PackageNotFoundError, version
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from curation.fingerprint import CACHE_FOLDER, STILL_WARM_NS
from curation.header_parsing import PARSER_LOCK
from curation.paths import cache_folder, writable
from curation.whole_files import write_whole

KEPT_BESIDE = 6  # results of one kind in a dataset's folder; with a million examples, one has 20 MB
KEPT_IN_CACHE = 24  # and in the user's cache, of all datasets together
ABANDONED_SECONDS = 3600  # a file still being written after this long was left by a killed process
CONTENTS = "contents"  # the array with the names of all others
# What reading a damaged file can raise.
DAMAGED = (
    OSError, ValueError, KeyError, IndexError, EOFError, NotImplementedError, RuntimeError,
    OverflowError, MemoryError, SyntaxError, struct.error, zipfile.BadZipFile, zlib.error,
)  # fmt: skip

_log = logging.getLogger(__name__)


def make_key(*facts: Any) -> str:
    """Return a name for what depends on these facts; bytes are hashed, all else as text.

    >>> make_key("a", b"1") == make_key("a", b"2")
    False
    """
    digest = hashlib.sha256(package_version().encode())
    for fact in facts:
        data = fact if isinstance(fact, (bytes, memoryview)) else _encode(fact)
        size = data.nbytes if isinstance(data, memoryview) else len(data)
        digest.update(f"\n{size}\n".encode())
        digest.update(data)
    return digest.hexdigest()[:40]


def _encode(fact: Any) -> bytes:
    return str(fact).encode("utf-8", "surrogatepass")


def package_version() -> str:
    """Return the version of this package."""
    try:
        return version("confident-curation")
    except PackageNotFoundError:  # a copy of the source, not installed
        return "unknown"


def is_warm(stamps: Iterable[os.stat_result]) -> bool:
    """Return whether a file was written so recently that its times cannot tell a later change."""
    latest = max((max(each.st_mtime_ns, each.st_ctime_ns) for each in stamps), default=0)
    return time.time_ns() - latest <= STILL_WARM_NS


class SavedResults:
    """The saved results of one kind that belong to the dataset at a root."""

    def __init__(self, root: Path, kind: str) -> None:
        self.kind = kind
        self._beside = root / CACHE_FOLDER / kind
        self._in_cache = cache_folder() / kind
        self._can_write_beside = _can_write_beside(root)

    def read(self, key: str) -> dict[str, NDArray[Any]] | None:
        """Return what was saved under a key, read-only; None if nothing usable was."""
        for folder in (self._beside, self._in_cache):
            path = folder / f"{key}.npz"
            try:
                arrays = _read(path)
            except FileNotFoundError:
                continue
            except DAMAGED as error:
                self.distrust(key, str(error) or type(error).__name__)
                continue
            _touch(path)
            return arrays
        return None

    def distrust(self, key: str, reason: str) -> None:
        """Remove what was saved under a key, and say in the log that it is computed again."""
        for folder in (self._beside, self._in_cache):
            path = folder / f"{key}.npz"
            if path.exists():
                _log.warning(
                    "%s cannot be used (%s); the %s are made again.", path, reason, self.kind
                )
                _remove(path)

    def save(self, key: str, arrays: Mapping[str, Any]) -> Path | None:
        """Save arrays under a key and return where; None if there is nowhere to write them."""
        places = [(self._in_cache, KEPT_IN_CACHE)]
        if self._can_write_beside:
            places.insert(0, (self._beside, KEPT_BESIDE))
        for folder, limit in places:
            try:
                path = _write(folder, key, arrays)
            except OSError as error:
                _log.warning("The %s were not saved in %s: %s.", self.kind, folder, error.strerror)
                continue
            _tidy(folder, limit)
            return path
        return None


def _can_write_beside(root: Path) -> bool:
    beside = root / CACHE_FOLDER
    try:
        # never through a link, which may lead out of the dataset's folder
        if beside.is_symlink() or any(each.is_symlink() for each in beside.glob("*")):
            return False
        return writable(root) and (not beside.exists() or writable(beside))
    except OSError:
        return False


def _read(path: Path) -> dict[str, NDArray[Any]]:
    if not path.is_file():  # nothing, or a pipe that would never be written to
        raise FileNotFoundError(path)
    with path.open("rb") as file:
        return unpack_arrays(file, os.fstat(file.fileno()).st_size)


def unpack_arrays(file: BinaryIO, size: int) -> dict[str, NDArray[Any]]:
    """Return what `pack_arrays` wrote; anything else raises one of `DAMAGED`."""
    with zipfile.ZipFile(file) as archive:
        members = archive.infolist()
        # what is not compressed cannot take more memory than the file takes on disk
        if any(each.compress_type != zipfile.ZIP_STORED for each in members):
            raise ValueError("it is compressed")
        if sum(each.file_size for each in members) > size:
            raise ValueError("it is cut off")
        arrays = {
            each.filename.removesuffix(".npy"): _parse(archive.read(each)) for each in members
        }
    names = arrays.pop(CONTENTS, None)
    if names is None or names.tolist() != sorted(arrays):
        raise ValueError("a part of it is missing")
    return arrays


def _parse(data: bytes) -> NDArray[Any]:
    """Return the array in the bytes of an .npy file, without a copy."""
    file = BytesIO(data)
    if np.lib.format.read_magic(file) != (1, 0):
        raise ValueError("it is in another format")
    with PARSER_LOCK:
        shape, by_columns, dtype = np.lib.format.read_array_header_1_0(file)
    if dtype.hasobject or by_columns and len(shape) > 1:
        raise ValueError("it is in another format")
    return np.frombuffer(data, dtype, offset=file.tell()).reshape(shape)


def _write(folder: Path, key: str, arrays: Mapping[str, Any]) -> Path:
    path = folder / f"{key}.npz"
    with write_whole(path, durable=True) as file:
        pack_arrays(file, arrays)
    return path


def pack_arrays(file: BinaryIO, arrays: Mapping[str, Any]) -> None:
    """Write arrays with their names, which no checksum of a part covers."""
    whole = {name: np.ascontiguousarray(each) for name, each in arrays.items()}
    np.savez(file, allow_pickle=False, **whole, **{CONTENTS: np.array(sorted(arrays))})


def _tidy(folder: Path, limit: int) -> None:
    """Remove all but the most recently used results, and what a killed process left."""
    dated = [(each.stat().st_mtime, each) for each in folder.glob("*.npz")]
    for _, path in sorted(dated)[:-limit]:
        _remove(path)
    for path in folder.glob("*.tmp"):
        if time.time() - path.stat().st_mtime > ABANDONED_SECONDS:
            _remove(path)


def _touch(path: Path) -> None:
    try:
        os.utime(path)
    except OSError:  # in a folder that cannot be written
        pass


def _remove(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError:  # in a folder that cannot be written
        pass
