"""What a file holds, from its first bytes: the columns of a table, the shape of an array."""

from __future__ import annotations

from pathlib import Path

from curation.loading.formats.base import Peek
from curation.loading.formats.npy import Header, read_header
from curation.loading.formats.registry import is_array, peek_table
from curation.loading.part_paths import part_path
from curation.loading.report_builder import Stop


def peek_file(root: Path, name: str) -> Peek | None:
    """Return the columns of a table; None for any other file, or one that may not be read."""
    try:
        return peek_table(part_path(root, name))
    except Stop:
        return None


def peek_array(root: Path, name: str) -> Header | None:
    """Return the header of an .npy file; None for any other file."""
    if not is_array(name):
        return None
    try:
        with part_path(root, name).open("rb") as file:
            return read_header(file, name)
    except (Stop, OSError):
        return None  # it cannot be recognized by its shape
