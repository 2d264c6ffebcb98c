"""Decisions to files: the cleaned labels, and everything others need to trust and use them.

    curation.export(dataset, store, "cleaned")

| file | what it holds |
|---|---|
| `cleaned_labels.*` | your label file, with only the decided cells changed |
| `issues.csv` | every flagged example with its scores, suggestion and decision |
| `corrections.csv` | every decided example, flagged or not |
| `audit.jsonl` | the whole log; `curate replay` writes all files again from it |
| `class_map.csv` | what each class becomes |
| `class_weights.csv` | weights for training without the errors (the paper's reweighting) |
| `joint.csv` | the estimated joint of given and true labels |
| `noise_matrix.csv` | p(given | true) |
| `keep_mask.npy` | for each row of the label file, whether it stays |
| `prodigy.jsonl` | tasks for Prodigy |
| `argilla.json` | records for Argilla |
| `label_studio.json` | tasks for Label Studio |
| `report.html` | what was found, decided and measured; opens in any browser |
| `manifest.json` | fingerprint, counts, hashes, settings and what was left out |

The files follow from the dataset, the log and the settings alone: no clock, no place.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from curation.analysis.findings import Findings
from curation.dataset import Dataset
from curation.errors import InputError
from curation.exports.run import Exported, export_log
from curation.review.outcome_settings import OutcomeSettings, parse_settings
from curation.store.decision_store import Store
from curation.store.entries import from_jsonl

__all__ = ["Exported", "OutcomeSettings", "export", "export_log", "replay_log"]


def export(
    dataset: Dataset,
    store: Store,
    out: str | os.PathLike[str],
    *,
    findings: Findings | None = None,
    **options: Any,
) -> Exported:
    """Write the cleaned labels and the files that go with them into the folder `out`.

    Options: `method`, `threshold`, `collisions` (the analysis), `policy` ("latest", "majority",
    "agreed only"), `excluded` ("drop", "flag"), `undecided` ("leave" or a method to prune by),
    `ambiguous` ("leave", "exclude"), `apply_merges`, `spreadsheet_safe`. Pass `findings` if
    the dataset has already been analysed with these settings. An earlier export at `out` is
    replaced as a whole; a folder with other files in it is refused. You get what was written:
    the folder, the size of each file, counts, and what was left out.

        with curation.open_store(dataset) as store:
            exported = curation.export(dataset, store, "cleaned", excluded="flag")
        print(exported.labels)
    """
    return export_log(dataset, store.log(), Path(out), parse_settings(options), findings)


def replay_log(
    audit: str | os.PathLike[str], dataset: Dataset, out: str | os.PathLike[str], **options: Any
) -> Exported:
    """Write an export again from its audit.jsonl; with the same options, the files are equal."""
    try:
        text = Path(audit).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"{Path(audit).name} cannot be read: {getattr(error, 'strerror', None) or error}.",
            "Name the audit.jsonl of an export, unchanged.",
        ) from error
    return export_log(dataset, from_jsonl(text), Path(out), parse_settings(options))
