"""The parts of a dataset: the file that holds each, or a question if several could."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curation.loading.file_names import FileName
from curation.loading.formats.registry import is_table
from curation.loading.huggingface_shards import list_shards
from curation.loading.numbered_files import ShardSet, find_shard_sets, is_shard_set
from curation.loading.overrides import ALL_SPLITS
from curation.loading.part_paths import part_path
from curation.loading.report_builder import Stop, list_few, stop
from curation.paths import personal_folder

NOUNS = {"probs": "probabilities", "true_labels": "true labels", "classes": "class names"}


@dataclass(frozen=True)
class Parts:
    """The files of a dataset, relative to its root; `folders` holds one folder per class."""

    root: Path
    labels: str | None = None
    probs: tuple[str, ...] = ()
    classes: str | None = None
    true_labels: str | None = None
    folders: str | None = None
    ids: str | None = None  # an array that holds only ids
    sheet: str | None = None  # of a workbook with the labels
    prob_sheet: str | None = None  # of a workbook with the probabilities

    def path(self, name: str) -> Path:
        if os.path.isabs(name) and Path(name).parent == personal_folder(self.root):
            return Path(name)  # made for this dataset, and kept outside because it is read-only
        return part_path(self.root, name)

    @property
    def probs_with_labels(self) -> bool:
        """Return whether the probabilities are in the label file, so that rows need no joining."""
        return self.probs in ((), (self.labels,)) and self.prob_sheet is None

    @property
    def label_files(self) -> list[str]:
        """Return the files with the labels: one file, or all shards of a table."""
        if self.labels is None:
            return []
        return list_shards(self.root, self.labels) if is_shard_set(self.labels) else [self.labels]


def ambiguous(candidates: Sequence[str], override: str) -> Stop:
    """Return the stop that asks which file is meant; splits can also be read together."""
    choices: list[dict[str, Any]] = [{override: each} for each in candidates]
    splits = [FileName.of(each).split for each in candidates]
    together = None not in splits and len(set(splits)) == len(splits)
    folds = all(str(each).startswith("fold") for each in splits)
    if together and override == "probs" and folds:
        choices.append({"probs": sorted(candidates, key=_number)})
    elif together:
        choices.append({"splits": ALL_SPLITS})
    elif override in ("labels", "probs"):
        sets = find_shard_sets(each for each in candidates if is_table(each))
        choices += [{override: _name_parts(each, override)} for each in sets]
    kind = "labels" if override == "splits" else override
    return stop(
        code=f"folder.ambiguous_{kind}",
        where=" or ".join(candidates[:3]),
        what=f"several files could be the {NOUNS.get(override, override)}: {list_few(candidates)}."
        if override != "splits"
        else f"the dataset is in several folders: {list_few(candidates)}.",
        fix=f'Pass the right one, such as {override}="{candidates[0]}".',
        why="The wrong file would give wrong findings without a warning.",
        count=len(candidates),
        choices=choices,
    )


def _name_parts(parts: ShardSet, override: str) -> Any:
    return list(parts.files) if override == "probs" else parts.name


def _number(name: str) -> int:
    """Return the number of a fold, to put 10 after 9."""
    return int("".join(filter(str.isdigit, FileName.of(name).split or "")) or -1)
