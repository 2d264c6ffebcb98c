"""The splits and folds of a dataset: which files or folders hold each, and which were asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from curation.loading.discovery.folder_listing import list_files, list_split_folders
from curation.loading.discovery.label_files import can_hold_labels, list_label_files
from curation.loading.file_names import FileName
from curation.loading.formats.class_folders import find_example_folders
from curation.loading.overrides import ALL_SPLITS, Options
from curation.loading.report_builder import list_few, stop


@dataclass(frozen=True)
class Split:
    """One split: the place to open, and the settings to open it with."""

    name: str
    place: Path
    options: Options


def choose_splits(root: Path, options: Options) -> list[Split]:
    """Return the splits that were asked for by name, or all of them."""
    found = find_splits(root, options)
    wanted = [options.splits] if isinstance(options.splits, str) else list(options.splits or ())
    names = list(found) if wanted == [ALL_SPLITS] else wanted
    unknown = [name for name in names if name not in found]
    if unknown or not names:
        raise stop(
            code="folder.no_such_split",
            where=root.name or str(root),
            what=f"there is no split {list_few(unknown)}; there are {list_few(found, most=12)}."
            if unknown
            else "no splits were found: no files or folders named train, test or fold_0.",
            fix="Name splits that exist, or leave splits out.",
            why="If a split is named, no other one is used instead.",
            choices=[{"splits": each} for each in ([ALL_SPLITS] if found else []) + list(found)],
        )
    return [found[name] for name in names]


def find_splits(root: Path, options: Options) -> Mapping[str, Split]:
    """Return every split by its name: files such as train.csv, then folders such as train/."""
    own = replace(options, splits=None, labels=None, features=None)  # features are for all splits
    shared = own if isinstance(own.probs, str) else replace(own, probs=None)
    files = [name for name in list_files(root) if name not in (options.true_labels, options.probs)]
    named = [f for f in list_label_files(root, files) if FileName.of(f).split is not None]
    named = [f for f in named if can_hold_labels(root, f, options.label_column)]
    folders = [folder for folder in find_example_folders(root) if folder != "."]
    found: dict[str, Split] = {}
    for name in (*named, *folders):
        split = FileName.of(name).split or name
        found.setdefault(split, Split(split, root, replace(shared, labels=name)))
    if found:
        return found
    return {name: Split(name, root / name, shared) for name in list_split_folders(root)}
