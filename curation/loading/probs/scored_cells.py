"""The score of each class inside one cell, as programs print or nest it.

A cell may be {"cat": 0.9, "dog": 0.1}, a list of labels with their scores, a list of names next to
a list of scores, or any of these as the text that Python or JSON writes.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

import pyarrow as pa

from curation.loading.formats.json_columns import CLASS_KEYS, SCORE_KEYS
from curation.loading.formats.number_columns import (
    SAMPLE_ROWS,
    SUM_TOLERANCE,
    as_number,
    strip_numpy,
)
from curation.loading.formats.table import Table
from curation.loading.report_builder import ReportBuilder, list_few, stop
from curation.loading.vocabulary import PROB_LIST_COLUMNS

Scores = dict[str, float]

# Two lists of one length in an object: the names of the classes, and the score of each.
NAME_LISTS = ("displayNames", "classes", "labels", "class_names")
SCORE_LISTS = ("confidences", "scores", "probabilities", "probs")
# Columns that hold such lists.
CLASS_LIST_COLUMNS = ("label", "labels", "classes", "class", "index", "indices", "displaynames")
SCORE_LIST_COLUMNS = ("prob", "probs", "score", "scores", "probabilities", "confidences")
# Columns that are numbered by rank, such as index_0 and prob_0.
NUMBERED_CLASSES = ("index_", "label_", "class_", "pred_", "top_")
NUMBERED_SCORES = ("prob_", "score_", "confidence_")
PAIRED = "scores"  # what the column of both is called
MAX_CELL_CHARACTERS = 1_000_000
_KINDS = (pa.types.is_string, pa.types.is_large_string, pa.types.is_map)  # of such a column


def find_scored_cells(table: Table, labels: frozenset[str]) -> list[str]:
    """Return the columns whose cells hold a score for each label, those of probabilities first."""
    found = [c for c in table.data.column_names if _names_labels(table, c, labels)]
    named = [c for c in found if c.strip().lower() in PROB_LIST_COLUMNS]
    return named or found


def _names_labels(table: Table, column: str, labels: frozenset[str]) -> bool:
    kind = table.data.schema.field(column).type
    if len(labels) < 2 or not any(each(kind) for each in _KINDS):
        return False
    cells = _list_cells(table.data.column(column).slice(0, SAMPLE_ROWS))
    if not cells or not _may_hold_scores(cells[0]):
        return False
    scores = [read_scores(cell) for cell in cells]
    if not all(scores):
        return False
    rows = [each for each in scores if each]
    return len(set[str]().union(*rows) & labels) >= 2 and not _are_votes(rows)


def _are_votes(rows: Sequence[Scores]) -> bool:
    """Return whether whole numbers count people, or mark the label as spaCy does; not percents."""
    whole = all(value.is_integer() for each in rows for value in each.values())
    return whole and any(sum(each.values()) != 100 for each in rows)


def pair_lists(
    table: Table, labels: frozenset[str], classes: Sequence[str], report: ReportBuilder
) -> Table | None:
    """Return a table with one column of scores by class, from a list of classes and one of scores.

    Programs that list the likeliest class first write both, such as timm: by position, the scores
    would be those of other classes in every row. Classes may be numbers: those of `classes`, in
    order.
    """
    columns = _find_paired(table)
    if columns is None:
        return None
    cells = []
    for listed, numbers in zip(*(_read_lists(table, each) for each in columns), strict=True):
        are_lists = isinstance(listed, list) and isinstance(numbers, list)
        if not are_lists or not listed or len(listed) != len(numbers):
            return None
        scores = dict(zip(map(_write_class, listed), numbers, strict=True))
        if len(scores) < len(listed):  # no ranking: what several people said, perhaps
            return None
        cells.append(json.dumps(scores))
    data = table.data.drop_columns([*columns[0], *columns[1]])

    def pair(written: Sequence[str]) -> Table | None:
        column = pa.array(written, pa.string())
        paired = replace(table, data=data.append_column(PAIRED, column))
        return paired if find_scored_cells(paired, labels) == [PAIRED] else None

    paired = pair(cells)
    if paired is None and (named := _name_numbers(cells, classes)) is not None:
        paired = pair(named)
        if paired is not None:
            _report_numbers(table, columns[0], classes, report)
    return paired


def _name_numbers(cells: Sequence[str], classes: Sequence[str]) -> list[str] | None:
    """Return scores by the name of each class, from scores by its number; None if some lack one.

    >>> _name_numbers(['{"1": 0.9, "0": 0.1}'], ["cat", "dog"])
    ['{"dog": 0.9, "cat": 0.1}']
    """
    names = {str(number): name for number, name in enumerate(classes)}
    rows = [json.loads(cell) for cell in cells]
    if any(each not in names for row in rows for each in row):
        return None
    return [json.dumps({names[each]: score for each, score in row.items()}) for row in rows]


def _report_numbers(
    table: Table, columns: Sequence[str], classes: Sequence[str], report: ReportBuilder
) -> None:
    report.add_auto_fix(
        code="probs.numbered_classes",
        where=table.name,
        what=f"the numbers in {list_few(columns)} are read as the classes {list_few(classes)}, "
        "counted from 0.",
        fix="If the model counts them in another order, list the classes in classes.txt in that "
        "order.",
        why="The scores are those of the classes in these columns, and not in the order of the "
        "columns.",
        count=len(table),
    )


def _find_paired(table: Table) -> tuple[list[str], list[str]] | None:
    """Return the columns of classes and of scores: a column of lists each, or numbered columns."""
    lower = {column.strip().lower(): column for column in reversed(table.data.column_names)}
    names = [lower[each] for each in CLASS_LIST_COLUMNS if each in lower]
    scores = [lower[each] for each in SCORE_LIST_COLUMNS if each in lower]
    if len(names) == len(scores) == 1:
        return names, scores
    for first, second in product(NUMBERED_CLASSES, NUMBERED_SCORES):
        numbers = [each.removeprefix(first) for each in lower if each.startswith(first)]
        numbers = [each for each in numbers if each.isdigit() and f"{second}{each}" in lower]
        if len(numbers) > 1:
            return [lower[first + n] for n in numbers], [lower[second + n] for n in numbers]
    return None


def _read_lists(table: Table, columns: Sequence[str]) -> list[Any]:
    """Return the list of each row: in one column, or spread over several."""
    if len(columns) > 1:
        spread = [table.data.column(each).to_pylist() for each in columns]
        return [[_as_number(each) for each in row] for row in zip(*spread, strict=True)]
    values = table.data.column(columns[0]).to_pylist()
    return [_parse(each) if isinstance(each, str) else each for each in values]


def _as_number(cell: Any) -> Any:
    number = as_number(cell) if isinstance(cell, str) else None
    return cell if number is None else number


def _write_class(value: Any) -> str:
    is_whole = isinstance(value, float) and value.is_integer()
    return str(int(value)) if is_whole else str(value)


def _list_cells(column: pa.ChunkedArray) -> list[Any]:
    return [cell for cell in column.to_pylist() if cell]


def _may_hold_scores(cell: Any) -> bool:
    return not isinstance(cell, str) or cell.lstrip().startswith(("{", "["))


def spread_scores(table: Table, column: str, report: ReportBuilder) -> Table:
    """Return a table with a column for each class, from the scores in one column's cells."""
    where = f"{table.name}, column {column!r}"
    cells = table.data.column(column).to_pylist()
    rows = [read_scores(cell) if cell else {} for cell in cells]
    broken = [row for row, scores in enumerate(rows) if scores is None]
    if broken:
        raise stop(
            code="probs.not_a_number",
            where=f"{where}, row {broken[0]}",
            what=f"{str(cells[broken[0]])[:80]!r} does not hold a score for each class.",
            fix="Save the scores of all rows in the same way.",
            why="An example without all its probabilities cannot be checked.",
            count=len(broken),
            first_rows=(f"row {row}" for row in broken),
        )
    scores = [each for each in rows if each is not None]
    names = sorted({name for each in scores for name in each})
    _refuse_few(scores, names, where)
    report.add_auto_fix(
        code="probs.scored_cells",
        where=where,
        what=f"its cells are read as the scores of {len(names)} classes: {list_few(names)}.",
        fix="If they are something else, name the file or the columns of the probabilities.",
        why="The names in the cells are those of the labels.",
        count=len(rows),
    )
    data = pa.table({name: _column(scores, name) for name in names})
    return replace(table, data=data, name=where, kinds={})


