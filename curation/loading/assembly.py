"""From a path to a `Dataset`: find, read, understand, join, check."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from curation.core.matrix import IntArray
from curation.dataset import Content, Dataset, LabelledData
from curation.loading.content.example_content import Columns, find_content
from curation.loading.content.feature_arrays import find_feature_columns
from curation.loading.content.picture_arrays import find_pixel_columns
from curation.loading.content_checks import make_checks, plan_content_check
from curation.loading.dataset_parts import Parts
from curation.loading.discovery.part_search import find_parts, open_place
from curation.loading.formats.read_only_sources import Headless
from curation.loading.formats.registry import find_suffix, remove_suffix
from curation.loading.join.joined_matrix import MatrixPlan, plan_matrix
from curation.loading.join.matrix_check import check_matrix
from curation.loading.join.rival_tables import compare_label_table
from curation.loading.join.row_join import match_examples, name_by_array
from curation.loading.join.row_matching import Match
from curation.loading.join.true_labels import read_true_labels
from curation.loading.label_meaning import (
    check_two_classes,
    list_numbers,
    read_codes,
    understand_labels,
)
from curation.loading.labels.label_classes import Labels
from curation.loading.labels.labelled_examples import Examples, name_examples
from curation.loading.overrides import Options
from curation.loading.part_reading import read_labelled_parts, read_parts
from curation.loading.probs.stored_probs import StoredProbs
from curation.loading.report_builder import ReportBuilder, stop
from curation.loading.vocabulary import UNNAMED_COLUMNS
from curation.progress import Progress, part


@dataclass(frozen=True)
class Planned:
    """A dataset whose files were found and joined, but whose probabilities were not read yet."""

    parts: Parts
    options: Options
    examples: Examples
    probs: StoredProbs
    labels: Labels
    plan: MatrixPlan
    rows: IntArray  # the rows of the label file that have a label and probabilities
    rival: Match | None  # another way to join the rows


def plan_dataset(
    path: Path, overrides: Options, report: ReportBuilder, progress: Progress
) -> Planned:
    """Return what is to be read at a path, with the class of each label."""
    progress("Finding the files", 0.0)
    root, options = open_place(path, overrides, report)
    parts = find_parts(root, options, report)

    progress("Reading labels and probabilities", 0.02)
    examples, probs, classes = read_parts(parts, options, report)
    _refuse_unused(options, examples, probs)
    examples, probs, match, rival = match_examples(parts, examples, probs, report)
    labels = understand_labels(examples, probs, classes, options, report)
    plan, rows = plan_matrix(probs, match, labels, options, report)
    report.stop_if_blocked()
    return Planned(parts, options, examples, probs, labels, plan, rows, rival)


def assemble(path: Path, overrides: Options, report: ReportBuilder, progress: Progress) -> Dataset:
    """Return the dataset at a path.

    Every fault goes into the report. Faults that block stop the loading at the end of a step, so
    that all faults of the step are reported together.
    """
    found = plan_dataset(path, overrides, report, progress)
    parts, options, examples, labels = found.parts, found.options, found.examples, found.labels
    share = part(progress, "Checking the probabilities", 0.2, 0.8)
    matrix, rows = check_matrix(
        found.plan, found.rows, labels, examples, found.probs.where, report, root=parts.root,
        drop=bool(options.drop_rows), share=share, rival=found.rival,
    )  # fmt: skip
    compare_label_table(parts, examples, labels, matrix, rows, options, report)

    progress("Looking at the pictures or texts", 0.8)
    inside = found.probs.source_columns if parts.probs_with_labels else ()
    shared = _describe_examples(path, parts, examples, labels, rows, inside, options, report)
    return Dataset(**shared, pred_probs=matrix)


def assemble_labelled(
    path: Path, overrides: Options, report: ReportBuilder, progress: Progress
) -> LabelledData:
    """Return the labelled examples at a path, whether or not it holds probabilities."""
    progress("Finding the files", 0.0)
    root, options = open_place(path, overrides, report)
    parts = find_parts(root, options, report)
    progress("Reading labels", 0.02)
    examples, classes, inside = read_labelled_parts(parts, options, report)
    examples = name_by_array(parts, examples)
    classes = classes or list_numbers(examples)
    labels = read_codes(examples, classes, options, report, wide=None)
    check_two_classes(labels, examples)
    rows = np.flatnonzero(labels.codes >= 0)
    progress("Looking at the pictures or texts", 0.8)
    shared = _describe_examples(path, parts, examples, labels, rows, inside, options, report)
    return LabelledData(**shared)


def _describe_examples(
    path: Path,
    parts: Parts,
    examples: Examples,
    labels: Labels,
    rows: IntArray,
    inside: tuple[str, ...],
    options: Options,
    report: ReportBuilder,
) -> dict[str, Any]:
    """Return the fields of the examples that are kept; `inside` are columns of probabilities."""
    ids = name_examples(examples, rows)
    content, content_settings = find_content(parts.root, examples, rows, options, report)
    content_check = plan_content_check(content, examples, labels, rows, ids)
    place = len(report.diagnoses), len(report.passed)
    true_labels = read_true_labels(parts, examples, labels, rows, options, report)
    return {
        "name": options.name or _name_of(path, parts.root),
        "root": parts.root,
        "ids": ids,
        "labels": labels.codes[rows],
        "class_names": labels.classes.names,
        "class_ids": labels.classes.ids,
        "label_values": labels.values,
        "content": content,
        "extras": _find_columns(parts.root, examples, inside, rows, content),
        "source": examples.source,
        "source_rows": rows,
        "num_source_rows": len(examples),
        "named_labels": options.labels,
        "checks": make_checks(report, content_check, place, content),
        "true_labels": true_labels,
        "settings": _list_settings(parts, examples, labels, options) | content_settings,
    }


def _refuse_unused(options: Options, examples: Examples, probs: StoredProbs) -> None:
    """Stop at an option that has no effect: whoever set it expects one."""
    table = examples.table
    unused = {
        "id_column": None if table is not None else "the labels are not in a table",
        "image_column": None if table is not None else "the labels are not in a table",
        "text_column": None if table is not None else "the labels are not in a table",
        "title_column": None if table is not None else "the labels are not in a table",
        "prob_columns": None if probs.source_columns else "the probabilities are not in a table",
        "delimiter": None if examples.source.delimiter else "the label file has no delimiter",
        "sheet": None if _is_workbook(examples) else "the labels are not in a workbook",
        "prob_sheet": None if ".xlsx" in probs.where else "the probabilities are not in a workbook",
        "no_header": None
        if examples.source.delimiter or _is_workbook(examples)
        else "the labels are not in a CSV file or a workbook",
        "prob_array": None if "array" in probs.where else "the probabilities are not in an .npz",
        "positive_class": None if probs.binary else f"there are {probs.num_classes} columns of "
        "probabilities, not one",
    }  # fmt: skip
    for option, why in unused.items():
        value = getattr(options, option)
        if value is not None and why is not None:
            raise stop(
                code="manifest.no_effect",
                where=option,
                what=f"{option}={value!r} has no effect: {why}.",
                fix="Leave it out.",
                why="It was set to change something, but it changes nothing.",
            )


def _is_workbook(examples: Examples) -> bool:
    return examples.table is not None and find_suffix(examples.table.path.name) == ".xlsx"


def _other_columns(examples: Examples, inside: tuple[str, ...]) -> tuple[str, ...]:
    """Return the columns to show with an example, without probabilities and row numbers."""
    unshown = {*inside, *UNNAMED_COLUMNS, *find_pixel_columns(examples.other_columns)}
    return tuple(c for c in examples.other_columns if c.strip() and c not in unshown)


def _find_columns(
    root: Path, examples: Examples, inside: tuple[str, ...], rows: IntArray, content: Content
) -> Mapping[str, Any]:
    """Return the columns to show with an example: of its table, or of an array of features."""
    columns = Columns(examples.table, _other_columns(examples, inside), rows)
    if columns or content.kind != "index":
        return columns
    return find_feature_columns(root, examples, rows) or columns


def _name_of(path: Path, root: Path) -> str:
    return remove_suffix(path.name) if path.is_file() and path.suffix != ".toml" else root.name


def _list_settings(
    parts: Parts, examples: Examples, labels: Labels, options: Options
) -> dict[str, Any]:
    """Return all settings that were used, as overrides that give the same dataset."""
    source = examples.source
    understood = {
        "labels": parts.labels or (parts.folders if parts.folders != "." else None),
        "probs": list(parts.probs) if len(parts.probs) > 1 else (parts.probs or (None,))[0],
        "classes": parts.classes,
        "true_labels": parts.true_labels,
        # columns of 0 and 1 become one that the file does not have
        "label_column": None if options.labels_are == "onehot" else source.label_column,
        "id_column": source.id_column,
        "image_column": examples.image_column,
        "text_column": examples.text_column,
        "delimiter": source.delimiter,
        "no_header": source.format == Headless.name or None,
        "sheet": parts.sheet,
        "prob_sheet": parts.prob_sheet,
        "labels_are": labels.style,
    }
    return {k: v for k, v in understood.items() if v is not None} | options.given()
