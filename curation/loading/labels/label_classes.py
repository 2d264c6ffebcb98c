"""Which class each label means: by id, by name or by index, never by a silent guess."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from curation.core.matrix import IntArray
from curation.loading.labels.class_list import Classes, make_classes
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
from curation.loading.overrides import LABEL_STYLES
from curation.loading.report_builder import ReportBuilder, list_few, stop
from curation.report import FIRST_ROWS

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
    encoded = pc.dictionary_encode(cells.values.combine_chunks())
    if isinstance(encoded, pa.ChunkedArray):
        encoded = encoded.combine_chunks()
    written: list[str] = encoded.dictionary.to_pylist()
    known = set(classes.names) | set(classes.ids) if classes is not None else set()
    missing = find_unlabelled(written, known)
    if shift > 0:
        missing = {each for each in missing if not is_minus_one(each)}  # a class, once shifted
    labels = {text: _shifted(text, shift, cells) for text in written if text not in missing}
    if not labels:
        raise stop(
            code="labels.none",
            where=cells.where,
            what=f"none of the {len(cells.values)} rows has a label.",
            fix="Pass the column that holds the labels as label_column.",
            why="There is nothing to check.",
            count=len(cells.values),
        )
    labels = without_brackets(labels, known, cells, report)
    labels = as_spelled(without_spaces(labels, known, cells, report), known, cells, report)
    labels = whole_numbers(_without_prefix(labels, known), known, cells, report)
    if style != "index" and any(map(is_minus_one, missing)):
        wide = num_columns if classes is None else len(classes)
        stop_if_minus_one_is_a_class(labels, missing, wide, classes, cells)
    if classes is None:
        classes = _classes_of(labels, num_columns, cells, report)
    style, index_of = _match(labels, classes, style, cells, report)
    codes = _codes(encoded, written, index_of)
    note_unlabelled(codes, cells, report)
    return Labels(codes, classes, _values(classes, index_of, style, shift), style)


def _without_prefix(labels: dict[str, str], known: set[str]) -> dict[str, str]:
    """Return labels such as LABEL_0 as 0: so transformers calls classes without names."""
    if not known or not known.isdisjoint(labels.values()):
        return labels
    numbers = {text: label.removeprefix(NAMELESS) for text, label in labels.items()}
    plain = all(label.startswith(NAMELESS) for label in labels.values())
    return numbers if plain and all(map(is_whole, numbers.values())) else labels


def distinct_labels(cells: Cells) -> frozenset[str]:
    """Return the distinct labels, with 1.0 as 1 and without cells that mean "no label".

    -1 counts if a single label is left without it: then it may be one of two classes, which
    `read_labels` asks.
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


def index_labels(cells: Cells, labels: Labels, report: ReportBuilder) -> IntArray:
    """Return the classes of another column of labels; -1 where it names none, with a warning."""
    encoded = pc.dictionary_encode(cells.values.combine_chunks())
    written: list[str] = encoded.dictionary.to_pylist()
    classes = labels.classes
    missing = find_unlabelled(written, set(classes.names) | set(classes.ids))
    whole = {text: number for text in written if (number := as_whole(text))}
    readings = [{text: labels.values.index(text) for text in written if text in labels.values}]
    for style in dict.fromkeys((labels.style, *LABEL_STYLES)):
        index_of = _index_by_style(classes, style)
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


def _classes_of(
    labels: Mapping[str, str], num_columns: int | None, cells: Cells, report: ReportBuilder
) -> Classes:
    """Return the classes if no list was given: indices of columns, or the sorted labels."""
    where = cells.where
    distinct = set(labels.values())
    if not all(map(is_whole, distinct)):
        return _sorted_classes(sorted(distinct), num_columns, where)
    numbers = sorted(int(label) for label in distinct)
    wide = num_columns or numbers[-1] + 1
    if numbers[0] >= 0 and numbers[-1] < wide:
        return make_classes(range(wide), where)
    _stop_if_counted_from_one(numbers, wide, where)
    names = [str(number) for number in numbers]
    if numbers[0] <= 0 or len(numbers) != wide:
        raise _no_such_column(labels, numbers, wide, cells)
    report.add_warning(
        code="labels.order_guessed",
        where=where,
        what=f"the labels {list_few(names)} are assigned to the {wide} columns, in that order.",
        fix="List the classes in classes.txt, one per line, in the order of the columns.",
        why="If the columns are in another order, every suggestion is wrong.",
        override={"classes": names},
    )
    return make_classes(names, where)


def _sorted_classes(names: list[str], num_columns: int | None, where: str) -> Classes:
    if num_columns is not None and len(names) != num_columns:
        raise stop(
            code="labels.classes_unknown",
            where=where,
            what=f"the labels have {len(names)} classes ({list_few(names)}), but the probabilities "
            f"have {num_columns} columns.",
            fix=_advise_names(names)
            or f"List the {num_columns} classes in classes.txt, one per line, in the order of the "
            "columns.",
            why="It is unclear which column belongs to which class.",
        )
    return make_classes(names, where)


