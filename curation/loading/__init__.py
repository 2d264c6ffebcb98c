"""From files to a `Dataset`: one module for each family of formats, and the input doctor."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from curation.dataset import Dataset
from curation.errors import BlockedError
from curation.loading.assembly import assemble
from curation.loading.overrides import parse_options
from curation.loading.report_builder import ReportBuilder
from curation.progress import Progress, say_nothing
from curation.report import Report

__all__ = ["check", "load"]


def load(
    path: str | os.PathLike[str], *, progress: Progress = say_nothing, **overrides: Any
) -> Dataset:
    """Return the dataset in a folder, in a single table or archive, or named by a curation.toml.

    The files are looked at to find labels, probabilities, classes and content. Every guess is in
    `dataset.settings` and can be overridden by a keyword of the same name (`label_column="y"`,
    `probs="oof.npy"`); `curate check --help` lists them. A problem that a person must fix raises
    a `BlockedError` with the whole report. Warnings and automatic fixes are in `dataset.report`.
    `progress(stage, share)` is called as the work goes on, and may raise to stop it.

        dataset = curation.load("demo_data/objects")
        findings = curation.analyze(dataset.labels, dataset.pred_probs, dataset.class_names)
    """
    report = ReportBuilder()
    with report.catch_stops():
        return assemble(Path(path), parse_options(overrides, "overrides"), report, progress)
    report.stop_if_blocked()
    raise AssertionError("loading neither gave a dataset nor said why")


def check(path: str | os.PathLike[str], **overrides: Any) -> Report:
    """Return what the doctor finds at a path, whether or not it can be loaded.

    Takes the same overrides as `load`. `report.blocked` tells whether something must be fixed
    first; each diagnosis says what is wrong, where, why it matters and what to do.

        for diagnosis in curation.check("my_data").diagnoses:
            print(diagnosis.severity, diagnosis.where, diagnosis.what, diagnosis.fix)
    """
    try:
        return load(path, **overrides).report
    except BlockedError as error:
        return error.report
