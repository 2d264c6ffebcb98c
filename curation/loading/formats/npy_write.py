"""NumPy label files: .npy written back byte for byte, .npz and folders as a small table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from curation.errors import InputError
from curation.exports.spreadsheet import csv_lines
from curation.loading.formats.edits import Edits, check_old, check_rows
from curation.loading.formats.npy import read_header


def rewrite_npy(path: Path, edits: Edits, file: BinaryIO, class_of: Sequence[str]) -> int:
    """Write an array of labels with its edits, and return its rows.

    Type, shape and header stay. An array has no place for a flag, so marked rows simply stay;
    keep_mask.npy tells them. One-hot rows get their 1 in the column of the new class;
    `class_of` is how each class is written.
    """
    raw = bytearray(path.read_bytes())
    with path.open("rb") as opened:
        header = read_header(opened, path.name)
    array = _view(raw, header.shape, header.dtype, header.header_bytes, path)
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


def _view(
    raw: bytearray, shape: tuple[int, ...], dtype: np.dtype[Any], offset: int, path: Path
) -> NDArray[Any]:
    fortran = bool(np.load(path, mmap_mode="r", allow_pickle=False).flags.fnc)
    order: Any = "F" if fortran else "C"
    return np.ndarray(shape, dtype, buffer=raw, offset=offset, order=order)


def _widen(array: NDArray[Any], texts: Sequence[str]) -> tuple[NDArray[Any], bool]:
    """Return an array of text wide enough for the new labels, and whether it had to be made."""
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


def _set(
    array: NDArray[Any], row: int, old: str, new: str, name: str, class_of: Sequence[str]
) -> None:
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
            np.array(number, dtype)  # raises where the type is too small
            return number
        if dtype.kind == "f":
            return float(text)
        if dtype.kind == "b":
            return bool(int(text))
        return text.encode() if dtype.kind == "S" else text
    except (ValueError, OverflowError) as error:
        raise InputError(
            f"{name}: {text!r} cannot be written in an array of {dtype}.",
            "Choose a class that the file can hold, or save the labels as text.",
        ) from error


def write_pairs(
    ids: NDArray[np.object_],
    texts: Sequence[str],
    out: NDArray[np.bool_],
    file: BinaryIO,
    *,
    flag: bool,
    spreadsheet_safe: bool,
) -> None:
    """Write ids and labels as a table, for labels that were in an archive or in folder names."""

    def rows() -> Iterator[Sequence[str]]:
        yield ("id", "label", "excluded") if flag else ("id", "label")
        for each, text, gone in zip(ids.tolist(), texts, out.tolist(), strict=True):
            if flag:
                yield str(each), text, "true" if gone else "false"
            elif not gone:
                yield str(each), text

    file.writelines(csv_lines(rows(), safe=spreadsheet_safe))
