"""From parts to a `Dataset`: read, understand, join, judge; every fault on the way written down."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from curation.class_names import distinct_names
from curation.core.matrix import IntArray
from curation.dataset import Content, Dataset
from curation.loading.content.example_content import Columns, find_content, look_at_content
from curation.loading.discovery.folder_scan import find_parts, list_files, open_place
from curation.loading.discovery.parts import Parts
from curation.loading.discovery.prob_files import is_hinted
from curation.loading.doctor import list_passed
from curation.loading.doctor.copies import diagnose_copies
from curation.loading.formats.file_faults import say_bytes
from curation.loading.formats.registry import remove_suffix
from curation.loading.formats.table import Table
from curation.loading.formats.unsupported import advise
from curation.loading.join import alignment
from curation.loading.join.combine import join, look, name_examples
from curation.loading.join.crosscheck import check_join
from curation.loading.join.id_arrays import give_ids
from curation.loading.join.keys import Keys, match_rows
from curation.loading.labels.class_indices import Labels, distinct_labels, read_labels
from curation.loading.labels.class_list import Classes, make_classes, read_classes
from curation.loading.labels.examples import Examples, read_examples
from curation.loading.labels.true_labels import read_true_labels
from curation.loading.overrides import Options
from curation.loading.probs import prob_sources
from curation.loading.probs.inline_probs import settle_inside
from curation.loading.probs.prob_columns import Known
from curation.loading.probs.prob_sources import Probs
from curation.loading.report_builder import ReportBuilder, stop
from curation.loading.vocabulary import UNNAMED_COLUMNS
from curation.progress import Progress, part

MATRICES = 7  # of classes by classes that an analysis holds at its peak, measured as 6.2


def assemble(path: Path, overrides: Options, report: ReportBuilder, progress: Progress) -> Dataset:
    """Return the dataset at a path; faults are written down, and the last look stops at them."""
    progress("Finding the files", 0.0)
    root, options = open_place(path, overrides, report)
    parts = find_parts(root, options, report)
    progress("Reading labels and probabilities", 0.02)
    examples, probs, classes = _read_parts(parts, options, report)
    examples, probs = give_ids(parts, examples, probs, report)
    if examples.ids is not None:
        alignment.check_ids(
            examples.ids, examples.source.path.name if examples.source.path else "ids"
        )
        report.add_passed("every example has an id of its own")
    match = match_rows(examples.keys, probs.keys)
    alignment.check_shape(probs, len(examples), joined=match is not None)
    if parts.probs not in ((), (parts.labels,)):  # what stands in one row needs no joining
        check_join(examples.keys, probs.keys, match, report, probs.predict)
    labels = _understand(examples, probs, classes, options, report)
    _check_memory(labels, options)
    build, keep = join(probs, match, labels, options, report)
    report.stop_if_blocked()
    drop = bool(options.drop_rows)
    share = part(progress, "Checking the probabilities", 0.2, 0.8)
    matrix, keep, diagnoses = look(build, keep, labels, examples, probs.where, drop, share)
    report.diagnoses += diagnoses
    report.passed += list_passed(report.diagnoses)
    report.stop_if_blocked()
    if options.probs is None and parts.probs not in ((), (parts.labels,)):
        known, limit = _known(examples, labels.classes), options.memory_limit
        settle_inside(parts, examples, labels, known, matrix, keep, report, memory_limit=limit)
    ids = name_examples(examples, keep)
    content, found = find_content(parts.root, examples, keep, options)
    progress("Looking at the pictures or texts", 0.8)
    report.diagnoses += look_at_content(content, ids)
    _look_for_copies(content, examples, labels, keep, ids, report)
    true_labels = read_true_labels(parts, examples, labels, keep, options, report)
    return Dataset(
        name=options.name or _name_of(path, root),
        root=parts.root,
        ids=ids,
        labels=labels.codes[keep],
        class_names=labels.classes.names,
        class_ids=labels.classes.ids,
        label_values=labels.values,
        pred_probs=matrix,
        content=content,
        extras=Columns(examples.table, _other_columns(parts, examples, probs), keep),
        source=examples.source,
        source_rows=keep,
        report=report.build(),
        true_labels=true_labels,
        settings=_settings(parts, examples, labels, options) | found,
    )


def _other_columns(parts: Parts, examples: Examples, probs: Probs) -> tuple[str, ...]:
    """Return the columns to show with an example: not its probabilities, not row numbers."""
    inside = probs.source_columns if parts.probs in ((), (parts.labels,)) else ()
    unshown = {*inside, *UNNAMED_COLUMNS}
    return tuple(c for c in examples.other_columns if c.strip() and c not in unshown)


def _look_for_copies(
    content: Content,
    examples: Examples,
    labels: Labels,
    keep: IntArray,
    ids: Any,
    report: ReportBuilder,
) -> None:
    names = distinct_names(labels.classes.names, labels.classes.ids)
    where = examples.table.name if examples.table is not None else "content"
    called = ids if examples.ids is not None else [f"row {each}" for each in ids]
    found, compared = diagnose_copies(content, labels.codes[keep], called, names, where=where)
    report.diagnoses += found
    if compared and not found:
        report.add_passed(f"no two examples show the same (compared: {compared})")


def _name_of(path: Path, root: Path) -> str:
    return remove_suffix(path.name) if path.is_file() and path.suffix != ".toml" else root.name


def _read_parts(
    parts: Parts, options: Options, report: ReportBuilder
) -> tuple[Examples, Probs, Classes | None]:
    """Return what each part holds; all are looked at, so that all faults are told at once."""
    found: dict[str, Any] = {}
    of_labels = (
        ReportBuilder()
    )  # their own, so that the report's order does not hang on the threads'
    with ThreadPoolExecutor(1) as pool:
        reading = pool.submit(read_examples, parts, options, of_labels)
        with report.catch_stops():
            found["classes"] = _read_classes(parts, options, report)
        with report.catch_stops():
            if parts.probs and parts.probs != (parts.labels,):
                found["probs"] = _read_probs(parts, options, report)
        with report.catch_stops():
            found["examples"] = reading.result()
        report.add_all(of_labels)
    examples, probs = found.get("examples"), found.get("probs")
    with report.catch_stops():
        known = _known(examples, found.get("classes"))
        if isinstance(probs, Table):
            limit = options.memory_limit
            found["probs"] = prob_sources.from_table(probs, known, report, memory_limit=limit)
        elif probs is None and examples is not None and parts.probs in ((), (parts.labels,)):
            found["probs"] = _probs_inside(parts, examples, known, options, report)
    report.stop_if_blocked()
    return found["examples"], found["probs"], known.classes


def _known(examples: Examples | None, classes: Classes | None) -> Known:
    """Return what is known of the classes from a list of them, or else from the labels."""
    if examples is None:
        return Known(classes)
    if classes is None and examples.class_names is not None:
        classes = make_classes(examples.class_names, examples.cells.where)
    return Known(classes, distinct_labels(examples.cells), examples.source.id_column)


def _read_classes(parts: Parts, options: Options, report: ReportBuilder) -> Classes | None:
    if isinstance(options.classes, list):
        return make_classes(options.classes, "classes")
    if parts.classes is None:
        return None
    path = parts.path(parts.classes)
    limit, encoding = options.memory_limit, options.encoding
    return read_classes(path, parts.classes, report, memory_limit=limit, encoding=encoding)


def _read_probs(parts: Parts, options: Options, report: ReportBuilder) -> Probs | Table:
    paths = [parts.path(name) for name in parts.probs]
    return prob_sources.read_probabilities(
        paths,
        parts.probs,
        report,
        memory_limit=options.memory_limit,
        encoding=options.encoding,
        id_column=options.id_column,
    )


def _probs_inside(
    parts: Parts, examples: Examples, known: Known, options: Options, report: ReportBuilder
) -> Probs:
    """Return the probabilities that the label file itself holds; its rows need no joining."""
    table, limit = examples.table, options.memory_limit
    if table is not None:
        find = prob_sources.from_table if parts.probs else prob_sources.find_in_labels
        found = find(table, known, report, memory_limit=limit)
        if found is not None:
            return replace(found, keys=Keys())
    if examples.source.format == "npz" and examples.source.path is not None and parts.labels:
        found = prob_sources.read_archive(
            examples.source.path, parts.labels, report, memory_limit=limit
        )
        return Probs(found.parts, found.where)
    raise stop(
        code="folder.no_probabilities",
        where=parts.root.name or str(parts.root),
        what="no probabilities found.",
        fix=_advise_probs(parts)
        or "Call the file probs.npy, or name it as probs in curation.toml; or add p_<class> "
        "columns to the label table.",
        why="Label errors are found by comparing labels with a model's probabilities.",
    )


def _advise_probs(parts: Parts) -> str:
    """Return what to do about a file that is called like probabilities and cannot be read."""
    return advise(name for name in list_files(parts.root) if is_hinted(name))


def _understand(
    examples: Examples,
    probs: Probs,
    classes: Classes | None,
    options: Options,
    report: ReportBuilder,
) -> Labels:
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
    return labels


def _check_classes(labels: Labels, probs: Probs, examples: Examples) -> None:
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
            why="Which column belongs to which class cannot be told.",
        )


def _check_memory(labels: Labels, options: Options) -> None:
    """Stop before so many classes that their matrices would not fit into memory."""
    count = len(labels.classes)
    needed = MATRICES * 8 * count**2
    if needed > options.memory_limit:
        raise stop(
            code="memory.limit",
            where=labels.classes.where,
            what=f"the matrices of {count:,} classes need about {say_bytes(needed)} of memory; the "
            f"limit is {say_bytes(options.memory_limit)}.",
            fix="Merge or leave out classes, or raise memory_limit_gb if the machine has that "
            "much.",
            why="A machine that runs out of memory stops answering.",
            override={"memory_limit_gb": -(-needed // 2**30)},
        )


def _settings(parts: Parts, examples: Examples, labels: Labels, options: Options) -> dict[str, Any]:
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
