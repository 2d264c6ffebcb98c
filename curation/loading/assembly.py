"""The way from a path to a `Dataset`: find, read, understand, join, check."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from curation.class_names import distinct_names
from curation.core.matrix import IntArray
from curation.dataset import Content, Dataset
from curation.loading.content.example_content import Columns, find_content, look_at_content
from curation.loading.discovery.part_search import find_parts, open_place
from curation.loading.doctor.copies import diagnose_copies
from curation.loading.formats.file_faults import format_bytes
from curation.loading.formats.registry import remove_suffix
from curation.loading.join.joined_matrix import plan_matrix
from curation.loading.join.matrix_check import check_matrix
from curation.loading.join.rival_tables import compare_label_table
from curation.loading.join.row_join import match_examples
from curation.loading.join.true_labels import read_true_labels
from curation.loading.labels.class_list import Classes, make_classes
from curation.loading.labels.label_classes import Labels, read_labels
from curation.loading.labels.labelled_examples import Examples, name_examples
from curation.loading.overrides import Options
from curation.loading.part_reading import read_parts
from curation.loading.parts import Parts
from curation.loading.probs.stored_probs import StoredProbs
from curation.loading.report_builder import ReportBuilder, stop
from curation.loading.vocabulary import UNNAMED_COLUMNS
from curation.progress import Progress, part

MATRICES_AT_ONCE = 7  # class by class, held by an analysis at its peak; measured as 6.2


def assemble(path: Path, overrides: Options, report: ReportBuilder, progress: Progress) -> Dataset:
    """Return the dataset at a path.

    Every fault goes into the report. Those that block stop the loading at the end of each step, so
    that a person hears of all faults of a step at once.
    """
    progress("Finding the files", 0.0)
    root, options = open_place(path, overrides, report)
    parts = find_parts(root, options, report)

    progress("Reading labels and probabilities", 0.02)
    examples, probs, classes = read_parts(parts, options, report)
    examples, probs, match = match_examples(parts, examples, probs, report)
    labels = _understand_labels(examples, probs, classes, options, report)
    plan, rows = plan_matrix(probs, match, labels, options, report)
    report.stop_if_blocked()

    share = part(progress, "Checking the probabilities", 0.2, 0.8)
    matrix, rows = check_matrix(
        plan, rows, labels, examples, probs.where, report, drop=bool(options.drop_rows), share=share
    )
    compare_label_table(parts, examples, labels, matrix, rows, options, report)

    progress("Looking at the pictures or texts", 0.8)
    ids = name_examples(examples, rows)
    content, content_settings = find_content(parts.root, examples, rows, options)
    report.diagnoses += look_at_content(content, ids)
    _look_for_copies(content, examples, labels, rows, ids, report)
    true_labels = read_true_labels(parts, examples, labels, rows, options, report)

    return Dataset(
        name=options.name or _name_of(path, root),
        root=parts.root,
        ids=ids,
        labels=labels.codes[rows],
        class_names=labels.classes.names,
        class_ids=labels.classes.ids,
        label_values=labels.values,
        pred_probs=matrix,
        content=content,
        extras=Columns(examples.table, _other_columns(parts, examples, probs), rows),
        source=examples.source,
        source_rows=rows,
        report=report.build(),
        true_labels=true_labels,
        settings=_list_settings(parts, examples, labels, options) | content_settings,
    )


def _other_columns(parts: Parts, examples: Examples, probs: StoredProbs) -> tuple[str, ...]:
    """Return the columns to show with an example: not its probabilities, not row numbers."""
    inside = probs.source_columns if parts.probs_with_labels else ()
    unshown = {*inside, *UNNAMED_COLUMNS}
    return tuple(c for c in examples.other_columns if c.strip() and c not in unshown)


def _look_for_copies(
    content: Content,
    examples: Examples,
    labels: Labels,
    rows: IntArray,
    ids: Any,
    report: ReportBuilder,
) -> None:
    names = distinct_names(labels.classes.names, labels.classes.ids)
    where = examples.table.name if examples.table is not None else "content"
    called = ids if examples.ids is not None else [f"row {each}" for each in ids]
    found, compared = diagnose_copies(content, labels.codes[rows], called, names, where=where)
    report.diagnoses += found
    if compared and not found:
        report.add_passed(f"no two examples show the same (compared: {compared})")


def _name_of(path: Path, root: Path) -> str:
    return remove_suffix(path.name) if path.is_file() and path.suffix != ".toml" else root.name


def _understand_labels(
    examples: Examples,
    probs: StoredProbs,
    classes: Classes | None,
    options: Options,
    report: ReportBuilder,
) -> Labels:
    """Return the class of each label, by the list of classes or by the names of the columns."""
    if classes is None and probs.columns is not None:
        classes = make_classes(probs.columns, f"the columns of {probs.where}")
        classes = replace(classes, by_header=True)
    labels = read_labels(
        examples.cells,
        report,
        classes=classes,
        num_columns=probs.num_classes,
        style=None if options.labels_are == "onehot" else options.labels_are,
        shift=options.shift_labels or 0,
    )
    _check_classes(labels, probs, examples)
    _check_memory(labels, options)
    return labels


def _check_classes(labels: Labels, probs: StoredProbs, examples: Examples) -> None:
    classes, wide = labels.classes, probs.num_classes
    present = np.unique(labels.codes[labels.codes >= 0])
    if len(classes) < 2 or (len(present) == 1 and len(examples) > 1):
        only = labels.classes.names[int(present[0])]
        raise stop(
            code="classes.one",
            where=examples.cells.where,
            what=f"only one class, {only!r}: finding label errors needs ≥2 classes.",
            fix="Add examples of another class.",
            why="A label can only be found wrong if another one could be right.",
        )
    if len(classes) != wide and probs.columns is None:
        raise stop(
            code="probs.column_count",
            where=probs.where,
            what=f"{wide} columns for the {len(classes)} classes of {classes.where}.",
            fix="Save one column for each class, in the order of the classes.",
            why="It is unclear which column belongs to which class.",
        )


def _check_memory(labels: Labels, options: Options) -> None:
    """Stop if there are so many classes that their matrices would not fit into memory."""
    count = len(labels.classes)
    needed = MATRICES_AT_ONCE * 8 * count**2
    if needed > options.memory_limit:
        raise stop(
            code="memory.limit",
            where=labels.classes.where,
            what=f"the matrices of {count:,} classes need about {format_bytes(needed)} of memory; "
            f"the limit is {format_bytes(options.memory_limit)}.",
            fix="Merge or leave out classes, or raise memory_limit_gb if the machine has that "
            "much.",
            why="A machine that runs out of memory stops answering.",
            override={"memory_limit_gb": -(-needed // 2**30)},
        )


def _list_settings(
    parts: Parts, examples: Examples, labels: Labels, options: Options
) -> dict[str, Any]:
    """Return everything that was understood, as the overrides that would say the same."""
    source = examples.source
    understood = {
        "labels": parts.labels or (parts.folders if parts.folders != "." else None),
        "probs": list(parts.probs) if len(parts.probs) > 1 else (parts.probs or (None,))[0],
        "classes": parts.classes,
        "true_labels": parts.true_labels,
        "label_column": source.label_column,
        "id_column": source.id_column,
        "image_column": examples.image_column,
        "text_column": examples.text_column,
        "delimiter": source.delimiter,
        "labels_are": labels.style,
    }
    return {k: v for k, v in understood.items() if v is not None} | options.given()