def _advise_names(names: Sequence[str]) -> str:
    """Return what to do about labels that are no classes, or the same class in another spelling.

    >>> _advise_names(["NA", "cat"])
    "If 'NA' means that there is no label, leave these cells empty."
    >>> _advise_names(["Cat", "cat", "dog"])
    "If 'Cat' and 'cat' are one class, write them alike."
    """
    blank = [name for name in names if name.strip().lower() in ("na", "nan", "n/a", "null", "none")]
    if blank:
        return f"If {list_few(blank)} means that there is no label, leave these cells empty."
    folded: dict[str, list[str]] = {}
    for name in names:
        folded.setdefault(name.strip().casefold(), []).append(name)
    twice = next((each for each in folded.values() if len(each) > 1), None)
    pair = "" if twice is None else " and ".join(map(repr, twice[:2]))
    return f"If {pair} are one class, write them alike." if pair else ""


def _stop_if_counted_from_one(numbers: Sequence[int], wide: int, where: str) -> None:
    if numbers[0] == 1 and numbers[-1] == wide:
        raise stop(
            code="labels.one_indexed",
            where=where,
            what=f"labels are 1..{wide}; 0 never occurs. Subtract 1?",
            fix="Pass shift_labels=-1 if they are counted from 1.",
            why="Otherwise each label would be read as the class after it.",
            override={"shift_labels": -1},
        )


def _no_such_column(
    labels: Mapping[str, str], numbers: Sequence[int], wide: int, cells: Cells
) -> Exception:
    outside = [number for number in numbers if not 0 <= number < wide]
    rows = cells.rows_of(each for each, label in labels.items() if not 0 <= int(label) < wide)
    offer = {"classes": [str(number) for number in numbers]} if len(numbers) == wide else {}
    return stop(
        code="labels.outside",
        where=cells.where,
        what=f"labels without a class: {list_few(outside)}; the {wide} classes are 0 to "
        f"{wide - 1}.",
        fix="Number the classes from 0 in the order of the columns, or list them in classes.txt.",
        why="The model has no probability for such a label.",
        count=len(rows),
        first_rows=name_rows(rows),
        override=offer,
    )


def _match(
    labels: Mapping[str, str],
    classes: Classes,
    style: str | None,
    cells: Cells,
    report: ReportBuilder,
) -> tuple[str, dict[str, int]]:
    """Return whether labels are ids, names or indices, and the class of each written label."""
    distinct, where = set(labels.values()), cells.where
    styles = LABEL_STYLES if classes.ids != classes.names else LABEL_STYLES[1:]
    fitting = [each for each in styles if distinct <= set(_index_by_style(classes, each))]
    for each in [style] if style else fitting:
        index_of = _index_by_style(classes, each)
        if distinct <= set(index_of):
            if index_of == _index_by_style(classes, "index"):
                _warn_if_counted_from_one(distinct, len(classes), where, report)
                if style is None and each == "index":
                    _report_positions(classes, where, report)
            return each, {written: index_of[label] for written, label in labels.items()}
    if style is not None and fitting:
        raise _other_style(labels, classes, style, fitting[0], cells)
    if all(map(is_whole, distinct)):
        numbers = sorted(int(label) for label in distinct)
        if classes.names != classes.ids or not any(map(is_whole, classes.names)):
            _stop_if_counted_from_one(numbers, len(classes), where)
    raise _unknown_labels(labels, classes, cells)


def _report_positions(classes: Classes, where: str, report: ReportBuilder) -> None:
    """Report which class each number means; warn if the names are numbers themselves."""
    pairs = [f"{place} = {name}" for place, name in enumerate(classes.names)]
    words = f"the labels are read as positions in {classes.where}: {', '.join(pairs[:FIRST_ROWS])}"
    words += f" and {len(pairs) - FIRST_ROWS} more." if len(pairs) > FIRST_ROWS else "."
    if all(map(is_whole, classes.names)):
        report.add_warning(
            code="labels.positions",
            where=where,
            what=words,
            fix='Pass labels_are="index" if that is right; otherwise write the labels as the '
            "classes are named.",
            why="The class names are numbers too, so a label may mean the class with that name.",
            override={"labels_are": "index"},
        )
    elif classes.by_header:
        report.add_auto_fix(
            code="labels.positions",
            where=where,
            what=words,
            fix="If the numbers mean other classes, list the classes in classes.txt in the order "
            "of the numbers.",
            why="The labels are numbers and the columns are words, so only their order connects "
            "them.",
        )


