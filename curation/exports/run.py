"""One export from start to end: check, compute, write, replace the old export."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from curation.analysis.findings import Findings
from curation.analysis.saved_findings import analyze_dataset
from curation.dataset import Dataset
from curation.errors import InputError
from curation.exports.atomic_folder import NewFolder, replacing
from curation.exports.cleaned_labels import check_unchanged, cleaned_name, keep_mask, write_labels
from curation.exports.destination import MANIFEST, list_inputs
from curation.exports.file_registry import CLEANED_LABELS, KEEP_MASK, list_files
from curation.exports.manifest import make_manifest
from curation.exports.reader_notes import make_notes
from curation.progress import Progress, ignore_progress
from curation.review.cleaning_plan import Plan, make_plan
from curation.review.outcome import find_outcome
from curation.review.outcome_settings import OutcomeSettings
from curation.storage.remote_address import find_address
from curation.store.actions import Action
from curation.store.entries import Entry
from curation.store.matching import Misfit


@dataclass(frozen=True)
class Exported:
    """What an export wrote, and what it left out."""

    folder: Path
    files: Mapping[str, int]  # the size of each, in bytes
    counts: Mapping[str, int]
    left_out: tuple[str, ...]  # ids for which no decision counts under the policy
    misfits: tuple[Misfit, ...]  # decisions that no longer fit the dataset
    ambiguous: tuple[str, ...]
    pruned: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def labels(self) -> Path:
        """Return the file of cleaned labels."""
        return self.folder / next(name for name in self.files if name.startswith("cleaned_"))


def export_log(
    dataset: Dataset,
    log: Sequence[Entry],
    out: Path,
    settings: OutcomeSettings,
    findings: Findings | None = None,
    progress: Progress = ignore_progress,
) -> Exported:
    """Write the export of a dataset and a log of decisions; `progress` is called for each file."""
    _check_target(out)
    out = out.absolute()
    with replacing(out, list_inputs(dataset), dataset.root) as folder:
        check_unchanged(dataset)
        if findings is None:
            findings = analyze_dataset(dataset, settings.threshold, settings.collisions)
        outcome = find_outcome(dataset, log, settings.policy)
        plan = make_plan(dataset, findings, outcome, settings)
        num_rows = _write_files(plan, folder, progress)
        check_unchanged(dataset)  # and not while it was being copied
        manifest = make_manifest(plan, folder.files, num_rows)
        folder.write(MANIFEST, iter([manifest]))
    return Exported(
        folder=out,
        files={name: int(about["bytes"]) for name, about in folder.files.items()},
        counts=plan.counts,
        left_out=tuple(outcome.left_out),
        misfits=tuple(outcome.misfits),
        ambiguous=tuple(plan.ids(plan.with_action(Action.AMBIGUOUS))),
        pruned=tuple(plan.ids(np.flatnonzero(plan.pruned))),
        notes=tuple(make_notes(plan)),
    )


def _check_target(out: Path) -> None:
    if "\0" in str(out):
        raise InputError("The folder's name contains a NUL character.", "Choose another folder.")
    if find_address(out) is not None:
        raise InputError(
            "NOT exported: object storage is only read.",
            "Choose a folder of this machine, and copy it from there.",
        )


def _write_files(plan: Plan, folder: NewFolder, progress: Progress) -> int:
    """Write every file except the manifest; return the number of rows in the label file."""
    num_rows = 0
    files = [file for file in list_files(plan) if file.name != MANIFEST]
    for place, file in enumerate(files):
        name = cleaned_name(plan.dataset) if file.name == CLEANED_LABELS else file.name
        progress(f"Writing {name}", place / (len(files) + 1))
        if file.write is not None:
            folder.write(name, file.write(plan))
            continue
        with folder.open(name) as output:
            if file.name == CLEANED_LABELS:
                num_rows = write_labels(plan, output)
            elif file.name == KEEP_MASK:
                np.lib.format.write_array(output, keep_mask(plan, num_rows))
    return num_rows
