"""From data in memory to a loaded dataset: write what its folder lacks, then load it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from curation.analysis.table_matching import match_tables
from curation.core.checks import as_array
from curation.dataset import Dataset
from curation.errors import InputError
from curation.loading import load, load_labelled
from curation.loading.overrides import parse_options
from curation.loading.probs.made_probs import name_made
from curation.loading.report_builder import ReportBuilder
from curation.modelling import make_probs as make_probabilities
from curation.session.memory_tables import MemoryTable, read_memory
from curation.session.session_folder import EXAMPLES, PROBS, SessionFolder, write_examples

NAME = "data in memory"


@dataclass(frozen=True)
class Prepared:
    """A dataset from memory, and what the caller calls its rows and labels."""

    dataset: Dataset
    folder: Path
    index: pd.Index[Any]  # of every row that was passed
    labels: list[Any]  # of every row that was passed


def prepare(
    data: Any,
    pred_probs: Any,
    labels: Any,
    class_names: Sequence[Any] | None,
    make_probs: bool,
    folder: Path | None,
    overrides: Mapping[str, Any],
) -> Prepared:
    """Return data in memory as a dataset, written to its folder and loaded from it."""
    if pred_probs is None and not make_probs:
        raise InputError(
            "There are no probabilities: pred_probs is None.",
            "Pass a model's out-of-sample probabilities, one row per example; or pass "
            "make_probs=True to make them by cross-validation, as curation.make_probs does.",
        )
    given = {key: value for key, value in overrides.items() if value is not None}
    _check_overrides(given)
    table = read_memory(data, labels, given)
    names = class_names if class_names is not None else table.class_names
    matrix, names = _match_probs(pred_probs, table, names)
    place = write_examples(table, folder, names)
    place.write_settings(_make_settings(table, place, names, matrix) | given)
    if matrix is None:
        _make_missing(place)
    elif place.write_probs(matrix):
        print(f"The probabilities ({matrix.nbytes / 1e6:,.1f} MB) were written to {place.path}.")
    return Prepared(load(place.path), place.path, table.index, place.labels)


def _check_overrides(overrides: Mapping[str, Any]) -> None:
    """Refuse a misspelled setting before anything is read."""
    report = ReportBuilder()
    with report.catch_stops():
        parse_options(overrides, "curation.open")
    report.stop_if_blocked()


def _match_probs(pred_probs: Any, table: MemoryTable, names: Any) -> tuple[Any, list[str] | None]:
    """Return the probabilities in the order of the data and of the class names, and the names."""
    texts = None if names is None else [str(each) for each in names]
    if pred_probs is None:
        return None, texts
    if hasattr(pred_probs, "index") and hasattr(pred_probs, "loc"):
        pred_probs = _match_rows(pred_probs, table)
    _, matrix, found = match_tables(None, pred_probs, texts)
    for step in ("detach", "cpu"):  # a tensor
        matrix = getattr(matrix, step)() if hasattr(matrix, step) else matrix
    matrix = as_array(matrix, "probabilities")
    if matrix.ndim != 2 or len(matrix) != len(table):
        raise InputError(
            f"The probabilities have the shape {matrix.shape}, for {len(table):,} examples.",
            "Pass one row per example, in the same order, and one column per class.",
        )
    return matrix, None if found is None else [str(each) for each in found]


def _match_rows(pred_probs: Any, table: MemoryTable) -> Any:
    """Return a DataFrame of probabilities in the order of the data, by their index."""
    mine, other = table.index, pred_probs.index
    if other.equals(mine):
        return pred_probs
    same = other.is_unique and len(other) == len(mine) and other.isin(mine).all()
    # pd.DataFrame(model.predict_proba(X)) counts its rows, whatever the index of X is
    counted = other.tolist() == list(range(len(other)))
    if same and not counted:
        return pred_probs.loc[mine]
    raise InputError(
        f"The index of the probabilities begins with {other[:3].tolist()}, that of the data with "
        f"{mine[:3].tolist()}.",
        "Give both the same index, or pass pred_probs.to_numpy() if both are in the same order.",
    )


def _make_settings(
    table: MemoryTable, place: SessionFolder, names: list[str] | None, matrix: Any
) -> dict[str, Any]:
    """Return how the loader is to read the folder."""
    present = {each for each in place.labels if each is not None}
    style = None
    if names is not None and {type(each) for each in present} == {int}:
        style = "name" if {str(each) for each in present} <= set(names) else "index"
    return {
        "name": NAME,
        "labels": EXAMPLES,
        "probs": PROBS if matrix is not None else name_made(EXAMPLES),
        "classes": names,
        "label_column": table.label_column,
        "id_column": place.id_column,
        "labels_are": style,
        **table.settings,
    }


def _make_missing(place: SessionFolder) -> None:
    """Make probabilities, unless they were made for these examples before."""
    made = place.path / name_made(EXAMPLES)
    if not made.is_file():
        found = make_probabilities(load_labelled(place.path), out=made)
        print("\n".join(found.describe()))