def _column(rows: Sequence[Scores], name: str) -> pa.Array:
    return pa.array([each.get(name, 0.0) if each else None for each in rows], pa.float64())


def _refuse_few(rows: Sequence[Scores], names: Sequence[str], where: str) -> None:
    """Stop if rows hold only their likeliest classes: where the rest belongs is not known."""
    few = [
        row
        for row, each in enumerate(rows)
        if each and len(each) < len(names) and abs(sum(each.values()) - 1) > SUM_TOLERANCE
    ]
    if not few:
        return
    first = rows[few[0]]
    raise stop(
        code="probs.top_one",
        where=f"{where}, row {few[0]}",
        what=f"only {len(first)} of {len(names)} classes have a score, {list_few(first)}, and "
        f"these add up to {sum(first.values()):.3g}.",
        fix="Save the scores of all classes (top_k=None in a Hugging Face pipeline, "
        "result.probs.data of Ultralytics, topk as many as there are classes in timm).",
        why="The rest of the probability could belong to any other class.",
        count=len(few),
        first_rows=(f"row {row}" for row in few),
    )


def read_scores(cell: Any) -> Scores | None:
    """Return the score of each class in a cell; None if it holds something else.

    >>> read_scores("{'cat': np.float64(0.9), 'dog': 0.1}")
    {'cat': 0.9, 'dog': 0.1}
    >>> read_scores({"displayNames": ["cat", "dog"], "confidences": [0.9, 0.1]})
    {'cat': 0.9, 'dog': 0.1}
    >>> read_scores([["cat", 0.9], ["dog", 0.1]])
    {'cat': 0.9, 'dog': 0.1}
    """
    value = _parse(cell) if isinstance(cell, str) else cell
    if isinstance(value, dict):
        pairs = _pair_lists(value) or list(value.items())
    elif isinstance(value, list):
        pairs = [_as_pair(each) for each in value]
    else:
        return None
    scores = {name: float(score) for name, score in pairs if _is_score(name, score)}
    return scores if pairs and len(scores) == len(pairs) else None