def _other_style(
    labels: Mapping[str, str], classes: Classes, expected: str, found: str, cells: Cells
) -> Exception:
    """Return the stop for labels that are not written as `labels_are` says."""
    known = _index_by_style(classes, expected)
    odd = {written: label for written, label in labels.items() if label not in known}
    rows = cells.rows_of(odd)
    words = {"id": "class ids", "name": "class names", "index": "indices of the classes"}
    return stop(
        code="labels.style",
        where=cells.where,
        what=f"labels_are is {expected!r}, but {list_few(sorted(odd.values()))} are not "
        f"{words[expected]}; all labels are {words[found]}.",
        fix=f"Pass labels_are={found!r}, or leave it out.",
        why="A setting is never overruled by a guess.",
        count=len(rows),
        first_rows=name_rows(rows),
        override={"labels_are": found},
    )


def _index_by_style(classes: Classes, style: str) -> dict[str, int]:
    if style == "index":
        return {str(place): place for place in range(len(classes))}
    every = classes.ids if style == "id" else classes.names
    if style == "name" and len(set(every)) < len(every):
        names = [name for name in every if every.count(name) == 1]
        return {name: every.index(name) for name in names}
    return {each: place for place, each in enumerate(every)}


def _unknown_labels(labels: Mapping[str, str], classes: Classes, cells: Cells) -> Exception:
    distinct = set(labels.values())
    unknown = sorted(distinct - set(classes.ids) - set(classes.names))
    if not unknown:  # known, but shared by two classes, or a mix of ids and names
        shared = sorted(d for d in distinct if classes.names.count(d) > 1)
        return _ambiguous(labels, shared, classes, cells)
    rows = cells.rows_of(each for each, label in labels.items() if label in set(unknown))
    return stop(
        code="labels.unknown",
        where=cells.where,
        what=f"labels without a class: {list_few(unknown)}; the {len(classes)} classes of "
        f"{classes.where} are {list_few(classes.ids)}.",
        fix="Correct these labels, or add the classes to the list.",
        why="The model has no probability for such a label.",
        count=len(rows),
        first_rows=name_rows(rows),
    )


def _ambiguous(
    labels: Mapping[str, str], shared: Sequence[str], classes: Classes, cells: Cells
) -> Exception:
    rows = cells.rows_of(each for each, label in labels.items() if not shared or label in shared)
    what = f"two classes share each of these names: {list_few(shared)}."
    return stop(
        code="labels.ambiguous",
        where=cells.where,
        what=what if shared else "some labels are class ids and others are class names.",
        fix=f"Write the class ids of {classes.where} in every row.",
        why="It is unclear which class is meant.",
        count=len(rows),
        first_rows=name_rows(rows),
    )


def _warn_if_counted_from_one(
    distinct: set[str], wide: int, where: str, report: ReportBuilder
) -> None:
    numbers = sorted(int(label) for label in distinct)
    if wide > 2 and numbers[0] == 1 and numbers[-1] == wide - 1 and len(numbers) >= wide / 2:
        report.add_warning(
            code="labels.one_indexed",
            where=where,
            what=f"labels are 1..{wide - 1}; 0 never occurs, although there are {wide} columns.",
            fix="Pass shift_labels=-1 if they are counted from 1.",
            why="With a spare column, nothing else shows that each label is read as the class "
            "after it.",
            override={"shift_labels": -1},
        )


def _codes(encoded: Any, written: Sequence[str], index_of: Mapping[str, int]) -> IntArray:
    lookup = np.array([*(index_of.get(text, -1) for text in written), -1], dtype=np.int64)
    places = encoded.indices.fill_null(len(written)).to_numpy(zero_copy_only=False)
    return np.asarray(lookup[places])


def _find_around(written: str, label: str) -> tuple[str, str] | None:
    """Return what stands before and behind a label where it is written; None if it is not in it.

    >>> _find_around("['cat']", "cat"), _find_around("LABEL_0", "0"), _find_around("Cat", "cat")
    (("['", "']"), ('LABEL_', ''), None)
    """
    before, found, behind = written.partition(label) if label else ("", "", "")
    return (before, behind) if found else None


def _values(
    classes: Classes, index_of: Mapping[str, int], style: str, shift: int
) -> tuple[str, ...]:
    """Return how the file writes each class; a class that never occurs follows the others."""
    in_style = {"id": classes.ids, "name": classes.names}.get(style)
    values = list(in_style or (str(place) for place in range(len(classes))))
    if shift:
        values = [str(int(each) - shift) if is_whole(each) else each for each in values]
    around = {_find_around(written, values[place]) for written, place in index_of.items()}
    if len(around) == 1 and (pair := around.pop()) is not None:
        values = [each.join(pair) for each in values]
    for written, place in reversed(list(index_of.items())):
        values[place] = written
    return tuple(values)
