"""Decisions to files: the cleaned labels, and everything others need to trust and use them.

    curation.export(dataset, store, "cleaned")

| file | what it holds |
|---|---|
| `cleaned_labels.*` | the label file itself, only decided cells changed, byte for byte |
| `issues.csv` | every flagged example: scores, methods, suggestion, decision |
| `corrections.csv` | every decided example, flagged or not |
| `audit.jsonl` | the whole log; `curate replay` makes all of this again from it |
| `class_map.csv`, `class_weights.csv` | what classes become; the paper's reweighting |
| `joint.csv`, `noise_matrix.csv` | the estimates, classes on both axes |
| `keep_mask.npy` | for each row of the label file, whether it stays |
| `prodigy.jsonl`, `argilla.json`, `label_studio.json` | for annotation tools |
| `report.html` | what was found, decided and measured, for people |
| `manifest.json` | fingerprint, counts, hashes, settings, and what was left out |

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
from curation.review.outcome_settings import Settings, parse_settings
from curation.store.decision_store import Store
from curation.store.entries import from_jsonl

__all__ = ["Exported", "Settings", "export", "export_log", "replay_log"]


def export(
    dataset: Dataset,
    store: Store,
    out: str | os.PathLike[str],
    *,
    findings: Findings | None = None,
    **options: Any,
) -> Exported:
    """Write the cleaned labels and all that goes with them into the folder `out`.

    Options: `method`, `threshold`, `collisions` (the analysis), `policy` ("latest", "majority",
    "agreed only"), `excluded` ("drop", "flag"), `undecided` ("leave" or a method to prune by),
    `ambiguous` ("leave", "exclude"), `apply_merges`, `spreadsheet_safe`. Pass `findings` if
    the dataset was analysed with these settings already. An earlier export at `out` is replaced
    as a whole; anything else there is refused.
    """
    return export_log(dataset, store.log(), Path(out), parse_settings(options), findings)


def replay_log(
    audit: str | os.PathLike[str], dataset: Dataset, out: str | os.PathLike[str], **options: Any
) -> Exported:
    """Write the same files from an audit.jsonl as its export did, given the same options."""
    try:
        text = Path(audit).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"{Path(audit).name} cannot be read: {getattr(error, 'strerror', None) or error}.",
            "Name the audit.jsonl of an export, unchanged.",
        ) from error
    return export_log(dataset, from_jsonl(text), Path(out), parse_settings(options))