def _is_score(name: Any, score: Any) -> bool:
    return isinstance(name, str) and type(score) in (int, float)


def _pair_lists(value: Mapping[str, Any]) -> list[tuple[Any, Any]]:
    """Return names with their scores, from an object that lists both."""
    names, scores = _first_list(value, NAME_LISTS), _first_list(value, SCORE_LISTS)
    return list(zip(names, scores, strict=True)) if len(names) == len(scores) else []


def _first_list(value: Mapping[str, Any], keys: Sequence[str]) -> list[Any]:
    return next((value[key] for key in keys if isinstance(value.get(key), list)), [])


def _as_pair(value: Any) -> tuple[Any, Any]:
    """Return a label with its score, from an object or a list of both."""
    if isinstance(value, dict):
        name = next((value[key] for key in CLASS_KEYS if key in value), None)
        score = next((value[key] for key in SCORE_KEYS if key in value), None)
        return name, score
    if isinstance(value, list | tuple) and len(value) == 2:
        return value[0], value[1]
    return None, None


def _parse(text: str) -> Any:
    """Return what a text says in JSON or as Python writes values; None if it is neither."""
    if len(text) > MAX_CELL_CHARACTERS or not _may_hold_scores(text):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        pass
    try:
        return ast.literal_eval(strip_numpy(text).strip())
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        return None
