"""NumPy arrays in .npy files: checked by their headers before reading, never unpickled.

When a file is written back, type, shape and header stay, and only decided elements change.
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO, FileIO
from pathlib import Path
from typing import IO, Any, BinaryIO

import numpy as np
import pyarrow as pa

from curation.dataset import Dataset
from curation.errors import InputError
from curation.header_parsing import PARSER_LOCK
from curation.loading.formats.base import Array, Format
from curation.loading.formats.disk_array import DiskArray
from curation.loading.formats.edits import Edits, check_old, check_rows
from curation.loading.formats.file_faults import (
    POINTER_BYTES,
    refuse_pointer,
    too_large,
    unreadable,
)
from curation.loading.formats.label_reading_code import quote
from curation.loading.report_builder import stop

_NO_PICKLE = "Save plain numbers or text: np.save(path, np.asarray(values, dtype=float))."


class Npy(Format):
    """One array in a file; it stays on disk."""

    name = "npy"
    suffixes = (".npy",)
    no_flags = "An array cannot hold a flag column"

    def count_rows(self, path: Path) -> int | None:
        with path.open("rb") as file:
            shape = read_header(file, path.name).shape
        return shape[0] if shape else None

    def rewrite(
        self, dataset: Dataset, edits: Edits, file: BinaryIO, *, spreadsheet_safe: bool
    ) -> int:
        assert dataset.source.path is not None
        return rewrite_npy(dataset.source.path, edits, file, dataset.label_values)

    def reading_code(self, dataset: Dataset, name: str) -> list[str]:
        source = dataset.source
        assert source.path is not None
        with source.path.open("rb") as file:
            shape = read_header(file, source.path.name).shape
        is_one_hot = len(shape) > 1 and shape[1] > 1
        flat = ".argmax(axis=1)" if is_one_hot else ".ravel()" if len(shape) > 1 else ""
        return [f"labels = pd.Series(np.load({quote(name)}){flat}).astype(str)"]


@dataclass(frozen=True)
class Header:
    """What the header of an .npy file says."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    data_bytes: int
    header_bytes: int
    by_columns: bool  # stored column by column, as Fortran does


def read_header(file: IO[bytes], name: str) -> Header:
    """Return the header of an .npy stream; stop if there is none, or if objects are pickled."""
    try:
        version = np.lib.format.read_magic(file)
        read = np.lib.format.read_array_header_1_0
        if version != (1, 0):
            read = np.lib.format.read_array_header_2_0
        with PARSER_LOCK:
            shape, by_columns, dtype = read(file)
    except Exception as error:  # a parser may fail in any way on untrusted bytes
        if file.seekable():
            file.seek(0)
            refuse_pointer(file.read(POINTER_BYTES), name)
        raise stop(
            code="npy.broken",
            where=name,
            what=f"it is not a valid .npy file: {str(error)[:120]}.",
            fix=f"Pickles and other formats under this name are refused. {_NO_PICKLE}",
            why="The format is known from the ending. Pickles are never read: loading one runs the "
            "code in it.",
        ) from error
    _check_type(shape, dtype, name)
    return Header(shape, dtype, math.prod(shape) * dtype.itemsize, file.tell(), by_columns)


def _check_type(shape: tuple[int, ...], dtype: np.dtype[Any], name: str) -> None:
    """Stop if an array holds Python objects, or anything other than plain numbers and text."""
    if dtype.hasobject:
        raise stop(
            code="npy.objects",
            where=name,
            what="it holds Python objects (dtype object), stored as a pickle.",
            fix=f"{_NO_PICKLE} For text, dtype=str.",
            why="Loading a pickle runs the code in it.",
        )
    if dtype.names or dtype.itemsize == 0 or any(side < 0 for side in shape):
        raise stop(
            code="npy.type",
            where=name,
            what=f"arrays of {dtype} cannot be read.",
            fix=f'Save each field by itself: np.save("{dtype.names[0]}.npy", '
            f'data["{dtype.names[0]}"]).'
            if dtype.names
            else _NO_PICKLE,
            why="Only plain numbers and text can be labels or probabilities.",
        )


