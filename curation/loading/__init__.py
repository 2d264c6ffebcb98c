"""From files to a `Dataset`: one module for each family of formats, and the input doctor."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from curation.dataset import Dataset
from curation.errors import BlockedError
from curation.loading.assemble import assemble
from curation.loading.overrides import parse_options
from curation.loading.report_builder import ReportBuilder
from curation.progress import Progress, say_nothing
from curation.report import Report

__all__ = ["check", "load"]


def load(
    path: str | os.PathLike[str], *, progress: Progress = say_nothing, **overrides: Any
) -> Dataset:
    """Return the dataset in a folder, in a single table or archive, or named by a curation.toml.

    What the parts are is found out by looking; every guess can be overridden, and stands in
    `dataset.settings`. A fault that a person has to mend raises a BlockedError with the whole
    report; warnings and harmless fixes are in `dataset.report`. `progress` is told what is being
    done and how far it is, and may raise to stop it.
    """
    report = ReportBuilder()
    with report.catch_stops():
        return assemble(Path(path), parse_options(overrides, "overrides"), report, progress)
    report.stop_if_blocked()
    raise AssertionError("loading neither gave a dataset nor said why")


def check(path: str | os.PathLike[str], **overrides: Any) -> Report:
    """Return what the doctor finds at a path, whether or not it can be loaded."""
    try:
        return load(path, **overrides).report
    except BlockedError as error:
        return error.report
