"""Where probabilities that Curation made or saved are kept, and what their file says.

The file is an .npz archive with `pred_probs`, the class of each column in `columns`, the id of each
row in `ids`, and how they were made in `made`, as JSON. So rows and columns are joined by name.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from curation.loading.formats.npy import Header, text_array
from curation.loading.formats.npz import read_member
from curation.loading.formats.registry import remove_suffix
from curation.loading.report_builder import ReportBuilder, Stop, stop
from curation.paths import personal_folder

OWN_ENDING = ".probs.npz"  # of the file next to a table that was opened on its own
FOLDER_FILE = "probs.npz"
COLUMNS, IDS, MADE, MATRIX = "columns", "ids", "made", "pred_probs"  # the arrays in the file
MAX_MADE_CHARACTERS = 100_000


def name_made(label_file: str | None) -> str:
    """Return the name of the file: of a whole folder, or of one table in it.

    >>> name_made(None), name_made("reviews.csv.gz")
    ('probs.npz', 'reviews.probs.npz')
    """
    if label_file is None:
        return FOLDER_FILE
    return remove_suffix(PurePosixPath(label_file).name).replace("-*", "") + OWN_ENDING


def personal_place(root: Path, label_file: str | None) -> Path:
    """Return where the file is kept if the dataset's folder is read-only."""
    return personal_folder(root) / name_made(label_file)


def belongs_elsewhere(name: str, label_file: str | None) -> bool:
    """Return whether a file of probabilities belongs to another table of the same folder."""
    own = label_file is not None and name == name_made(label_file)
    return label_file is not None and name.endswith(OWN_ENDING) and not own


def read_columns(path: Path, name: str, headers: Mapping[str, Header]) -> tuple[str, ...] | None:
    """Return the class of each column, if the archive names them."""
    if COLUMNS not in headers:
        return None
    where = f"{name}, array {COLUMNS!r}"
    columns = tuple(text_array(read_member(path, name, COLUMNS), where).to_pylist())
    shape = headers[MATRIX].shape if MATRIX in headers else ()
    if len(shape) != 2 or len(columns) != shape[1] or len(set(columns)) != len(columns):
        raise stop(
            code="probs.column_names",
            where=where,
            what=f"{len(columns)} names for {shape[1] if len(shape) == 2 else 1} columns of "
            "probabilities, or a name that occurs twice.",
            fix="Save one name for each column, or leave the array out.",
            why="Columns are joined to classes by name, never by position.",
        )
    return columns


def note_made(path: Path, name: str, headers: Mapping[str, Header], report: ReportBuilder) -> None:
    """Report how the probabilities were made, if the archive says it."""
    record = read_made(path, name, headers)
    models = record.get("models")
    if not isinstance(models, list) or not models:
        return
    several = len(models) > 1
    said = "; ".join(_describe_model(each, several) for each in models if isinstance(each, dict))
    report.add_auto_fix(
        code="probs.made",
        where=name,
        what=f"The probabilities were made by Curation with {record.get('folds')} folds, seed "
        f"{record.get('seed')}, from {said}.",
        fix="If you have a better model, save its out-of-sample probabilities instead.",
        why="The findings are only as good as the model.",
        count=len(models),
    )


def _describe_model(model: Mapping[str, Any], several: bool) -> str:
    """Return how strong a model is; among several, also how it agrees with their average."""
    try:
        said = (
            f"{str(model['name'])[:80]!r}, which agrees with "
            f"{100 * float(model['agreement']):.1f} % of the labels (log loss "
            f"{float(model['log_loss']):.2f})"
        )
        if not several:
            return said
        return (
            f"{said}, finds the same class likeliest as the average for "
            f"{100 * float(model['same_as_average']):.1f} % of the examples, and has "
            f"{100 * float(model['weight']):.0f} % of the weight"
        )
    except (KeyError, TypeError, ValueError):
        return "a model"


def read_made(path: Path, name: str, headers: Mapping[str, Header]) -> dict[str, Any]:
    """Return how the probabilities were made; empty if the archive does not say it."""
    if MADE not in headers or headers[MADE].dtype.kind not in "US":
        return {}
    try:
        text = str(read_member(path, name, MADE).reshape(-1)[0])
        found = json.loads(text[:MAX_MADE_CHARACTERS])
    except (Stop, ValueError, IndexError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