def open_npy(path: Path, name: str) -> DiskArray:
    """Return an .npy file as an array that stays on disk, after checking its header."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    except (OSError, ValueError) as error:
        raise unreadable(name, error) from error
    try:
        with FileIO(descriptor, closefd=False) as file:
            header = read_header(file, name)
        check_cut(header, os.fstat(descriptor).st_size - header.header_bytes, name)
        return DiskArray(
            path,
            descriptor,
            header.shape,
            header.dtype,
            offset=header.header_bytes,
            by_columns=header.by_columns,
        )
    except BaseException as error:
        os.close(descriptor)
        if isinstance(error, OSError | ValueError):
            raise unreadable(name, error) from error
        raise


def read_npy(path: Path, name: str, *, memory_limit: int) -> Array:
    """Return the whole array in an .npy file; stop if it needs more memory than allowed."""
    array = open_npy(path, name)
    if array.nbytes > memory_limit:
        raise too_large(name, array.nbytes, memory_limit)
    return np.asarray(array)


def check_cut(header: Header, found: int, name: str) -> None:
    """Stop if there are fewer bytes than the header says."""
    if header.data_bytes > found:
        raise stop(
            code="file.cut",
            where=name,
            what=f"the file is cut off: expected {header.data_bytes} bytes, got {found}.",
            fix="Copy or save it again.",
            why=f"According to its header, the array has the shape {header.shape}.",
        )


def text_array(values: Array, where: str) -> pa.ChunkedArray:
    """Return a 1-D array of numbers or text as text."""
    if values.ndim != 1 or values.dtype.kind not in "iubUS":
        raise stop(
            code="array.text",
            where=where,
            what=f"an array of shape {values.shape} and type {values.dtype} is not a column of "
            "text.",
            fix="Save one text or whole number for each example.",
            why="Ids and names are compared as text.",
        )
    try:
        if values.dtype.kind == "S":
            return pa.chunked_array([pa.array([each.decode() for each in values.tolist()])])
        return pa.chunked_array([pa.array([str(each) for each in values.tolist()], pa.string())])
    except UnicodeError as error:
        raise stop(
            code="array.text",
            where=where,
            what=f"not text: {error}.",
            fix="Save it as UTF-8.",
            why="In the wrong encoding, names are read as other names.",
        ) from error


def rewrite_npy(path: Path, edits: Edits, file: BinaryIO, class_of: Sequence[str]) -> int:
    """Write an array of labels with its edits, and return its number of rows.

    Type, shape and header stay. An array has no column to mark rows in, so marked rows stay
    unchanged; keep_mask.npy lists them. One-hot rows get their 1 in the column of the new class.
    `class_of` is how each class is written.
    """
    raw = bytearray(path.read_bytes())
    header = read_header(BytesIO(raw), path.name)
    array: Array = np.ndarray(
        header.shape,
        header.dtype,
        buffer=raw,
        offset=header.header_bytes,
        order="F" if header.by_columns else "C",
    )
    check_rows(edits, len(array), path.name)
    array, widened = _widen(array, edits.new)
    for row, old, new in zip(edits.rows.tolist(), edits.old, edits.new, strict=True):
        _set(array, row, old, new, path.name, class_of)
    if widened or (len(edits.out) and not edits.flag):
        kept = array if edits.flag else np.delete(array, edits.out, axis=0)
        np.lib.format.write_array(file, kept, allow_pickle=False)
    else:
        file.write(raw)
    return len(array)


def _widen(array: Array, texts: Sequence[str]) -> tuple[Array, bool]:
    """Return an array of text wide enough for the new labels, and whether it is a new array."""
    if array.dtype.kind not in "US" or not len(texts):
        return array, False
    sizes = (len(each) if array.dtype.kind == "U" else len(each.encode()) for each in texts)
    unit = 4 if array.dtype.kind == "U" else 1
    longest = max(sizes)
    if longest * unit <= array.dtype.itemsize:
        return array, False
    return array.astype(
        f"{array.dtype.byteorder.replace('|', '')}{array.dtype.kind}{longest}"
    ), True


def _set(array: Array, row: int, old: str, new: str, name: str, class_of: Sequence[str]) -> None:
    if array.ndim == 2 and array.shape[1] > 1:
        check_old(class_of[int(array[row].argmax())], old, row, name)
        array[row] = 0
        array[row, class_of.index(new)] = 1
        return
    place = row if array.ndim == 1 else (row, 0)
    check_old(_text(array[place]), old, row, name)
    array[place] = _value(new, array.dtype, name)


def _text(value: Any) -> str:
    if isinstance(value, np.bool_):
        return str(int(value))
    return value.decode() if isinstance(value, bytes) else str(value)


def _value(text: str, dtype: np.dtype[Any], name: str) -> Any:
    """Return a label as a value of the array's type.

    >>> _value("3", np.dtype("int8"), "labels.npy"), _value("1", np.dtype("bool"), "labels.npy")
    (3, True)
    """
    try:
        if dtype.kind in "iu":
            number = int(float(text)) if "." in text else int(text)
            np.array(number, dtype)  # raises if the type is too small
            return number
        if dtype.kind == "f":
            return float(text)
        if dtype.kind == "b":
            return bool(int(text))
        return text.encode() if dtype.kind == "S" else text
    except (ValueError, OverflowError) as error:
        raise InputError(
            f"{name}: {text!r} cannot be written to an array of {dtype}.",
            "Choose a class that the file can hold, or save the labels as text.",
        ) from error
