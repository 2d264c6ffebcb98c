"""What to do if there are no labels, but something that they could be made from."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np

from curation.loading.discovery.file_peeks import peek_array
from curation.loading.discovery.not_found_advice import advise_pictures, list_folders
from curation.loading.file_names import FileName
from curation.loading.formats.class_folders import find_recording_folders
from curation.loading.formats.npy import open_npy
from curation.loading.formats.registry import find_format
from curation.loading.overrides import MANIFEST
from curation.loading.part_paths import part_path
from curation.loading.report_builder import Stop
from curation.loading.vocabulary import LABEL_STEMS

MAX_FOLDERS = 50
SAMPLE_ROWS = 10_000  # of a label matrix
ABSTAINS = -1  # how Snorkel writes that a labelling function says nothing


def advise_labels(root: Path, files: Sequence[str]) -> str:
    """Return how to make labels of what a folder holds; "" if nothing is known."""
    return (
        _advise_folder(root)
        or _advise_recordings(root)
        or _advise_votes(root, files)
        or advise_pictures(root)
    )


@contextmanager
def explaining_labels(root: Path, list_files: Callable[[Path], Sequence[str]]) -> Iterator[None]:
    """Say more about a table without labels, if nothing in it could be them."""
    try:
        yield
    except Stop as stopped:
        found = stopped.diagnosis
        is_missing = found.code == "table.no_label_column" and not found.choices
        advice = advise_labels(root, list_files(root)) if is_missing else ""
        if not advice:
            raise
        raise Stop(replace(found, fix=advice)) from stopped


def _advise_folder(root: Path) -> str:
    """Return which folder to open instead, if exactly one below holds a dataset."""
    found = {}
    for folder in list_folders(root)[:MAX_FOLDERS]:
        try:
            names = sorted(os.listdir(root / folder))
        except OSError:
            continue
        if label := next((name for name in names if _names_labels(name)), None):
            found[folder] = label
    if len(found) != 1:
        return ""
    folder, label = next(iter(found.items()))
    return f"Open the folder {folder} instead: it holds {label}."


def _names_labels(name: str) -> bool:
    if name == MANIFEST:
        return True
    return find_format(name) is not None and FileName.of(name).stem in LABEL_STEMS[:-1]


def _advise_recordings(root: Path) -> str:
    folders = find_recording_folders(root)
    if len(folders) != 1:
        return ""
    return (
        "Recordings are not shown, but their labels can be checked. Write the folders into "
        "labels.csv, sorted as the probabilities are: pd.DataFrame([(p.name, p.parent.name) for p "
        f'in sorted(Path("{folders[0]}").glob("*/*")) if p.is_file()], columns=["file", "label"])'
        '.to_csv("labels.csv", index=False).'
    )


def _advise_votes(root: Path, files: Sequence[str]) -> str:
    """Return what to do about what several labelling functions said, as Snorkel saves it."""
    for name in files:
        header = peek_array(root, name)
        if header is None or len(header.shape) != 2 or header.dtype.kind != "i":
            continue
        try:
            head = np.asarray(open_npy(part_path(root, name), name)[:SAMPLE_ROWS])
        except (Stop, OSError):
            continue
        if head.size and head.min() == ABSTAINS and header.shape[1] > 1:
            return (
                f"{name} holds what {header.shape[1]} labelling functions said, with -1 for "
                "nothing. Save the labels that come of them, such as those of Snorkel: "
                f'np.save("labels.npy", label_model.predict(np.load("{name}"))).'
            )
    return ""
