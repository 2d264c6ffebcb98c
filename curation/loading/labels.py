"""Label cells to class indices: by id, by name or by index, and never by a silent guess."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from curation.core.matrix import IntArray
from curation.dataset import LabelKind
from curation.loading.classes import Classes, make_classes
from curation.loading.notes import Notes, listing, stop
from curation.report import FIRST_ROWS

UNLABELLED = frozenset({"", "unlabeled", "unlabelled"})  # and -1, however it is written
# What programs write for a missing number. Among words these are words: a class may be called NA.
NOT_A_NUMBER = frozenset({"nan", "na", "n/a", "none", "null", "<na>"})
STYLES = ("id", "name", "index")
_WHOLE = re.compile(r"(-?(?:0|[1-9][0-9]{0,17}))(\.0*)?")
_SCIENTIFIC = re.compile(r"-?[0-9](?:\.[0-9]*)?[eE][-+]?[0-9]{1,2}")  # as np.savetxt writes


@dataclass(frozen=True)
class Cells:
    """A column of labels as text, null where the file has nothing, and where it stands."""

    values: pa.ChunkedArray
    kind: LabelKind
    where: str

    def rows_of(self, texts: Iterable[str]) -> IntArray:
        """Return the rows whose cell is one of these texts."""
        wanted = pa.array(list(texts), pa.string())
        found = pc.is_in(self.values, value_set=wanted).to_numpy()
        return np.flatnonzero(found)


@dataclass(frozen=True)
class Labels:
    """Class indices, -1 where a row has no label; and how each class is written in the file."""

    codes: IntArray
    classes: Classes
    values: tuple[str, ...]
    style: str


def read_labels(
    cells: Cells,
    notes: Notes,
    *,
    classes: Classes | None,
    num_columns: int | None,
    style: str | None = None,
    shift: int = 0,
) -> Labels:
    """Return the class of each row.

    With a list of classes a label is one of their ids, names or indices, all labels alike.
    Without one, whole numbers are indices of the probability columns, and words are sorted.
    """
    encoded = pc.dictionary_encode(cells.values.combine_chunks())
    if isinstance(encoded, pa.ChunkedArray):
        encoded = encoded.combine_chunks()
    written: list[str] = encoded.dictionary.to_pylist()
    known = set(classes.names) | set(classes.ids) if classes is not None else set()
    missing = _find_unlabelled(written, known)
    if shift > 0:
        missing = {each for each in missing if not _is_minus_one(each)}  # shifted, it is a class
    labels = {text: _shifted(text, shift, cells) for text in written if text not in missing}
    if not labels:
        raise stop(
            "labels.none",
            cells.where,
            f"none of the {len(cells.values)} rows has a label.",
            "Point label_column at the column that holds the labels.",
            why="There is nothing to judge.",
            count=len(cells.values),
        )
    labels = _without_blanks(labels, known, cells, notes)
    labels = _whole_numbers(labels, known, cells, notes)
    if style is None and any(map(_is_minus_one, missing)):
        wide = num_columns if classes is None else len(classes)
        _stop_if_minus_one_is_a_class(labels, missing, wide, classes, cells)
    if classes is None:
        classes = _classes_of(labels, num_columns, cells, notes)
    style, index_of = _match(labels, classes, style, cells, notes)
    codes = _codes(encoded, written, index_of)
    _note_unlabelled(codes, cells, notes)
    return Labels(codes, classes, _values(classes, index_of, style, shift), style)


def is_whole(text: str) -> bool:
    """Tell whether a label is a whole number.

    >>> is_whole("12"), is_whole("1.0"), is_whole("1.00e+00"), is_whole("cat"), is_whole("007")
    (True, True, True, False, False)
    """
    return as_whole(text) is not None


def as_whole(text: str) -> str | None:
    """Return a whole number in its plainest form; None for anything else.

    >>> as_whole("1.0"), as_whole("1.20e+01"), as_whole("1.25e+01"), as_whole("cat")
    ('1', '12', None, None)
    """
    if match := _WHOLE.fullmatch(text):
        return match[1]
    if _SCIENTIFIC.fullmatch(text) and float(text).is_integer() and abs(float(text)) < 2**53:
        return str(int(float(text)))
    return None


def distinct_labels(cells: Cells) -> frozenset[str]:
    """Return the labels that occur, 1.0 as 1, without what stands for none."""
    written = [each for each in pc.unique(cells.values).to_pylist() if each is not None]
    labels = set(written) - _find_unlabelled(written, set())
    whole = [as_whole(label) for label in labels]
    if all(whole):
        return frozenset(each for each in whole if each)
    return frozenset(labels)


def index_labels(cells: Cells, labels: Labels, notes: Notes) -> IntArray:
    """Return the classes of another column of labels; -1 where it names none, with a warning."""
    encoded = pc.dictionary_encode(cells.values.combine_chunks())
    written: list[str] = encoded.dictionary.to_pylist()
    classes = labels.classes
    missing = _find_unlabelled(written, set(classes.names) | set(classes.ids))
    whole = {text: number for text in written if (number := as_whole(text))}
    readings = [{text: labels.values.index(text) for text in written if text in labels.values}]
    for style in dict.fromkeys((labels.style, *STYLES)):
        index_of = _index_by_style(classes, style)
        places = {text: index_of.get(text, index_of.get(whole.get(text, ""))) for text in written}
        readings.append({text: place for text, place in places.items() if place is not None})
    best = max(readings, key=len)  # the first of equals: written as the given labels are
    unknown = sorted(set(written) - set(best) - missing)
    if unknown:
        rows = cells.rows_of(unknown)
        notes.warn(
            "true_labels.unknown",
            cells.where,
            f"true labels without a class: {listing(unknown)}; they count as not known.",
            f"Write them as {classes.where} names the classes.",
            why="What is said about right and wrong findings leaves these examples out.",
            count=len(rows),
            rows=_name_rows(rows),
        )
    return _codes(encoded, written, best)


def _find_unlabelled(written: Sequence[str], known: set[str]) -> set[str]:
    missing = {each for each in written if each.strip().lower() in UNLABELLED - known} - known
    if "-1" not in known:
        missing |= set(filter(_is_minus_one, written)) - known
    others = [each for each in written if each not in missing]
    words = {each for each in others if each.strip().lower() in NOT_A_NUMBER} - known
    if words and len(words) < len(others) and all(_is_number(e) for e in others if e not in words):
        missing |= words
    return missing


def _is_minus_one(text: str) -> bool:
    return as_whole(text.strip()) == "-1"


def _stop_if_minus_one_is_a_class(
    labels: Mapping[str, str],
    missing: set[str],
    wide: int | None,
    classes: Classes | None,
    cells: Cells,
) -> None:
    """Stop if there are as many columns as labels with -1 among them: it may be one of three."""
    distinct = set(labels.values())
    if len(distinct) + 1 != wide or not all(map(is_whole, distinct)):
        return
    if classes is not None and distinct <= {*classes.names, *classes.ids}:
        return  # the list names these numbers, and not -1
    numbers = [-1, *sorted(int(label) for label in distinct)]
    offer: dict[str, Any] = {}
    if classes is None:
        offer = {"classes": [str(number) for number in numbers]}
    elif numbers[-1] == wide - 2:
        offer = {"shift_labels": 1}
    rows = cells.rows_of(each for each in missing if _is_minus_one(each))
    asked = " and ".join(f"{key}={value!r}" for key, value in offer.items())
    raise stop(
        "labels.minus_one",
        cells.where,
        f"is -1 a class or no label? With it there are {wide} labels ({listing(numbers)}), as "
        f"many as {'columns' if classes is None else 'classes'}.",
        (f"Pass {asked} if -1 is a class" if offer else "Write class names if -1 is a class")
        + ', or labels_are="index" if it means no label.',
        why="Taken for no label, all rows of that class are left out and the others belong to "
        "other columns.",
        count=len(rows),
        rows=_name_rows(rows),
        override=offer,
    )


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _shifted(text: str, shift: int, cells: Cells) -> str:
    if not shift:
        return text
    number = as_whole(text)
    if number is None:
        rows = cells.rows_of([text])
        raise stop(
            "labels.shift",
            cells.where,
            f"shift_labels={shift} needs whole numbers, and a label is {text!r}.",
            "Leave shift_labels out.",
            why="Nothing can be added to a word.",
            count=len(rows),
            rows=_name_rows(rows),
        )
    return str(int(number) + shift)


def _without_blanks(
    labels: dict[str, str], known: set[str], cells: Cells, notes: Notes
) -> dict[str, str]:
    """Return labels without the blanks around them, if only so they are classes or numbers."""
    stripped = {written: label.strip() for written, label in labels.items()}
    distinct = set(stripped.values())
    if stripped == labels or set(labels.values()) <= known:
        return labels
    if not distinct <= known and not all(map(is_whole, distinct)):
        return labels
    changed = cells.rows_of(each for each in labels if stripped[each] != labels[each])
    notes.auto(
        "labels.blanks",
        cells.where,
        "blanks around labels are overlooked.",
        "If a class is written with them, list the classes in classes.txt as they are written.",
        why="People write a blank after the comma, and mean none.",
        count=len(changed),
        rows=_name_rows(changed),
    )
    return stripped


def _whole_numbers(
    labels: dict[str, str], known: set[str], cells: Cells, notes: Notes
) -> dict[str, str]:
    """Return labels such as 1.0 as 1, if all are numbers; stop at 1.5."""
    if set(labels.values()) <= known:
        return labels
    numbers = {written: as_whole(label) for written, label in labels.items()}
    if all(numbers.values()):
        whole = {written: number for written, number in numbers.items() if number}
        if whole != labels:
            changed = cells.rows_of(each for each in labels if whole[each] != labels[each])
            notes.auto(
                "labels.whole",
                cells.where,
                "labels such as 1.0 were read as 1.",
                "If 1.0 and 1 are names of two classes, list them in classes.txt.",
                why="Programs write whole numbers so where a cell of the column is missing.",
                count=len(changed),
                rows=_name_rows(changed),
            )
        return whole
    parts = [label for label in labels.values() if not is_whole(label)]
    if all(_is_number(label) and not label.lstrip("-").startswith("0") for label in parts):
        fractions = [label for label in parts if "." in label]
        if fractions and all(_is_number(label) for label in labels.values()):
            rows = cells.rows_of(each for each, label in labels.items() if label in fractions)
            raise stop(
                "labels.fraction",
                cells.where,
                f"labels that are not whole numbers: {listing(sorted(fractions))}.",
                "Classes are whole numbers or names. If these are names, list them in classes.txt.",
                why="Between two classes there is none; these may be measurements, not labels.",
                count=len(rows),
                rows=_name_rows(rows),
            )
    return labels


def _classes_of(
    labels: Mapping[str, str], num_columns: int | None, cells: Cells, notes: Notes
) -> Classes:
    """Return classes where no list was given: indices of columns, or the sorted labels."""
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
    notes.warn(
        "labels.order_guessed",
        where,
        f"the labels {listing(names)} are taken for the {wide} columns, in that order.",
        "List the classes in classes.txt, one a line, in the order of the columns.",
        why="If the columns are in another order, every suggestion is wrong.",
        override={"classes": names},
    )
    return make_classes(names, where)


def _sorted_classes(names: list[str], num_columns: int | None, where: str) -> Classes:
    if num_columns is not None and len(names) != num_columns:
        raise stop(
            "labels.classes_unknown",
            where,
            f"{len(names)} classes occur among the labels ({listing(names)}), and the "
            f"probabilities have {num_columns} columns.",
            f"List the {num_columns} classes in classes.txt, one a line, in the order of the "
            "columns.",
            why="Which column belongs to which class cannot be told.",
        )
    return make_classes(names, where)


def _stop_if_counted_from_one(numbers: Sequence[int], wide: int, where: str) -> None:
    if numbers[0] == 1 and numbers[-1] == wide:
        raise stop(
            "labels.one_indexed",
            where,
            f"labels are 1..{wide}; 0 never occurs. Subtract 1?",
            "Pass shift_labels=-1 if they are counted from 1.",
            why="Each label would be read as the class after it.",
            override={"shift_labels": -1},
        )


def _no_such_column(
    labels: Mapping[str, str], numbers: Sequence[int], wide: int, cells: Cells
) -> Exception:
    outside = [number for number in numbers if not 0 <= number < wide]
    rows = cells.rows_of(each for each, label in labels.items() if not 0 <= int(label) < wide)
    offer = {"classes": [str(number) for number in numbers]} if len(numbers) == wide else {}
    return stop(
        "labels.outside",
        cells.where,
        f"labels without a class: {listing(outside)}; there are {wide} classes, 0 to {wide - 1}.",
        "Number the classes from 0 in the order of the columns, or list them in classes.txt.",
        why="The model has no probability for such a label.",
        count=len(rows),
        rows=_name_rows(rows),
        override=offer,
    )


def _match(
    labels: Mapping[str, str], classes: Classes, style: str | None, cells: Cells, notes: Notes
) -> tuple[str, dict[str, int]]:
    """Return how labels are written, and the class of each way of writing one."""
    distinct, where = set(labels.values()), cells.where
    styles = STYLES if classes.ids != classes.names else STYLES[1:]
    fitting = [each for each in styles if distinct <= set(_index_by_style(classes, each))]
    for each in [style] if style else fitting:
        index_of = _index_by_style(classes, each)
        if distinct <= set(index_of):
            if index_of == _index_by_style(classes, "index"):
                _warn_if_counted_from_one(distinct, len(classes), where, notes)
                if style is None and each == "index":
                    _say_places(classes, where, notes)
            return each, {written: index_of[label] for written, label in labels.items()}
    if style is not None and fitting:
        raise _other_style(labels, classes, style, fitting[0], cells)
    if all(map(is_whole, distinct)):
        numbers = sorted(int(label) for label in distinct)
        if classes.names != classes.ids or not any(map(is_whole, classes.names)):
            _stop_if_counted_from_one(numbers, len(classes), where)
    raise _unknown_labels(labels, classes, cells)


def _say_places(classes: Classes, where: str, notes: Notes) -> None:
    """Say which class each number is; warn where the names are other numbers."""
    pairs = [f"{place} = {name}" for place, name in enumerate(classes.names)]
    words = f"the labels are taken for places in {classes.where}: {', '.join(pairs[:FIRST_ROWS])}"
    words += f" and {len(pairs) - FIRST_ROWS} more." if len(pairs) > FIRST_ROWS else "."
    if all(map(is_whole, classes.names)):
        notes.warn(
            "labels.places",
            where,
            words,
            'Pass labels_are="index" if that is so; else write the labels as the classes are '
            "named.",
            why="The classes are called by numbers too, and a label may mean the class of its own "
            "name.",
            override={"labels_are": "index"},
        )
    elif classes.by_header:
        notes.auto(
            "labels.places",
            where,
            words,
            "If the numbers mean other classes, list the classes in classes.txt in the order of "
            "the numbers.",
            why="The labels are numbers and the columns are words: only their order joins them.",
        )


def _other_style(
    labels: Mapping[str, str], classes: Classes, asked: str, found: str, cells: Cells
) -> Exception:
    """Return the stop for labels that are not written as a person said they are."""
    known = _index_by_style(classes, asked)
    odd = {written: label for written, label in labels.items() if label not in known}
    rows = cells.rows_of(odd)
    words = {"id": "class ids", "name": "class names", "index": "indices of the classes"}
    return stop(
        "labels.style",
        cells.where,
        f"labels_are={asked!r} was said, but {listing(sorted(odd.values()))} are no "
        f"{words[asked]}; all labels are {words[found]}.",
        f"Pass labels_are={found!r}, or leave it out.",
        why="What a person says about a file is never overruled by a guess.",
        count=len(rows),
        rows=_name_rows(rows),
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
    if not unknown:  # known, but as a name that two classes have, or some as ids, some as names
        shared = sorted(d for d in distinct if classes.names.count(d) > 1)
        return _ambiguous(labels, shared, classes, cells)
    rows = cells.rows_of(each for each, label in labels.items() if label in set(unknown))
    return stop(
        "labels.unknown",
        cells.where,
        f"labels without a class: {listing(unknown)}; the {len(classes)} classes of "
        f"{classes.where} are {listing(classes.ids)}.",
        "Correct these labels, or add the classes to the list.",
        why="The model has no probability for such a label.",
        count=len(rows),
        rows=_name_rows(rows),
    )


def _ambiguous(
    labels: Mapping[str, str], shared: Sequence[str], classes: Classes, cells: Cells
) -> Exception:
    rows = cells.rows_of(each for each, label in labels.items() if not shared or label in shared)
    what = f"labels that two classes share as a name: {listing(shared)}."
    return stop(
        "labels.ambiguous",
        cells.where,
        what if shared else "some labels are class ids and others are class names.",
        f"Write the class ids of {classes.where} in every row.",
        why="Which class is meant cannot be told.",
        count=len(rows),
        rows=_name_rows(rows),
    )


def _warn_if_counted_from_one(distinct: set[str], wide: int, where: str, notes: Notes) -> None:
    numbers = sorted(int(label) for label in distinct)
    if wide > 2 and numbers[0] == 1 and numbers[-1] == wide - 1 and len(numbers) >= wide / 2:
        notes.warn(
            "labels.one_indexed",
            where,
            f"labels are 1..{wide - 1}; 0 never occurs, though there are {wide} columns.",
            "Pass shift_labels=-1 if they are counted from 1.",
            why="A spare column hides it when each label is read as the class after it.",
            override={"shift_labels": -1},
        )


def _codes(encoded: Any, written: Sequence[str], index_of: Mapping[str, int]) -> IntArray:
    lookup = np.array([*(index_of.get(text, -1) for text in written), -1], dtype=np.int64)
    places = encoded.indices.fill_null(len(written)).to_numpy(zero_copy_only=False)
    return np.asarray(lookup[places])


def _note_unlabelled(codes: IntArray, cells: Cells, notes: Notes) -> None:
    rows = np.flatnonzero(codes < 0)
    if not len(rows):
        notes.ok("every row has a label")
        return
    cells_there = pc.take(cells.values.combine_chunks(), pa.array(rows)).to_pylist()
    counts = Counter(map(_say_cell, cells_there)).most_common(FIRST_ROWS)
    written = ", ".join(f"{cell} in {count:,}" for cell, count in counts)
    notes.warn(
        "labels.unlabelled",
        cells.where,
        f"{len(rows)} of {len(codes)} rows "
        + ("has no label" if len(rows) == 1 else "have no label")
        + f" ({written}); "
        + ("it is" if len(rows) == 1 else "they are")
        + " left out of scoring.",
        "Label them, or leave it so: exports keep these rows as they are.",
        why="A missing label is neither right nor wrong, and is no class of its own.",
        count=len(rows),
        rows=_name_rows(rows),
    )


def _say_cell(value: str | None) -> str:
    return repr(value) if value and value.strip() else "an empty cell"


def _name_rows(rows: IntArray) -> list[str]:
    return [f"row {row}" for row in rows[:FIRST_ROWS].tolist()]


def _values(
    classes: Classes, index_of: Mapping[str, int], style: str, shift: int
) -> tuple[str, ...]:
    """Return how the file writes each class; one it never writes is written like the others."""
    in_style = {"id": classes.ids, "name": classes.names}.get(style)
    values = list(in_style or (str(place) for place in range(len(classes))))
    if shift:
        values = [str(int(each) - shift) if is_whole(each) else each for each in values]
    for written, place in reversed(list(index_of.items())):
        values[place] = written
    return tuple(values)
