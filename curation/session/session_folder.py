"""The folder of a session: what was in memory, written once, next to the decisions about it.

    examples.parquet    labels, texts, pictures and other columns
    probs.npy           the probabilities
    curation.toml       how to read them
    .curation/          the decisions, and what the folder holds (session.json)

Without a folder of the caller's choice, it is found again by a hash of the examples, their labels
and classes. Only what differs is written: with the probabilities of a better model, the decisions
stay.
"""

from __future__ import annotations

import hashlib
import json
import os
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import tomli_w
from numpy.typing import NDArray

from curation.errors import InputError
from curation.fingerprint import CACHE_FOLDER, array_chunks, hash_bytes, text_chunks
from curation.loading.overrides import MANIFEST
from curation.paths import user_folder
from curation.session.memory_cells import make_labels, write_cells
from curation.session.memory_tables import MemoryTable

EXAMPLES, PROBS, FEATURES, STATE = "examples.parquet", "probs.npy", "features.npy", "session.json"
SESSIONS = "memory"  # the folder of all sessions, in the user's data folder
KEY_LENGTH = 20
VERSION = 1  # of how examples are hashed


@dataclass(frozen=True)
class SessionFolder:
    """A folder that holds one dataset from memory, and the labels as the caller wrote them."""

    path: Path
    labels: list[Any]
    id_column: str | None  # the caller's index

    def write_probs(self, matrix: NDArray[Any]) -> bool:
        """Write the probabilities; return False if the folder held them already."""
        found = hash_bytes(array_chunks(matrix))
        if _read_state(self.path).get("probs") == found and (self.path / PROBS).is_file():
            return False
        with _reporting(self.path):
            _write_array(self.path / PROBS, matrix)
            _keep(self.path, probs=found)
        return True

    def write_settings(self, settings: Mapping[str, Any]) -> None:
        """Write how to read the folder."""
        text = tomli_w.dumps({key: value for key, value in settings.items() if value is not None})
        with _reporting(self.path), _replacing(self.path / MANIFEST) as passing:
            passing.write_text(text, encoding="utf-8")


def write_examples(table: MemoryTable, folder: Path | None, class_names: Any) -> SessionFolder:
    """Write the examples where they belong, unless they are there already; return that folder."""
    if folder is not None:
        _check_folder(folder)
    place = user_folder() / SESSIONS if folder is None else folder.absolute()
    with _reporting(place):
        place.mkdir(parents=True, exist_ok=True)
        with _passing_file(place / EXAMPLES) as passing:
            id_column = _name_ids(table)
            labels, key = _stream_examples(table, id_column, class_names, passing)
            path = place / key if folder is None else place
            (path / CACHE_FOLDER).mkdir(parents=True, exist_ok=True)
            if _read_state(path).get("examples") != key or not (path / EXAMPLES).is_file():
                os.replace(passing, path / EXAMPLES)
                if table.features is not None:
                    _write_array(path / FEATURES, table.features)
                _keep(path, examples=key)
    return SessionFolder(path, labels, id_column)


def _check_folder(folder: Path) -> None:
    """Stop if a folder holds anything but a session."""
    if folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
        if not _read_state(folder):
            raise InputError(
                f"{folder} exists, and it is not the folder of a session.",
                "Pass a folder that does not exist yet. To open the files in this one, run "
                f"curate {folder} or use curation.load.",
            )


def _name_ids(table: MemoryTable) -> str | None:
    """Return the name of the column for the caller's index, if the index names the rows."""
    if not table.names_rows:
        return None
    taken = {table.label_column, *table.read(0, 1)[1]}
    wanted = [str(table.index.name or "id"), "id", "row_id", "_id"]
    return next(each for each in wanted if each not in taken)


def _stream_examples(
    table: MemoryTable, id_column: str | None, class_names: Any, path: Path
) -> tuple[list[Any], str]:
    """Write all rows, one block at a time; return their labels and what identifies them all."""
    digest = hashlib.sha256(f"version {VERSION} {table.label_column}\n".encode())

    def note(data: bytes) -> None:
        digest.update(b"%d " % len(data))
        digest.update(data)

    every: list[Any] = []
    writer: pq.ParquetWriter | None = None
    try:
        for start, labels, columns in table.blocks():
            block: dict[str, Any] = {}
            if id_column is not None:
                named = table.index[start : start + len(labels)]
                block[id_column] = pa.array([str(each) for each in named], pa.large_string())
            block[table.label_column] = make_labels(labels, table.label_type, start)
            block |= {name: cells for name, cells in columns.items()}
            for name, cells in block.items():
                note(name.encode())
                block[name] = write_cells(cells, f"{name}, rows from {start:,}", note)
            rows = pa.table(block)
            writer = writer or pq.ParquetWriter(path, rows.schema)
            writer.write_table(rows)
            every += labels
    finally:
        if writer is not None:
            writer.close()
    for chunk in text_chunks([str(each) for each in class_names or ()]):
        note(chunk)
    if table.features is not None:
        note(hash_bytes(array_chunks(table.features)).encode())
    return every, digest.hexdigest()[:KEY_LENGTH]


def _write_array(place: Path, matrix: NDArray[Any]) -> None:
    with _replacing(place) as passing, passing.open("wb") as file:
        np.lib.format.write_array(file, np.ascontiguousarray(matrix), allow_pickle=False)


def _read_state(folder: Path) -> dict[str, Any]:
    """Return what a folder holds: a hash of each part; empty if it is not a session's."""
    try:
        found = json.loads((folder / CACHE_FOLDER / STATE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _keep(folder: Path, **parts: str) -> None:
    state = json.dumps({**_read_state(folder), **parts}, indent=1)
    with _replacing(folder / CACHE_FOLDER / STATE) as passing:
        passing.write_text(state, encoding="utf-8")


@contextmanager
def _passing_file(place: Path) -> Iterator[Path]:
    """Yield the path of a file to write; what is left of it is removed."""
    passing = place.with_name(f".{place.name}.{uuid.uuid4().hex[:12]}")
    try:
        yield passing
    finally:
        passing.unlink(missing_ok=True)


@contextmanager
def _replacing(place: Path) -> Iterator[Path]:
    """Yield the path of a file to write, which replaces another when it is complete."""
    with _passing_file(place) as passing:
        yield passing
        os.replace(passing, place)


@contextmanager
def _reporting(place: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.filename and not str(error.filename).startswith(str(place)):
            raise  # from the caller's own dataset
        raise InputError(
            f"{place} cannot be written: {error.strerror or error}.",
            "Make room, or pass another folder=... that you can write to.",
        ) from error
