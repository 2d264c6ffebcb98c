"""The list of classes: names in the order of the probability columns, with their ids."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curation.loading.formats.base import TableFile
from curation.loading.formats.file_faults import unreadable
from curation.loading.formats.npy import read_npy, text_array
from curation.loading.formats.registry import is_array, is_table, read_table
from curation.loading.formats.text_encoding import decode_text
from curation.loading.report_builder import ReportBuilder, list_few, stop
from curation.loading.vocabulary import CLASS_ID_COLUMNS, CLASS_NAME_COLUMNS

CONFIG_KEYS = ("id2label", "label2id")
_NUMBERED = re.compile(r"(?P<place>\d+)(?:: ?| )(?P<name>\S.*)")
PLAIN_SUFFIXES = (".txt", ".json")  # read as a list, although tables may have them too


@dataclass(frozen=True)
class Classes:
    """Class names and ids, in order; without given ids, the ids equal the names."""

    names: tuple[str, ...]
    ids: tuple[str, ...]
    where: str
    by_header: bool = False  # taken from the names of the columns, not from a list

    def __len__(self) -> int:
        return len(self.names)


def make_classes(names: Iterable[object], where: str, ids: Iterable[object] = ()) -> Classes:
    """Return a list of classes; ids must differ, names need not.

    If a name occurs twice and there are no ids, positions become the ids, to keep them distinct.

    >>> make_classes(["maillot", "maillot"], "classes.txt").ids
    ('0', '1')
    """
    all_names = tuple(str(name) for name in names)
    all_ids = tuple(str(each) for each in ids) or all_names
    if len(set(all_ids)) < len(all_ids) and all_ids == all_names:
        all_ids = tuple(str(place) for place in range(len(all_names)))
    twice = sorted({each for each in all_ids if all_ids.count(each) > 1}) if _few(all_ids) else []
    if len(set(all_ids)) < len(all_ids):
        raise stop(
            code="classes.duplicate_ids",
            where=where,
            what=f"class ids occur twice: {list_few(twice or ['...'])}.",
            fix="Give each class its own id.",
            why="Two classes with the same id would share their labels.",
        )
    return Classes(all_names, all_ids, where)


def _few(values: Sequence[str]) -> bool:
    return len(set(values)) < len(values) <= 20_000  # counting each in a longer list takes minutes


def read_classes(
    path: Path,
    name: str,
    report: ReportBuilder,
    *,
    memory_limit: int,
    encoding: str | None = None,
) -> Classes:
    """Return the classes in a text file, a .json file, an array or a table."""
    if is_array(path.name):
        array = read_npy(path, name, memory_limit=memory_limit)
        found = make_classes(text_array(array.ravel(), name).to_pylist(), name)
        _check_text(found, name)
        return found
    if is_table(path.name) and path.suffix.lower() not in PLAIN_SUFFIXES:
        found = _from_table(path, name, report, memory_limit)
        _check_text(found, name)
        return found
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise unreadable(name, error) from error
    data, _ = decode_text(raw, name, encoding)
    read = _from_json if path.suffix.lower() == ".json" else _from_lines
    found = read(data.decode(), name)
    _check_text(found, name)
    return found


def _check_text(classes: Classes, name: str) -> None:
    if any(not each.strip() for each in classes.names):
        raise stop(
            code="classes.blank",
            where=name,
            what="a class has no name.",
            fix="Write a name for each class.",
            why="A class without a name can be neither chosen nor joined to a column.",
        )
    if len(classes) == 0:
        raise stop(
            code="classes.none",
            where=name,
            what="it lists no classes.",
            fix="Write one class name per line.",
            why="Without the list it is unclear which class each column belongs to.",
        )
    try:
        "".join((*classes.names, *classes.ids)).encode()
    except UnicodeEncodeError as error:
        raise stop(
            code="classes.broken_text",
            where=name,
            what=f"a class name contains an invalid character: {error}.",
            fix="Save the file again with valid characters.",
            why="Such a name can be neither shown nor saved.",
        ) from error


def _from_lines(text: str, name: str) -> Classes:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    while lines and not lines[-1].strip():
        lines.pop()
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            raise stop(
                code="classes.blank",
                where=f"{name}, line {number}",
                what="a blank line where a class name belongs.",
                fix="Delete the line, or write the name of the class there.",
                why="Classes are numbered by line: a blank line would shift all that follow.",
            )
    if lines and all(line.count("\t") == 1 for line in lines):
        pairs = [line.split("\t") for line in lines]
        return _with_ids([pair[1] for pair in pairs], [pair[0] for pair in pairs], name)
    numbered = [_NUMBERED.fullmatch(line) for line in lines]
    if all(m and int(m["place"]) == place for place, m in enumerate(numbered)):
        lines = [m["name"] for m in numbered if m]  # as Teachable Machine writes them
    return make_classes(lines, name)


def _from_json(text: str, name: str) -> Classes:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise stop(
            code="classes.broken",
            where=name,
            what=f"not valid JSON: {str(error)[:200]}."
            + ("" if text.rstrip().endswith(("]", "}")) else " The file is cut off."),
            fix="Save it again.",
            why="Without the list it is unclear which class each column belongs to.",
        ) from error
    classes = _from_mapping(found, name) if isinstance(found, dict) else _from_list(found, name)
    if classes is None:
        raise stop(
            code="classes.shape",
            where=name,
            what="it is neither a list of names, nor a list of {id, name}, nor {id: name}.",
            fix='Write a list of class names, such as ["cat", "dog"].',
            why="It is unclear which name belongs to which column.",
        )
    return classes


def _from_list(found: Any, name: str) -> Classes | None:
    if not isinstance(found, list):
        return None
    if all(isinstance(each, str | int) for each in found):
        return make_classes(found, name)
    if all(isinstance(each, dict) and "name" in each for each in found):
        names = [each["name"] for each in found]
        if any(not isinstance(each, str | int) for each in names):
            return None
        if all("id" in each for each in found):
            return _with_ids(names, [each["id"] for each in found], name)
        return make_classes(names, name)
    return None


def _from_mapping(found: dict[str, Any], name: str) -> Classes | None:
    """Return classes from {index: name}, {id: name}, or the {name: index} of some libraries.

    A model's config.json holds one of these as id2label.
    """
    inner = next((found[key] for key in CONFIG_KEYS if isinstance(found.get(key), dict)), None)
    found = found if inner is None else inner
    places = [str(place) for place in range(len(found))]
    values = list(found.values())
    if sorted(found) == sorted(places) and all(isinstance(v, str | int) for v in values):
        return make_classes((found[place] for place in places), name)
    if all(type(value) is int for value in values) and sorted(values) == list(range(len(values))):
        return make_classes(
            [name for name, _ in sorted(found.items(), key=lambda pair: int(pair[1]))], name
        )
    if all(isinstance(value, str) for value in values):
        return make_classes(values, name, found)
    return None


def _from_table(path: Path, name: str, report: ReportBuilder, memory_limit: int) -> Classes:
    table = read_table(TableFile(path, name, memory_limit), report)
    lower = {column.lower(): column for column in table.columns}
    named = next((lower[each] for each in CLASS_NAME_COLUMNS if each in lower), None)
    if named is None:
        raise stop(
            code="classes.columns",
            where=name,
            what=f"no column of class names; found {list_few(table.columns)}.",
            fix="Name the columns id and name.",
            why="It is unclear which name belongs to which column of probabilities.",
        )
    ids = next(
        (lower[each] for each in CLASS_ID_COLUMNS if each in lower and lower[each] != named), None
    )
    names = table.text(named).to_pylist()
    if ids is None:
        return make_classes(names, name)
    return _with_ids(names, table.text(ids).to_pylist(), name)


def _with_ids(names: Sequence[Any], ids: Sequence[Any], where: str) -> Classes:
    """Return classes with ids; ids that number the classes from 0 also give their order."""
    order = range(len(ids))
    if sorted(map(str, ids)) == sorted(map(str, order)):
        order = sorted(order, key=lambda place: int(ids[place]))  # type: ignore[assignment]
    return make_classes([names[k] for k in order], where, [ids[k] for k in order])
