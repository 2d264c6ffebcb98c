"""The files a dataset is made of."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from curation.errors import ContentError
from curation.loading.discovery.splits import ALL_SHARDS, list_shards
from curation.loading.report_builder import Stop, list_few, stop
from curation.paths import describe_place, resolve_inside


@dataclass(frozen=True)
class Parts:
    """The files a dataset is made of, named from its root; `folders` is one folder per class."""

    root: Path
    labels: str | None = None
    probs: tuple[str, ...] = ()
    classes: str | None = None
    true_labels: str | None = None
    folders: str | None = None
    ids: str | None = None  # an array of the ids alone

    def path(self, name: str) -> Path:
        return part_path(self.root, name)

    @property
    def label_files(self) -> list[str]:
        """Return the files with the labels: one, or the shards that one name stands for."""
        if self.labels is None:
            return []
        return list_shards(self.root, self.labels) if ALL_SHARDS in self.labels else [self.labels]


def part_path(root: Path, name: str) -> Path:
    """Return where a part lies; stop if that is outside the root, or nowhere."""
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
            why="A dataset may come from anyone, so nothing outside its folder is read.",
        ) from error
    if not path.is_file():
        raise stop(
            code="part.missing",
            where=name,
            what=f"{describe_place(path) or f'there is no such file in {root.name or root}'}.",
            fix="Name a file that is there; parts are named from the dataset's folder.",
            why="A part that was named is never looked for under another name.",
        )
    return path


def ambiguous(candidates: Sequence[str], override: str) -> Stop:
    return stop(
        code=f"folder.ambiguous_{override}",
        where=" or ".join(candidates[:3]),
        what=f"several files could be the {override}: {list_few(candidates)}.",
        fix=f'Pass the one that is, such as {override}="{candidates[0]}".',
        why="The wrong file of two would give wrong findings without a word.",
        count=len(candidates),
        override={override: candidates[0]},
    )
