"""Archives of NumPy arrays (.npz), checked by their headers before anything is unpacked.

The cleaned labels are written as a table of ids and labels.
"""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import BinaryIO

import numpy as np

from curation.dataset import Dataset
from curation.errors import InputError
from curation.header_parsing import PARSER_LOCK
from curation.loading.formats.base import Array
from curation.loading.formats.edits import Edits
from curation.loading.formats.file_faults import NO_LIMIT, unreadable
from curation.loading.formats.id_label_table import ExportedAsTable, write_id_labels
from curation.loading.formats.npy import Header, check_cut, read_header
from curation.loading.formats.zip_archives import check_archive, find_cut
from curation.loading.report_builder import Stop


class Npz(ExportedAsTable):
    """Several named arrays in one file."""

    name = "npz"
    suffixes = (".npz",)
    origin = "The labels are in an archive of arrays"

    def rewrite(
        self, dataset: Dataset, edits: Edits, file: BinaryIO, *, spreadsheet_safe: bool
    ) -> int:
        ids, texts = _read_ids_and_labels(dataset)
        return write_id_labels(dataset, ids, texts, edits, file, safe=spreadsheet_safe)


def _read_ids_and_labels(dataset: Dataset) -> tuple[list[str], list[str]]:
    path, key = dataset.source.path, dataset.source.label_column or "labels"
    assert path is not None
    try:
        headers = open_npz(path, path.name, memory_limit=NO_LIMIT)
        labels = read_member(path, path.name, key)
        ids = read_member(path, path.name, "ids") if "ids" in headers else np.arange(len(labels))
    except Stop as error:
        raise InputError(error.diagnosis.what, error.diagnosis.fix) from error
    values = labels if labels.ndim == 1 else labels.reshape(len(labels), -1)[:, 0]
    return [str(each) for each in ids.tolist()], [str(each) for each in values.tolist()]


def open_npz(path: Path, name: str, *, memory_limit: int) -> dict[str, Header]:
    """Return the headers of the arrays in an archive; refuse a dangerous archive."""
    try:
        check_archive(path, name, memory_limit=memory_limit)
        with zipfile.ZipFile(path) as archive:
            return {
                member.filename.removesuffix(".npy"): _member_header(archive, member, name)
                for member in archive.infolist()
                if member.filename.endswith(".npy")
            }
    except Exception as error:  # a parser may fail in any way on untrusted bytes
        raise find_cut(path, name) or _as_stop(error, name) from error


def read_member(path: Path, name: str, key: str) -> Array:
    """Return one array of an archive that `open_npz` has checked."""
    try:
        with zipfile.ZipFile(path) as archive, archive.open(f"{key}.npy") as file, PARSER_LOCK:
            return np.asarray(np.lib.format.read_array(file, allow_pickle=False))
    except Exception as error:  # a parser may fail in any way on untrusted bytes
        raise _as_stop(error, f"{name}, array {key!r}") from error


def _as_stop(error: Exception, name: str) -> Exception:
    return error if isinstance(error, Stop) else unreadable(name, error)


def _member_header(archive: zipfile.ZipFile, member: zipfile.ZipInfo, name: str) -> Header:
    where = f"{name}, array {member.filename.removesuffix('.npy')!r}"
    with archive.open(member) as file:
        header = read_header(file, where)
    check_cut(header, member.file_size - header.header_bytes, where)
    return header
