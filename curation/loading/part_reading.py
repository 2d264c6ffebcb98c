"""Reads each part: classes, labels and probabilities, before they are joined."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import replace
from typing import Any

import numpy as np

from curation.loading.dataset_parts import Parts
from curation.loading.discovery.folder_listing import list_files, list_readable
from curation.loading.discovery.label_advice import explaining_labels
from curation.loading.discovery.not_found_advice import advise_renaming, list_below
from curation.loading.discovery.prob_files import is_hinted
from curation.loading.discovery.score_advice import advise_scores
from curation.loading.formats.number_columns import SUM_TOLERANCE, holds_words, misfit, peek_numbers
from curation.loading.formats.registry import advise, find_suffix
from curation.loading.formats.table import Table
from curation.loading.labels.category_order import note_category_order
from curation.loading.labels.class_list import Classes, make_classes, read_classes
from curation.loading.labels.labelled_examples import Examples, read_examples
from curation.loading.overrides import Options
from curation.loading.probs import stored_probs, table_probs
from curation.loading.probs.class_named_columns import KnownClasses, gather_known
from curation.loading.probs.prob_column_names import is_single_name
from curation.loading.probs.stored_probs import StoredProbs
from curation.loading.probs.top_scores import refuse_top_scores
from curation.loading.report_builder import ReportBuilder, list_few, stop
from curation.loading.row_keys import Keys

MAKE_PROBS = (
    "Run `curate probs` to make them; or name the file probs.npy, or set it as probs in "
    "curation.toml, or add p_<class> columns to the label table."
)
# Formats in which programs save arrays, and models too: a name that says nothing may be either.
SAVED_ARRAYS = (".pt", ".pth", ".pkl", ".pickle", ".joblib", ".h5", ".hdf5", ".mat", ".rds")
MAX_RUNS = 100  # runs of columns that are added up


def read_parts(
    parts: Parts, options: Options, report: ReportBuilder
) -> tuple[Examples, StoredProbs, Classes | None]:
    """Return the content of each part; all are read, so that all faults are reported together."""
    found: dict[str, Any] = {}
    # Labels get their own report, so that the order of faults does not depend on the threads.
    of_labels = ReportBuilder()
    with ThreadPoolExecutor(1) as pool:
        # with what this thread may read: addresses are granted to it alone
        reading = pool.submit(copy_context().run, read_examples, parts, options, of_labels)
        with report.catch_stops():
            found["classes"] = _read_classes(parts, options, report)
        with report.catch_stops():
            if parts.probs and not parts.probs_with_labels:
                found["probs"] = _read_probs(parts, options, report)
        with report.catch_stops(), explaining_labels(parts.root, list_files):
            found["examples"] = reading.result()
        report.add_all(of_labels)
    examples, probs = found.get("examples"), found.get("probs")
    with report.catch_stops():
        known = _gather(examples, found.get("classes"), options)
        if isinstance(probs, Table):
            limit = options.memory_limit
            found["probs"] = table_probs.from_table(probs, known, report, memory_limit=limit)
        elif probs is None and examples is not None and parts.probs_with_labels:
            found["probs"] = _probs_inside(parts, examples, known, options, report)
    report.stop_if_blocked()
    read = found["probs"]
    if known.classes is None and examples is not None and read.columns is None and not read.binary:
        note_category_order(examples.table, examples.source.label_column, report)
    return found["examples"], found["probs"], known.classes


def read_labelled_parts(
    parts: Parts, options: Options, report: ReportBuilder
) -> tuple[Examples, Classes | None, tuple[str, ...]]:
    """Return labels and classes, and which columns of the label table hold probabilities."""
    found: dict[str, Any] = {}
    with report.catch_stops():
        found["classes"] = _read_classes(parts, options, report)
    with report.catch_stops(), explaining_labels(parts.root, list_files):
        found["examples"] = read_examples(parts, options, report)
    report.stop_if_blocked()
    examples: Examples = found["examples"]
    known = _gather(examples, found["classes"], options)
    inside: tuple[str, ...] = ()
    unread = ReportBuilder()  # probabilities are only looked for, so that no model learns from them
    with unread.catch_stops():
        if examples.table is not None and parts.probs_with_labels:
            probs = table_probs.find_in_labels(
                examples.table, known, unread, memory_limit=options.memory_limit
            )
            inside = () if probs is None else probs.source_columns
    return examples, known.classes, inside


def _gather(examples: Examples | None, classes: Classes | None, options: Options) -> KnownClasses:
    return replace(gather_known(examples, classes), columns=tuple(options.prob_columns or ()))


def _read_classes(parts: Parts, options: Options, report: ReportBuilder) -> Classes | None:
    if isinstance(options.classes, list):
        return make_classes(options.classes, "classes")
    if parts.classes is None:
        return None
    path = parts.path(parts.classes)
    limit, encoding = options.memory_limit, options.encoding
    return read_classes(path, parts.classes, report, memory_limit=limit, encoding=encoding)


def _read_probs(parts: Parts, options: Options, report: ReportBuilder) -> StoredProbs | Table:
    paths = [parts.path(name) for name in parts.probs]
    return stored_probs.read_probabilities(
        paths,
        parts.probs,
        report,
        memory_limit=options.memory_limit,
        encoding=options.encoding,
        id_column=options.id_column,
        array=options.prob_array,
        sheet=parts.prob_sheet,
    )


def _probs_inside(
    parts: Parts, examples: Examples, known: KnownClasses, options: Options, report: ReportBuilder
) -> StoredProbs:
    """Return the probabilities that the label file itself holds; its rows need no joining."""
    table, limit = examples.table, options.memory_limit
    if table is not None:
        find = table_probs.from_table if parts.probs else table_probs.find_in_labels
        found = find(table, known, report, memory_limit=limit)
        if found is not None:
            return replace(found, keys=Keys())
        refuse_top_scores(table, table_probs.class_names(known))
    if examples.source.format == "npz" and examples.source.path is not None and parts.labels:
        found = stored_probs.read_archive(
            examples.source.path, parts.labels, report, memory_limit=limit, key=options.prob_array
        )
        return StoredProbs(found.parts, found.where, found.columns)
    raise stop(
        code="folder.no_probabilities",
        where=parts.root.name or str(parts.root),
        what=f"no probabilities found{_describe_columns(examples)}.",
        fix=_advise_probs(parts)
        or _advise_columns(_offer_columns(examples, known))
        or _advise_score(examples, known)
        or MAKE_PROBS,
        why="Label errors are found by comparing labels with a model's probabilities.",
        choices=[
            *_offer_columns(examples, known),
            *({"probs": name} for name in _list_candidates(parts)),
        ],  # fmt: skip
    )


def _list_candidates(parts: Parts) -> list[str]:
    """Return the files that could hold the probabilities."""
    used = (*(parts.label_files if parts.labels else ()), parts.classes, parts.true_labels)
    return [*list_readable(list_files(parts.root), used), *list_below(parts.root)]


def _advise_probs(parts: Parts) -> str:
    """Return what to do about a file that is named like probabilities but cannot be read."""
    files = list_files(parts.root)
    advice = advise(name for name in files if is_hinted(name))
    advice = advice or advise_renaming(parts.root, files)
    advice = advice or advise_scores(parts, list_readable(files, parts.label_files))
    if advice:
        return advice
    saved = advise(name for name in files if find_suffix(name) in SAVED_ARRAYS)
    return f"{MAKE_PROBS} If they are in {saved}" if saved else ""


def _describe_columns(examples: Examples) -> str:
    if examples.table is None:
        return ""
    return f"; {examples.table.name} has the columns {list_few(examples.table.columns, most=12)}"


def _offer_columns(examples: Examples, known: KnownClasses) -> list[dict[str, Any]]:
    """Return columns next to one another whose rows add up to 1: they could be meant."""
    table, count = examples.table, len(known.labels)
    if table is None or count < 2:
        return []
    taken = (examples.source.label_column, examples.source.id_column)
    names = [c for c in table.data.column_names if c not in taken]
    numbers = [c for c in names if table.kind(c) not in ("list", "other")
               and not holds_words(table, c)]  # fmt: skip
    runs = [numbers[k : k + count] for k in range(len(numbers) - count + 1)][:MAX_RUNS]
    return [{"prob_columns": run} for run in runs if misfit(table, run) <= SUM_TOLERANCE]


def _advise_columns(offers: Sequence[Mapping[str, Any]]) -> str:
    if not offers:
        return ""
    return f"If the columns {list_few(offers[0]['prob_columns'])} hold them, pass prob_columns."


def _advise_score(examples: Examples, known: KnownClasses) -> str:
    """Return what to do about a single score that is not a probability; "" if there is none."""
    table = examples.table
    if table is None or len(known.labels) < 2:
        return ""
    for column in table.data.column_names:
        if not is_single_name(column) or table.kind(column) in ("list", "other"):
            continue
        values = peek_numbers(table, column)
        values = values[np.isfinite(values)]
        if len(values):
            return (
                f"Column {column!r}, from {values.min():.3g} to {values.max():.3g}, is not the "
                "probability of one of two classes. Save what predict_proba returns, a column "
                "for each class."
            )
    return ""
