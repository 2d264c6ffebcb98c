"""From files to a `Dataset`: find the files, read them, join their rows, check the result."""

from __future__ import annotations

import inspect
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from curation.dataset import Dataset, LabelledData
from curation.errors import BlockedError, FileChangedError
from curation.loading.content.feature_file import note_features
from curation.loading.discovery.file_survey import describe_files
from curation.loading.overrides import HELP, parse_options
from curation.loading.remote_place import make_local
from curation.loading.report_builder import ReportBuilder, stop
from curation.loading.split_assembly import (
    Assemble,
    Loaded,
    assemble_any,
    assemble_any_labelled,
)
from curation.progress import Progress, ignore_progress
from curation.report import Report

__all__ = ["check", "load", "load_before_checks", "load_labelled"]


def load(
    path: str | os.PathLike[str], *, progress: Progress = ignore_progress, **overrides: Any
) -> Dataset:
    """Return the dataset in a folder, in a single table or archive, or named by a curation.toml.

    The path may be an address in object storage, such as s3://bucket/folder (docs/storage.md).
    Labels, probabilities, classes and content are found by the names and contents of the files.
    Every choice is in `dataset.settings` and can be overridden by a keyword of the same name
    (`label_column="y"`, `probs="oof.npy"`); they are listed below. A problem that a person must
    fix raises a `BlockedError` with the whole report. Warnings and automatic fixes are in
    `dataset.report`. `progress(stage, share)` is called during the work, and may raise an exception
    to stop it.

        dataset = curation.load("demo_data/objects")
        findings = curation.analyze(dataset.labels, dataset.pred_probs, dataset.class_names)
    """
    dataset = load_before_checks(path, progress=progress, **overrides)
    dataset.checks.finish()
    return dataset


def load_before_checks(
    path: str | os.PathLike[str], *, progress: Progress = ignore_progress, **overrides: Any
) -> Dataset:
    """Return the dataset as `load` does, but do not read its pictures to check them.

    `dataset.checks.latest` is what was found so far; `dataset.report` makes the remaining checks.
    These only warn: whatever blocks a dataset is found here.
    """
    return _load(path, assemble_any, progress, overrides)


def load_labelled(
    path: str | os.PathLike[str], *, progress: Progress = ignore_progress, **overrides: Any
) -> LabelledData:
    """Return the labelled examples at a path, whether or not it holds probabilities.

    Takes what `load` takes. This is what `make_probs` learns from.

        made = curation.make_probs(curation.load_labelled("photos"))
    """
    labelled = _load(path, assemble_any_labelled, progress, overrides)
    labelled.checks.finish()
    return labelled


def _load(
    path: str | os.PathLike[str],
    assemble: Assemble[Loaded],
    progress: Progress,
    overrides: Mapping[str, Any],
) -> Loaded:
    """Return what is at a path or an address; if it cannot be loaded, the report says why."""
    report = ReportBuilder()
    with _listing_files(Path(path)):
        with report.catch_stops(), _stop_at_changes():
            options = parse_options(overrides, "overrides")
            with make_local(path, options, progress) as place, _listing_files(place.path):
                with report.catch_stops():
                    loaded = assemble(place.path, options, report, place.progress)
                    return note_features(place.attach(loaded))
                report.stop_if_blocked()
        report.stop_if_blocked()
    raise AssertionError("loading gave neither data nor a reason")


def _list_overrides() -> str:
    """Return every override and what it means, as the end of a docstring."""
    lines = (f"- `{name}`: {meaning}" for name, meaning in HELP.items())
    return "\n\nThe overrides:\n\n" + "\n".join(lines)


load.__doc__ = inspect.cleandoc(load.__doc__ or "") + _list_overrides()


@contextmanager
def _listing_files(path: Path) -> Iterator[None]:
    """Add to an error which files were found, so that a person sees what there was to read."""
    try:
        yield
    except BlockedError as error:
        report = replace(error.report, seen=error.report.seen or describe_files(path))
        raise BlockedError(error.problem, error.remedy, report) from error.__cause__


@contextmanager
def _stop_at_changes() -> Iterator[None]:
    """Report a file that changes while it is read, like any other fault."""
    try:
        yield
    except FileChangedError as error:
        raise stop(
            code="file.changed",
            where=error.name,
            what="the file was changed while it was read.",
            fix="Wait until it is completely written, then load it again.",
            why="What was read so far may belong to an older file.",
        ) from error


def check(path: str | os.PathLike[str], **overrides: Any) -> Report:
    """Return what the doctor finds at a path, even if it cannot be loaded.

    Takes the same overrides as `load`. `report.blocked` tells whether something must be fixed
    first; each diagnosis says what is wrong, where, why it matters and what to do.

        for diagnosis in curation.check("my_data").diagnoses:
            print(diagnosis.severity, diagnosis.where, diagnosis.what, diagnosis.fix)
    """
    try:
        return load(path, **overrides).report
    except BlockedError as error:
        return error.report
