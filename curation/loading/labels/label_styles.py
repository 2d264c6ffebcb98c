"""How labels name the classes of a list: all by id, all by name, or all by index."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from curation.loading.labels.class_list import Classes
from curation.loading.labels.label_cells import Cells, is_whole, name_rows
from curation.loading.overrides import LABEL_STYLES
from curation.loading.report_builder import ReportBuilder, list_few, stop
from curation.report import FIRST_ROWS


def match_labels(
    labels: Mapping[str, str],
    classes: Classes,
    style: str | None,
    cells: Cells,
    report: ReportBuilder,
) -> tuple[str, dict[str, int]]:
    """Return whether labels are ids, names or indices, and the class of each written label."""
    distinct, where = set(labels.values()), cells.where
    styles = LABEL_STYLES if classes.ids != classes.names else LABEL_STYLES[1:]
    fitting = [each for each in styles if distinct <= set(index_by_style(classes, each))]
    for each in [style] if style else fitting:
        index_of = index_by_style(classes, each)
        if distinct <= set(index_of):
            if index_of == index_by_style(classes, "index"):
                _warn_if_counted_from_one(distinct, len(classes), where, report)
                if style is None and each == "index":
                    _report_positions(classes, where, report)
            return each, {written: index_of[label] for written, label in labels.items()}
    if style is not None and fitting:
        raise _other_style(labels, classes, style, fitting[0], cells)
    if all(map(is_whole, distinct)):
        numbers = sorted(int(label) for label in distinct)
        if classes.names != classes.ids or not any(map(is_whole, classes.names)):
            stop_if_counted_from_one(numbers, len(classes), where)
    raise _unknown_labels(labels, classes, cells)


def index_by_style(classes: Classes, style: str) -> dict[str, int]:
    """Return the class of each id, name or index; a name that two classes share is left out."""
    if style == "index":
        return {str(place): place for place in range(len(classes))}
    every = classes.ids if style == "id" else classes.names
    if style == "name" and len(set(every)) < len(every):
        names = [name for name in every if every.count(name) == 1]
        return {name: every.index(name) for name in names}
    return {each: place for place, each in enumerate(every)}


def stop_if_counted_from_one(numbers: Sequence[int], wide: int, where: str) -> None:
    """Stop if sorted labels run from 1 to the number of columns."""
    if numbers[0] == 1 and numbers[-1] == wide:
        raise stop(
            code="labels.one_indexed",
            where=where,
            what=f"labels are 1..{wide}; 0 never occurs. Subtract 1?",
            fix="Pass shift_labels=-1 if they are counted from 1.",
            why="Otherwise each label would be read as the class after it.",
            override={"shift_labels": -1},
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
    known = index_by_style(classes, expected)
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
