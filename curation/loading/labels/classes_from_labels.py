"""The classes where no list names them: the indices of columns, or the labels in order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from curation.loading.labels.class_list import Classes, make_classes
from curation.loading.labels.label_cells import Cells, is_whole, name_rows
from curation.loading.labels.label_styles import stop_if_counted_from_one
from curation.loading.report_builder import ReportBuilder, list_few, stop


def list_classes(
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
    stop_if_counted_from_one(numbers, wide, where)
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
    """Return what to do about labels that are not classes, or one class in two spellings.

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
