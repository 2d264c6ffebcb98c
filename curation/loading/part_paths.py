"""Where a part of a dataset is on disk; nothing outside the dataset's folder is read."""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath

from curation.errors import ContentError
from curation.loading.report_builder import Stop, stop
from curation.paths import describe_place, resolve_inside
from curation.storage.grants import find_granted, find_mirror
from curation.storage.remote_address import is_address


def part_path(root: Path, name: str) -> Path:
    """Return the path of a part; stop if it is outside the root, or does not exist."""
    mirror = find_mirror(root)
    if is_address(name):
        granted = find_granted(name)
        if granted is not None:
            return granted.copy.files / PurePosixPath(name).name
        inside = mirror.address.find_name(name) if mirror is not None else None
        if mirror is None or inside is None:
            raise address_refused(name, "labels or --probs")
        root, name = mirror.copy.files, inside
    if os.path.isabs(name) and Path(name).is_relative_to(root):
        name = str(Path(name).relative_to(root))
    try:
        path = resolve_inside(root, name)
    except ContentError as error:
        raise stop(
            code="part.refused",
            where=name or "a part without a name",
            what=f"{error.reason}.",
            fix=error.remedy,
            why="A dataset may come from anywhere, so nothing outside its folder is read.",
        ) from error
    if not path.is_file():
        raise stop(
            code="part.missing",
            where=name,
            what=f"{describe_place(path) or f'there is no such file in {root.name or root}'}.",
            fix="Name an existing file, relative to the dataset's folder.",
            why="If a file is named, no other file is used instead.",
        )
    if mirror is not None:
        mirror.ensure(path.relative_to(mirror.copy.files.resolve()).as_posix())
    return path


def address_refused(address: str, option: str) -> Stop:
    """Return the stop for an address that only the data names, not the person who loads it."""
    return stop(
        code="part.refused",
        where=address[:200],
        what="it is outside the folder that was opened.",
        fix=f"If you trust it, name it yourself: --{option.replace('_', '-')} {address[:200]}",
        why="A dataset may come from anyone, so it cannot choose which storage is read.",
    )
