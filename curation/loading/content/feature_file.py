"""The features of the examples: an .npy with one row of numbers for each of them.

Examples are compared by their features, and models learn from these instead of pictures or texts.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from curation.dataset import LabelledData
from curation.errors import ContentError
from curation.loading.formats.file_faults import unreadable
from curation.loading.formats.npy import read_header
from curation.loading.part_paths import address_refused
from curation.loading.report_builder import ReportBuilder, Stop, stop
from curation.paths import describe_place, leads_outside, resolve_inside
from curation.report import Report, sort_worst_first
from curation.storage.remote_address import is_address
from curation.wording import count_of

FEATURE_FILES = ("embeddings.npy", "features.npy")  # found by their names
Loaded = TypeVar("Loaded", bound=LabelledData)


def find_feature_file(data: LabelledData) -> Path | None:
    """Return the file of features: the one named, or else the one next to the data, if any."""
    named = data.settings.get("features")
    if named is not None and named not in FEATURE_FILES:
        return _find_named(data, named)
    return next((data.root / name for name in FEATURE_FILES if _is_inside(data.root, name)), None)


def _find_named(data: LabelledData, name: str) -> Path:
    """Return the file that was named; one in object storage is fetched, if the caller named it."""
    if is_address(name):
        found = None if data.remote is None else data.remote.fetch(name)
        if found is None:
            raise address_refused(name, "features")
        return found
    path = data.root / Path(name).expanduser()
    return (data.remote and data.remote.fetch(str(path))) or path


def _is_inside(root: Path, name: str) -> bool:
    """Return whether a folder holds a file; a link that leads elsewhere is not followed."""
    try:
        return resolve_inside(root, name).is_file()
    except ContentError:
        return False


def note_features(data: Loaded) -> Loaded:
    """Return the data with its file of features among the settings, after a look at its header.

    A file that was named and does not fit stops the loading; one that was only found is a warning.
    """
    path = find_feature_file(data)
    if path is None:
        return data
    named, report = data.settings.get("features"), ReportBuilder()
    try:
        _check_header(data, path)
    except Stop as fault:
        if named is not None:
            raise
        found = fault.diagnosis
        report.add_warning(
            code="features.unusable", where=found.where, what=found.what, fix=found.fix,
            why="Similar examples are not found, and no model is trained, until this is settled.",
        )  # fmt: skip
        return _with_report(data, report)
    if named is not None and not is_address(named) and leads_outside(data.root, named):
        report.add_auto_fix(
            code="features.elsewhere",
            where=path.name,
            what=f"the features are read from {path}, outside the dataset's folder.",
            fix="To read only the dataset's folder, leave features out.",
            why="A dataset may come from anyone, so other files are read only if you name them.",
        )
    settings = {**data.settings, "features": named or path.name}
    return replace(_with_report(data, report), settings=settings)


def _with_report(data: Loaded, more: ReportBuilder) -> Loaded:
    def add(report: Report) -> Report:
        diagnoses = tuple(sort_worst_first([*report.diagnoses, *more.diagnoses]))
        return Report(diagnoses, report.passed)

    return replace(data, checks=data.checks.extend(add))


def _check_header(data: LabelledData, path: Path) -> None:
    """Stop unless a file is an array with one row of numbers per example."""
    if not path.is_file():
        raise stop(
            code="part.missing",
            where=str(path),
            what=f"{describe_place(path) or 'there is no such file'}.",
            fix="Correct features: an .npy with one row of numbers per example.",
            why="If a file is named, no other file is used instead.",
        )
    try:
        with path.open("rb") as file:
            header = read_header(file, path.name)
    except OSError as error:
        raise unreadable(path.name, error) from error
    shape, numbers = header.shape, header.dtype.kind in "fiub"
    if len(shape) != 2 or shape[1] == 0 or not numbers:
        raise _unusable(path, f"an array of shape {shape} and type {header.dtype}.")
    if shape[0] not in (len(data), data.num_source_rows):
        of = f"{count_of(shape[0], 'row')} for {count_of(len(data), 'example')}."
        raise _unusable(path, of)


def _unusable(path: Path, what: str) -> Stop:
    return stop(
        code="features.unusable",
        where=path.name,
        what=what,
        fix="Save one row of numbers per example, in the order of the label file.",
        why="Rows of other examples would make unlike examples neighbours.",
    )
