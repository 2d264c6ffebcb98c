"""Decisions to files: the cleaned labels, and everything others need to trust and use them.

    curation.export(dataset, store, "cleaned")

`file_registry` lists the files, and docs/export.md is made from that list. They depend only on the
dataset, the log and the settings, not on the time or the folder.
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

    Options: `method`, `order` ("normalized_margin", "self_confidence", "log_margin", "neighbours",
    which finds the neighbours if need be), `threshold`, `collisions` (the analysis), `policy`
    ("latest", "majority", "agreed only"), `excluded` ("drop", "flag"), `undecided` ("leave",
    "suggest" to take every suggestion with a probability of at least `min_confidence`, or a method
    to prune by), `ambiguous` ("leave", "exclude"), `apply_merges`, `spreadsheet_safe`,
    `picture_links` (how other tools find pictures: "files", "inline", or the URL under which the
    dataset's folder is served), `copy_pictures` (write pictures.zip for FiftyOne and Hugging Face).
    Pass `findings` if the dataset has already been analysed with these settings. An earlier export
    at `out` is replaced as a whole; a folder with other files in it is refused. Returns what was
    written: the folder, the size of each file, counts, and what was left out.

        with curation.open_store(dataset) as store:
            exported = curation.export(dataset, store, "cleaned", excluded="flag")
        print(exported.labels)
    """
    return export_log(dataset, store.log(), Path(out), parse_settings(options), findings)


def replay_log(
    audit: str | os.PathLike[str], dataset: Dataset, out: str | os.PathLike[str], **options: Any
) -> Exported:
    """Write an export again from its audit.jsonl; the same options give the same files."""
    try:
        text = Path(audit).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"{Path(audit).name} cannot be read: {getattr(error, 'strerror', None) or error}.",
            "Pass the unchanged audit.jsonl of an export.",
        ) from error
    return export_log(dataset, from_jsonl(text), Path(out), parse_settings(options))
