"""Which class each label means: by id, by name or by index, never by a silent guess."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from curation.core.matrix import IntArray
from curation.loading.labels.class_list import Classes
from curation.loading.labels.classes_from_labels import list_classes
from curation.loading.labels.label_cells import (
    Cells,
    as_spelled,
    as_whole,
    find_unlabelled,
    is_minus_one,
    is_whole,
    name_rows,
    note_unlabelled,
    stop_if_minus_one_is_a_class,
    strip_brackets,
    whole_numbers,
    without_brackets,
    without_spaces,
)
from curation.loading.labels.label_styles import index_by_style, match_labels
from curation.loading.overrides import LABEL_STYLES
from curation.loading.report_builder import ReportBuilder, list_few, stop

NAMELESS = "LABEL_"


@dataclass(frozen=True)
class Labels:
    """Class indices, -1 where a row has no label; and how each class is written in the file."""

    codes: IntArray
    classes: Classes
    values: tuple[str, ...]
    style: str


def read_labels(
    cells: Cells,
    report: ReportBuilder,
    *,
    classes: Classes | None,
    num_columns: int | None,
    style: str | None = None,
    shift: int = 0,
) -> Labels:
    """Return the class of each row.

    With a list of classes, all labels are ids, or all names, or all indices of that list.
    Without a list, whole numbers are column indices, and words are numbered in sorted order.
    """
    encoded = _encode(cells)
    written: list[str] = encoded.dictionary.to_pylist()
    known = set(classes.names) | set(classes.ids) if classes is not None else set()
    missing = find_unlabelled(written, known)
    if shift > 0:
        missing = {each for each in missing if not is_minus_one(each)}  # a class, once shifted
    labels = {text: _shifted(text, shift, cells) for text in written if text not in missing}
    if not labels:
        raise _no_labels(cells)
    labels = _normalize(labels, known, cells, report)
    if style != "index" and any(map(is_minus_one, missing)):
        wide = num_columns if classes is None else len(classes)
        stop_if_minus_one_is_a_class(labels, missing, wide, classes, cells)
    if classes is None:
        classes = list_classes(labels, num_columns, cells, report)
    style, index_of = match_labels(labels, classes, style, cells, report)
    codes = _codes(encoded, written, index_of)
    note_unlabelled(codes, cells, report)
    return Labels(codes, classes, _values(classes, index_of, style, shift), style)


def _encode(cells: Cells) -> Any:
    """Return each distinct cell once, and which of them each row holds."""
    encoded = pc.dictionary_encode(cells.values.combine_chunks())
    return encoded.combine_chunks() if isinstance(encoded, pa.ChunkedArray) else encoded


def _no_labels(cells: Cells) -> Exception:
    return stop(
        code="labels.none",
        where=cells.where,
        what=f"none of the {len(cells.values)} rows has a label.",
        fix="Pass the column that holds the labels as label_column.",
        why="There is nothing to check.",
        count=len(cells.values),
    )


def _normalize(
    labels: dict[str, str], known: set[str], cells: Cells, report: ReportBuilder
) -> dict[str, str]:
    """Return labels in the form of the classes: without brackets and spaces, and 1.0 as 1."""
    for clean in (without_brackets, without_spaces, as_spelled):
        labels = clean(labels, known, cells, report)
    return whole_numbers(_without_prefix(labels, known), known, cells, report)


def _without_prefix(labels: dict[str, str], known: set[str]) -> dict[str, str]:
    """Return labels such as LABEL_0 as 0: transformers writes these if classes have no names."""
    if not known or not known.isdisjoint(labels.values()):
        return labels
    numbers = {text: label.removeprefix(NAMELESS) for text, label in labels.items()}
    plain = all(label.startswith(NAMELESS) for label in labels.values())
    return numbers if plain and all(map(is_whole, numbers.values())) else labels


def _shifted(text: str, shift: int, cells: Cells) -> str:
    if not shift:
        return text
    number = as_whole(text)
    if number is None:
        rows = cells.rows_of([text])
        raise stop(
            code="labels.shift",
            where=cells.where,
            what=f"shift_labels={shift} needs whole numbers, but a label is {text!r}.",
            fix="Leave shift_labels out.",
            why="A number cannot be added to a word.",
            count=len(rows),
            first_rows=name_rows(rows),
        )
    return str(int(number) + shift)


def _codes(encoded: Any, written: Sequence[str], index_of: Mapping[str, int]) -> IntArray:
    lookup = np.array([*(index_of.get(text, -1) for text in written), -1], dtype=np.int64)
    places = encoded.indices.fill_null(len(written)).to_numpy(zero_copy_only=False)
    return np.asarray(lookup[places])


def _values(
    classes: Classes, index_of: Mapping[str, int], style: str, shift: int
) -> tuple[str, ...]:
    """Return how the file writes each class; one that never occurs is written like the others."""
    in_style = {"id": classes.ids, "name": classes.names}.get(style)
    values = list(in_style or (str(place) for place in range(len(classes))))
    if shift:
        values = [str(int(each) - shift) if is_whole(each) else each for each in values]
    for written, place in reversed(list(index_of.items())):
        values[place] = written
    return tuple(values)


def index_labels(cells: Cells, labels: Labels, report: ReportBuilder) -> IntArray:
    """Return the classes of another column of labels; -1 where it names none, with a warning."""
    encoded = _encode(cells)
    written: list[str] = encoded.dictionary.to_pylist()
    classes = labels.classes
    missing = find_unlabelled(written, set(classes.names) | set(classes.ids))
    whole = {text: number for text in written if (number := as_whole(text))}
    readings = [{text: labels.values.index(text) for text in written if text in labels.values}]
    for style in dict.fromkeys((labels.style, *LABEL_STYLES)):
        index_of = index_by_style(classes, style)
        places = {text: index_of.get(text, index_of.get(whole.get(text, ""))) for text in written}
        readings.append({text: place for text, place in places.items() if place is not None})
    best = max(readings, key=len)  # the first one wins: the way the given labels are written
    unknown = sorted(set(written) - set(best) - missing)
    if unknown:
        rows = cells.rows_of(unknown)
        report.add_warning(
            code="true_labels.unknown",
            where=cells.where,
            what=f"true labels without a class: {list_few(unknown)}; they are treated as unknown.",
            fix=f"Write them as {classes.where} names the classes.",
            why="Counts of right and wrong findings leave out these examples.",
            count=len(rows),
            first_rows=name_rows(rows),
        )
    return _codes(encoded, written, best)


def distinct_labels(cells: Cells) -> frozenset[str]:
    """Return the distinct labels, with 1.0 as 1 and without cells that mean "no label".

    -1 counts if only one other label is left: then it may be one of two classes, and `read_labels`
    asks.
    """
    written = [each for each in pc.unique(cells.values).to_pylist() if each is not None]
    labels = set(written) - find_unlabelled(written, set())
    if len(labels) == 1:
        labels |= set(filter(is_minus_one, written))
    labels = set((strip_brackets({each: each for each in labels}) or {}).values()) or labels
    whole = [as_whole(label) for label in labels]
    if all(whole):
        return frozenset(each for each in whole if each)
    return frozenset(labels)
