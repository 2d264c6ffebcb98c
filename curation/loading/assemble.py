"""From parts to a `Dataset`: read, understand, join, judge; every fault on the way written down."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from curation.core.matrix import IntArray, Probabilities, Share
from curation.dataset import Dataset
from curation.loading import align, judge, probabilities
from curation.loading.classes import Classes, make_classes, read_classes
from curation.loading.discover import Parts, find_parts, open_place
from curation.loading.doctor import diagnose, list_passed
from curation.loading.examples import Examples, cells_of_array, cells_of_column, read_examples
from curation.loading.labels import Cells, Labels, index_labels, read_labels
from curation.loading.manifest import Options
from curation.loading.matrix import Conversion, ProbMatrix
from curation.loading.notes import Notes, stop
from curation.loading.numbers import table_ids
from curation.loading.probabilities import Probs
from curation.loading.show import Columns, find_content, look_at_content
from curation.progress import Progress, part
from curation.report import FIRST_ROWS, Diagnosis, Severity


@dataclass(frozen=True)
class Kept:
    """The examples that stay: their rows in the label file, and in the matrix of all examples."""

    rows: IntArray

    def of(self, values: Any) -> Any:
        return values[self.rows]


def assemble(path: Path, overrides: Options, notes: Notes, progress: Progress) -> Dataset:
    """Return the dataset at a path; faults are written down, and the last look stops at them."""
    progress("Finding the files", 0.0)
    root, options = open_place(path, overrides)
    parts = find_parts(root, options)
    progress("Reading labels and probabilities", 0.02)
    examples, probs, classes = _read_parts(parts, options, notes)
    if examples.ids is not None:
        align.check_ids(examples.ids, examples.source.path.name if examples.source.path else "ids")
        notes.ok("every example has an id of its own")
    joined = probs.ids is not None and examples.ids is not None
    align.check_shape(probs, len(examples), joined=joined)
    labels = _understand(examples, probs, classes, options, notes)
    build, keep = _join(examples, probs, labels, options, notes)
    notes.stop_if_blocked()
    drop = bool(options.drop_rows)
    look = part(progress, "Checking the probabilities", 0.2, 0.8)
    matrix, keep, diagnoses = _judge(build, keep, labels, examples, probs.where, drop, look)
    notes.diagnoses += diagnoses
    notes.passed += list_passed(diagnoses)
    notes.stop_if_blocked()
    kept = Kept(keep)
    ids = _ids(examples, kept)
    content, found = find_content(parts.root, examples, kept.rows, options)
    progress("Looking at the pictures or texts", 0.8)
    notes.diagnoses += look_at_content(content, ids)
    true_labels = _true_labels(parts, examples, labels, kept, options, notes)
    return Dataset(
        name=options.name or _name_of(path, root),
        root=parts.root,
        ids=ids,
        labels=kept.of(labels.codes),
        class_names=labels.classes.names,
        class_ids=labels.classes.ids,
        label_values=labels.values,
        pred_probs=matrix,
        content=content,
        extras=Columns(examples.table, examples.other_columns, kept.rows),
        source=examples.source,
        source_rows=kept.rows,
        report=notes.report(),
        true_labels=true_labels,
        settings=_settings(parts, examples, labels, options) | found,
    )


def _name_of(path: Path, root: Path) -> str:
    return path.stem if path.is_file() and path.suffix != ".toml" else root.name


def _read_parts(
    parts: Parts, options: Options, notes: Notes
) -> tuple[Examples, Probs, Classes | None]:
    """Return what each part holds; all are looked at, so that all faults are told at once."""
    found: dict[str, Any] = {}
    of_labels = Notes()  # their own, so that the report's order does not hang on the threads'
    with ThreadPoolExecutor(1) as pool:
        reading = pool.submit(read_examples, parts, options, of_labels)
        with notes.gathering():
            found["classes"] = _read_classes(parts, options)
        with notes.gathering():
            if parts.probs and parts.probs != (parts.labels,):
                found["probs"] = _read_probs(parts, options, notes)
        with notes.gathering():
            found["examples"] = reading.result()
        notes.extend(of_labels)
    with notes.gathering():
        if "probs" not in found and "examples" in found and parts.probs in ((), (parts.labels,)):
            found["probs"] = _probs_inside(parts, found["examples"], options, notes)
    notes.stop_if_blocked()
    return found["examples"], found["probs"], found["classes"]


def _read_classes(parts: Parts, options: Options) -> Classes | None:
    if isinstance(options.classes, list):
        return make_classes(options.classes, "classes")
    if parts.classes is None:
        return None
    path = parts.path(parts.classes)
    return read_classes(path, parts.classes, memory_limit=options.memory_limit)


def _read_probs(parts: Parts, options: Options, notes: Notes) -> Probs:
    paths = [parts.path(name) for name in parts.probs]
    return probabilities.read_probabilities(
        paths, parts.probs, notes, memory_limit=options.memory_limit
    )


def _probs_inside(parts: Parts, examples: Examples, options: Options, notes: Notes) -> Probs:
    """Return the probabilities that the label file itself holds."""
    table = examples.table
    if table is not None and (
        probabilities.probability_columns(table) or probabilities.list_column(table) or parts.probs
    ):
        found = probabilities.from_table(table, notes, memory_limit=options.memory_limit)
        return Probs(found.parts, found.where, found.columns)  # same rows: nothing to join
    if examples.source.format == "npz" and examples.source.path is not None and parts.labels:
        found = probabilities.read_archive(
            examples.source.path, parts.labels, notes, memory_limit=options.memory_limit
        )
        return Probs(found.parts, found.where)
    raise stop(
        "folder.no_probabilities",
        parts.root.name or str(parts.root),
        "no probabilities found.",
        "Name the file with probs=..., or call it probs.npy; or add p_<class> columns to the "
        "label table.",
        why="Label errors are found by comparing labels with a model's probabilities.",
    )


def _understand(
    examples: Examples, probs: Probs, classes: Classes | None, options: Options, notes: Notes
) -> Labels:
    if classes is None and examples.class_names is not None:
        classes = make_classes(examples.class_names, examples.cells.where)
    if classes is None and probs.columns is not None:
        classes = make_classes(probs.columns, f"the columns of {probs.where}")
    labels = read_labels(
        examples.cells,
        notes,
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
            "classes.one",
            examples.cells.where,
            f"only one class, {only!r}: finding label errors needs ≥2 classes.",
            "Add examples of another class.",
        )
    if len(classes) != wide and probs.columns is None:
        raise stop(
            "probs.column_count",
            probs.where,
            f"{wide} columns for the {len(classes)} classes of {classes.where}.",
            "Save one column for each class, in the order of the classes.",
        )


def _join(
    examples: Examples, probs: Probs, labels: Labels, options: Options, notes: Notes
) -> tuple[_Build, IntArray]:
    """Return how to build the matrix of the examples that stay, and their rows."""
    drop = bool(options.drop_rows)
    arrays = probs.parts
    if probs.binary:
        arrays = align.expand_binary(probs, labels.classes, options.positive_class)
    rows, has_row = align.join_rows(probs, examples.ids, notes, drop=drop)
    columns = None if probs.binary else align.order_columns(probs, labels.classes, notes)
    if options.class_order is not None:
        columns = align.apply_class_order(columns, options.class_order, labels.classes, probs.where)
    stays = labels.codes >= 0
    if has_row is not None:
        stays &= has_row
    keep = np.flatnonzero(stays)
    if not len(keep):
        notes.stop_if_blocked()
        raise stop("rows.none", probs.where, "no row has both a label and probabilities.", "Check.")
    if len(keep) < len(stays) or rows is not None:
        rows = keep if rows is None else rows[keep]
    convert: Any = options.convert
    return _Build(arrays, rows, columns, convert), keep


@dataclass(frozen=True)
class _Build:
    arrays: tuple[NDArray[Any], ...]
    rows: IntArray | None
    columns: IntArray | None
    convert: Conversion | None

    def matrix(self, *, scaled: Any = None) -> Probabilities:
        """Return the array itself if it needs nothing done, else a matrix that does it."""
        plain = self.rows is None and self.columns is None and self.convert is None
        first = self.arrays[0]
        if plain and scaled is None and len(self.arrays) == 1 and first.dtype.kind == "f":
            if first.dtype.itemsize <= 8 and first.dtype.isnative:
                return first
        return ProbMatrix(
            self.arrays, rows=self.rows, columns=self.columns, convert=self.convert, scaled=scaled
        )

    def without(self, rows: IntArray) -> _Build:
        """Return the same without some rows."""
        total = sum(len(each) for each in self.arrays)
        mine = np.arange(total) if self.rows is None else self.rows
        return _Build(self.arrays, np.delete(mine, rows), self.columns, self.convert)


def _judge(
    build: _Build,
    keep: IntArray,
    labels: Labels,
    examples: Examples,
    where: str,
    drop: bool,
    progress: Share,
) -> tuple[Probabilities, IntArray, list[Diagnosis]]:
    """Return the matrix, mended where that was agreed, the rows kept, and what the doctor says."""
    matrix = build.matrix()
    look = judge.look_at(matrix, labels.codes[keep], progress)
    dropped: list[Diagnosis] = []
    bad = judge.find_unusable(matrix, look.survey) if drop else keep[:0]
    if 0 < len(bad) < len(keep):
        dropped = [_say_dropped(bad, where, _names(keep, examples))]
        build, keep = build.without(bad), np.delete(keep, bad)
        matrix = build.matrix()
        look = judge.look_at(matrix, labels.codes[keep], progress)
    found = diagnose(
        labels.codes[keep],
        look.predicted_labels,
        look.self_confidence,
        look.survey,
        labels.classes.names,
        labels.classes.ids,
        _names(keep, examples),
        pred_probs=matrix,
        probs_name=where,
        labels_name=examples.cells.where,
    )
    scaled = judge.find_sums(matrix, look.survey)
    if scaled is not None:
        matrix = build.matrix(scaled=scaled)
        found = [judge.say_divided(each) for each in found]
    return matrix, keep, dropped + found


def _names(keep: IntArray, examples: Examples) -> NDArray[np.object_] | None:
    """Return what messages call the examples; None where they are counted as in the file."""
    if examples.ids is not None:
        return _ids(examples, Kept(keep))
    if len(keep) == len(examples):
        return None
    return np.array([f"row {row}" for row in keep.tolist()], dtype=object)


def _say_dropped(rows: IntArray, where: str, names: NDArray[np.object_] | None) -> Diagnosis:
    shown = rows[:FIRST_ROWS].tolist()
    return Diagnosis(
        Severity.WARN,
        "probs.dropped",
        f"{len(rows)} rows without usable probabilities (NaN, infinite or all zero) are left out.",
        where,
        "They cannot be judged; exports keep them as they are.",
        "Predict these rows again to have them back.",
        len(rows),
        tuple(f"row {row}" if names is None else str(names[row]) for row in shown),
    )


def _ids(examples: Examples, kept: Kept) -> NDArray[np.object_]:
    if examples.ids is None:
        return np.array([str(row) for row in kept.rows.tolist()], dtype=object)
    ids: NDArray[np.object_] = examples.ids.to_numpy()
    return np.asarray(kept.of(ids) if len(kept.rows) < len(ids) else ids, dtype=object)


def _true_labels(
    parts: Parts, examples: Examples, labels: Labels, kept: Kept, options: Options, notes: Notes
) -> IntArray | None:
    """Return the right labels where they are known; -1 for an example that has none."""
    if parts.true_labels is None:
        if examples.true_cells is None or len(examples.true_cells.values) != len(examples):
            return None
        return np.asarray(kept.of(index_labels(examples.true_cells, labels, notes)))
    cells, ids = _read_true(parts, parts.true_labels, options)
    codes = index_labels(cells, labels, notes)
    if ids is not None and examples.ids is not None:
        align.check_ids(ids, parts.true_labels)
        found = pa.compute.index_in(examples.ids.combine_chunks(), value_set=ids.combine_chunks())
        places = found.fill_null(len(codes)).to_numpy(zero_copy_only=False)
        return np.asarray(kept.of(np.append(codes, -1)[places]))
    if len(codes) != len(examples):
        raise stop(
            "true_labels.row_count",
            parts.true_labels,
            f"{len(codes)} true labels for {len(examples)} labels.",
            "Save one for each label, or give both files an id column.",
        )
    return np.asarray(kept.of(codes))


def _read_true(parts: Parts, name: str, options: Options) -> tuple[Cells, Any]:
    from curation.loading.arrays import open_npy
    from curation.loading.examples import LABEL_COLUMNS, TRUE_COLUMNS
    from curation.loading.tables import read_table

    path = parts.path(name)
    if path.suffix.lower() == ".npy":
        return cells_of_array(open_npy(path, name), name, options, Notes()), None
    table = read_table(path, name, encoding=options.encoding, memory_limit=options.memory_limit)
    lower = {column.lower(): column for column in reversed(table.data.column_names)}
    column = next((lower[c] for c in (*TRUE_COLUMNS, *LABEL_COLUMNS) if c in lower), None)
    if column is None:
        raise stop(
            "true_labels.column",
            name,
            f"no column of true labels among {', '.join(table.columns[:12])}.",
            "Name it true_label.",
        )
    return cells_of_column(table, column), table_ids(table)


def _settings(parts: Parts, examples: Examples, labels: Labels, options: Options) -> dict[str, Any]:
    """Return everything that was understood, as the overrides that would say the same."""
    source = examples.source
    understood = {
        "labels": parts.labels,
        "probs": list(parts.probs) if len(parts.probs) > 1 else (parts.probs or (None,))[0],
        "classes": parts.classes,
        "true_labels": parts.true_labels,
        "label_column": source.label_column,
        "id_column": source.id_column,
        "image_column": examples.image_column,
        "text_column": examples.text_column,
        "delimiter": source.delimiter if source.format == "csv" else None,
        "labels_are": labels.style,
    }
    return {k: v for k, v in understood.items() if v is not None} | options.given()
