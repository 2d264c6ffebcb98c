"""Which rows are in which shard, and how a worker opens them."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curation.analysis.cluster.parquet_shards import ParquetShard, read_matrix
from curation.core.matrix import IntArray, Probabilities
from curation.errors import InputError
from curation.header_parsing import PARSER_LOCK
from curation.loading.formats.disk_array import DiskArray
from curation.loading.formats.npy import open_npy
from curation.loading.overrides import Conversion
from curation.loading.probs.prob_matrix import ProbMatrix
from curation.loading.report_builder import Stop, list_few
from curation.saved_results import package_version

FileStamp = tuple[int, int]  # bytes, and nanoseconds of the last change


@dataclass(frozen=True)
class Shard:
    """Rows of the matrix that one task works on: a file, or a block of a Dask array.

    Its labels, and its rows if they are not simply all of the file, are in files of the work
    folder, so that messages stay small.
    """

    number: int
    start: int  # the index of its first example among all examples
    size: int  # examples
    path: str | None = None  # None for a block, which comes with the task
    stamp: FileStamp = (0, 0)
    columns: tuple[int, ...] | None = None
    names: tuple[str, ...] = ()  # of the columns, in a Parquet file
    convert: Conversion | None = None
    scattered: bool = False  # its examples are not all rows of the file, one after another

    @property
    def name(self) -> str:
        return f"block {self.number}" if self.path is None else Path(self.path).name


class WorkFolder:
    """The files that the tasks of one analysis share, in a folder that all workers see."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)

    def save(self, name: str, number: int | None = None, /, **arrays: Any) -> None:
        """Save arrays as a whole."""
        with self.replacing(self._place(name, number).name) as passing, passing.open("wb") as file:
            np.savez(file, allow_pickle=False, **arrays)

    @contextmanager
    def replacing(self, name: str) -> Iterator[Path]:
        """Write a file inside, which takes its place once it is whole.

        A task may run twice, also at the same time: on machines where both processes have the same
        number, as in containers.
        """
        passing = self.path / f"{name}.{socket.gethostname()}.{os.getpid()}.tmp"
        yield passing
        os.replace(passing, self.path / name)

    def load(self, name: str, number: int | None = None) -> dict[str, NDArray[Any]]:
        place = self._place(name, number)
        try:
            with np.load(place, allow_pickle=False) as found, PARSER_LOCK:
                return dict(found)
        except FileNotFoundError:
            raise unseen(place) from None

    def has(self, name: str, number: int) -> bool:
        return self._place(name, number).exists()

    def _place(self, name: str, number: int | None) -> Path:
        return self.path / (f"{name}.npz" if number is None else f"{name}-{number:05}.npz")


def unseen(path: str | os.PathLike[str]) -> InputError:
    """Return the error for a file that this machine does not see."""
    return InputError(
        f"The worker on {socket.gethostname()} does not see {path}.",
        "Keep the shards on a file system that every worker mounts under the same path, and check "
        "that the shard was not moved.",
    )


def open_shard(shard: Shard, work: WorkFolder, block: Any = None) -> Probabilities:
    """Return the probabilities of a shard's examples, in the order of its labels."""
    if shard.path is None:
        return np.asarray(block)
    array: DiskArray | None = None
    if shard.names:
        found = _stat(shard.path)
    else:
        array = open_array(shard.path)
        found = array.stat()
    if (found.st_size, found.st_mtime_ns) != shard.stamp:
        raise InputError(
            f"{shard.name} was changed while it was analysed.",
            "Wait until it is completely written, then analyse the shards again.",
        )
    if array is None:
        return read_matrix(shard.path, shard.names)
    rows = work.load("rows", shard.number)["rows"] if shard.scattered else None
    if rows is None and shard.columns is None and shard.convert is None:
        if array.dtype.isnative:
            return array
    columns = None if shard.columns is None else np.array(shard.columns)
    return ProbMatrix([array], rows=rows, columns=columns, convert=shard.convert)


def _stat(path: str) -> os.stat_result:
    try:
        return os.stat(path)
    except OSError:
        raise unseen(path) from None


