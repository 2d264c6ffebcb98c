"""One export from beginning to end: refuse, compute, write, take the old one's place."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from curation.analysis.findings import Findings, analyze
from curation.dataset import Dataset
from curation.errors import InputError
from curation.exports import annotation_tools, csv_tables
from curation.exports.atomic_folder import NewFolder, replacing
from curation.exports.cleaned_labels import check_unchanged, cleaned_name, keep_mask, write_labels
from curation.exports.destination import MANIFEST, list_inputs
from curation.exports.html_report import write_report
from curation.exports.manifest import make_manifest, make_notes
from curation.progress import Progress, say_nothing
from curation.review.outcome import find_standing
from curation.review.outcome_settings import Settings
from curation.review.plan import Plan, make_plan
from curation.store.entries import Entry, to_jsonl
from curation.store.matching import Misfit

LINES = 10_000  # entries of the log that are turned into text at a time


@dataclass(frozen=True)
class Exported:
    """What was written, and what was not."""

    folder: Path
    files: Mapping[str, int]  # the size of each, in bytes
    counts: Mapping[str, int]
    left_out: tuple[str, ...]  # ids on which the policy lets nobody's word count
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
    settings: Settings,
    findings: Findings | None = None,
    progress: Progress = say_nothing,
) -> Exported:
    """Write the export of a dataset and a log of decisions; `progress` is told of each file."""
    if "\0" in str(out):
        raise InputError("The folder's name holds a NUL character.", "Name another folder.")
    out = out.absolute()
    with replacing(out, list_inputs(dataset), dataset.root) as folder:
        check_unchanged(dataset)
        if findings is None:
            findings = analyze(
                dataset.labels,
                dataset.pred_probs,
                dataset.class_names,
                threshold=settings.threshold,
                collisions=settings.collisions,
            )
        standing = find_standing(dataset, log, settings.policy)
        plan = make_plan(dataset, findings, standing, settings)
        notes = make_notes(plan)
        num_rows = _write_files(plan, folder, notes, progress)
        check_unchanged(dataset)  # nor while it was being copied
        manifest = make_manifest(plan, folder.files, num_rows, notes)
        folder.write(MANIFEST, iter([manifest]))
    return Exported(
        folder=out,
        files={name: int(about["bytes"]) for name, about in folder.files.items()},
        counts=plan.counts,
        left_out=tuple(standing.left_out),
        misfits=tuple(standing.misfits),
        ambiguous=tuple(plan.ids(plan.with_action("ambiguous"))),
        pruned=tuple(plan.ids(np.flatnonzero(plan.pruned))),
        notes=tuple(notes),
    )


def _write_files(plan: Plan, folder: NewFolder, notes: list[str], progress: Progress) -> int:
    made = list_files(plan, notes)
    cleaned = cleaned_name(plan.dataset)
    progress(f"Writing {cleaned}", 0.0)
    with folder.open(cleaned) as file:
        num_rows = write_labels(plan, file)
    for place, (name, make) in enumerate(made.items(), start=1):
        progress(f"Writing {name}", place / (len(made) + 2))
        folder.write(name, make())
    progress("Writing keep_mask.npy", (len(made) + 1) / (len(made) + 2))
    with folder.open("keep_mask.npy") as file:
        np.lib.format.write_array(file, keep_mask(plan, num_rows))
    return num_rows


def list_files(plan: Plan, notes: list[str]) -> dict[str, Callable[[], Iterator[bytes]]]:
    """Return each file that follows from the plan alone, made in parts when it is asked for.

    The others need a look at the label file: the cleaned labels, the mask and the manifest.
    """
    findings = plan.findings
    return {
        "issues.csv": lambda: csv_tables.issues(plan),
        "corrections.csv": lambda: csv_tables.corrections(plan),
        "audit.jsonl": lambda: _audit(plan.standing.log),
        "class_map.csv": lambda: csv_tables.class_map(plan),
        "class_weights.csv": lambda: csv_tables.class_weights(plan),
        "joint.csv": lambda: csv_tables.matrix(plan, findings.joint),
        "noise_matrix.csv": lambda: csv_tables.matrix(plan, findings.noise_matrix),
        "prodigy.jsonl": lambda: annotation_tools.prodigy(plan),
        "argilla.json": lambda: annotation_tools.argilla(plan),
        "label_studio.json": lambda: annotation_tools.label_studio(plan),
        "report.html": lambda: write_report(plan, notes),
    }


def _audit(log: Sequence[Entry]) -> Iterator[bytes]:
    for first in range(0, len(log), LINES):
        yield to_jsonl(log[first : first + LINES]).encode()