def open_array(path: str) -> DiskArray:
    """Return the array in an .npy file; an error names the file and what to do."""
    if not os.path.exists(path):
        raise unseen(path)
    try:
        return open_npy(Path(path), Path(path).name)
    except Stop as stopped:
        found = stopped.diagnosis
        raise InputError(f"{found.where}: {found.what}", found.fix) from None


def list_shards(
    arrays: Sequence[DiskArray | ParquetShard],
    labels: IntArray,
    work: WorkFolder,
    *,
    rows: IntArray | None = None,
    columns: IntArray | None = None,
    convert: Conversion | None = None,
) -> list[Shard]:
    """Return the shards of a matrix in files, and save what their tasks need beside its rows.

    `rows[k]` is the row of example k, counted over all files; None if they are in order.
    """
    check_alike([array.path.name for array in arrays], arrays)
    starts = np.cumsum([0, *(len(array) for array in arrays)])
    shards: list[Shard] = []
    for array, low, high in zip(arrays, starts[:-1].tolist(), starts[1:].tolist(), strict=True):
        mine = np.arange(low, high) if rows is None else _find_mine(rows, low, high)
        if not len(mine):
            continue
        found = array.stat()
        shard = Shard(
            number=len(shards),
            start=int(mine[0]),
            size=len(mine),
            path=os.path.abspath(array.path),
            stamp=(found.st_size, found.st_mtime_ns),
            columns=None if columns is None else tuple(columns.tolist()),
            names=array.columns if isinstance(array, ParquetShard) else (),
            convert=convert,
            scattered=rows is not None,
        )
        if rows is not None:
            work.save("rows", shard.number, rows=rows[mine] - low, index=mine)
        _save_labels(work, shard, labels[mine])
        shards.append(shard)
    return shards


def _find_mine(rows: IntArray, low: int, high: int) -> IntArray:
    return np.flatnonzero((rows >= low) & (rows < high))


def list_blocks(sizes: Sequence[int], labels: IntArray, work: WorkFolder) -> list[Shard]:
    """Return the shards of a matrix in blocks of these sizes, one below another."""
    shards: list[Shard] = []
    for start, size in _places(sizes):
        shard = Shard(number=len(shards), start=start, size=size)
        _save_labels(work, shard, labels[start : start + size])
        shards.append(shard)
    return shards


def _places(sizes: Sequence[int]) -> Iterator[tuple[int, int]]:
    starts = np.cumsum([0, *sizes])[:-1]
    return zip(starts.tolist(), sizes, strict=True)


def _save_labels(work: WorkFolder, shard: Shard, labels: IntArray) -> None:
    work.save("labels", shard.number, labels=labels.astype(np.min_scalar_type(labels.max())))


def read_labels_of(shard: Shard, work: WorkFolder) -> IntArray:
    return work.load("labels", shard.number)["labels"].astype(np.int64)


def read_index(shard: Shard, work: WorkFolder) -> IntArray:
    """Return the index of each of a shard's examples among all examples; it only grows."""
    if shard.scattered:
        return np.asarray(work.load("rows", shard.number)["index"])
    return np.arange(shard.start, shard.start + shard.size)


def check_alike(names: Sequence[str], arrays: Sequence[Any]) -> None:
    """Refuse shards that differ in width or type, naming the first that differs."""
    first = arrays[0]
    for name, array in zip(names, arrays, strict=True):
        if len(array.shape) != 2 or array.shape[1:] != first.shape[1:]:
            raise InputError(
                f"{name} has shape {tuple(array.shape)}; {names[0]} has {tuple(first.shape)}.",
                "Save all shards with one row per example and the same columns.",
            )
        if array.dtype != first.dtype:
            raise InputError(
                f"{name} holds {array.dtype}; {names[0]} holds {first.dtype}.",
                f"Save all shards in one type: probs.astype('{first.dtype}').",
            )


def find_obstacles(shards: Sequence[Shard], work: WorkFolder, version: str) -> list[str]:
    """Return what keeps this worker from helping: files that it does not see, or its version."""
    places = [str(work.path), *(shard.path for shard in shards if shard.path is not None)]
    missing = [place for place in places if not os.path.exists(place)]
    obstacles = [f"{socket.gethostname()} does not see {list_few(missing)}"] if missing else []
    if package_version() != version:
        obstacles.append(f"{socket.gethostname()} has version {package_version()}, not {version}")
    return obstacles
