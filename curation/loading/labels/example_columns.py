"""Which columns of a table hold the labels, the images and the texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from curation.loading.formats.several_sources import Headless
from curation.loading.formats.table import Table
from curation.loading.labels.annotators import ask_for_annotator, find_annotators
from curation.loading.labels.label_cells import is_whole
from curation.loading.report_builder import ReportBuilder, list_few, stop
from curation.loading.vocabulary import (
    FILE_COLUMNS,
    ID_COLUMNS,
    IMAGE_SUFFIXES,
    INDEX_COLUMNS,
    LABEL_COLUMNS,
    LIST_COLUMNS,
    TEXT_COLUMNS,
    TRUE_COLUMNS,
)

SAMPLE_ROWS = 200  # rows that are read to see what a column holds

WHICH = (
    "One may hold the given labels and another the corrected ones; in the wrong one, no label "
    "error would be found."
)
MAX_CHOICES = 12  # columns that are offered; the screen that maps columns has all of them
MIN_WORDS = 3  # the mean number of words in a cell, below which a column holds no sentences
MIN_REPEATS = 3  # the mean number of rows per class, below which a column is not labels


def find_label_columns(table: Table) -> list[str]:
    """Return the columns that are named like labels, the most common name first.

    If there are several, those that cannot be labels are left out: a `y` that holds 1.5 is a
    coordinate or a measurement.
    """
    rank = {name: place for place, name in enumerate(LABEL_COLUMNS)}
    named = [c for c in table.data.column_names if c.strip().lower() in rank]
    named = [c for c in named if c.strip().lower() not in LIST_COLUMNS or _is_list(table, c)]
    named.sort(key=lambda column: rank[column.strip().lower()])
    if len(named) < 2:
        return named
    return [column for column in named if _can_be_labels(table, column)] or named


def _can_be_labels(table: Table, column: str) -> bool:
    return table.kind(column) not in ("list", "other") and can_be_labels(table.text(column))


def _is_list(table: Table, column: str) -> bool:
    return table.kind(column) == "list"


def can_be_labels(texts: pa.ChunkedArray) -> bool:
    """Return whether no cell is a fraction, as in measurements."""
    return not any(_is_fraction(each) for each in pc.unique(texts).to_pylist() if each)


def _is_fraction(text: str) -> bool:
    try:
        return "." in text and not is_whole(text) and float(text) == float(text)
    except ValueError:
        return False


def guess_label_columns(table: Table) -> list[str]:
    """Return the columns whose values could be labels, to be suggested but not used."""
    others = {*ID_COLUMNS, *FILE_COLUMNS, *TEXT_COLUMNS, *INDEX_COLUMNS}
    columns = [c for c in table.data.column_names if c.strip().lower() not in others]
    return [c for c in columns if _can_be_labels(table, c) and _repeats(table, c)]


def refuse_missing_header(table: Table) -> None:
    """Stop if the header looks like a row: a column's name is also one of its few values."""
    if not table.header_row:
        return
    names = [c for c in table.data.column_names if _repeats(table, c)]
    odd = [c for c in names if pc.any(pc.equal(table.text(c), c)).as_py()]
    if not odd:
        return
    raise stop(
        code="table.no_header",
        where=table.name,
        what=f"the header seems to be missing: the first line is {list_few(table.columns)}, and "
        f"{odd[0]!r} occurs again below it.",
        fix="Pass no_header=True, or write the names of the columns in the first line, such as "
        "id,label.",
        why="Otherwise the first example would be read as names, and lost.",
        override={"no_header": True},
    )


def _repeats(table: Table, column: str) -> bool:
    distinct = len(pc.unique(table.text(column)))
    return 2 <= distinct <= len(table) / MIN_REPEATS


def settle_label_columns(table: Table, columns: Sequence[str], report: ReportBuilder) -> None:
    """Report that the first column is used if all agree; stop if they do not."""
    if len(columns) < 2:
        return
    first = columns[0]
    texts = table.text(first)
    others = [c for c in columns[1:] if not labels_agree(texts, table.text(c))]
    if not others:
        report.add_auto_fix(
            code="table.label_columns",
            where=table.name,
            what=f"columns {list_few(columns)} agree; {first!r} is read as the labels.",
            fix=f'To use another one, pass it, such as label_column="{columns[1]}".',
            why="Decisions are written back to the column that was read.",
            count=len(columns),
        )
        return
    rows = rows_that_differ(texts, table.text(others[0]))
    raise stop(
        code="table.label_columns",
        where=table.name,
        what=f"several columns could be the labels: {list_few(columns)}; {first!r} and "
        f"{others[0]!r} differ in {len(rows)} of {len(table)} rows.",
        fix=f'Pass the one to check, such as label_column="{first}".',
        why=WHICH,
        count=len(rows),
        first_rows=(f"row {row}" for row in rows),
        choices=[{"label_column": each} for each in columns],
    )


def _refuse_single_label(table: Table, rejected: int) -> None:
    """Stop if one label was accepted or rejected: then the answers are the labels."""
    columns = find_label_columns(table)
    if len(columns) != 1 or len(pc.unique(table.text(columns[0])).drop_null()) != 1:
        return
    only = table.text(columns[0]).drop_null()[0].as_py()
    raise stop(
        code="labels.rejected",
        where=f"{table.name}, column 'answer'",
        what=f"every row has the label {only!r}, and {rejected} of {len(table)} were answered "
        "reject or ignore.",
        fix='Pass label_column="answer" to check whether it was rightly accepted or rejected.',
        why="With one label for all, only the answers can be right or wrong.",
        count=rejected,
        override={"label_column": "answer"},
        choices=[{"label_column": "answer"}],
    )


def warn_of_rejected(table: Table, named: str | None, report: ReportBuilder) -> None:
    """Warn of labels that somebody already rejected, which Prodigy writes in a column."""
    if "answer" not in table.data.column_names or table.kind("answer") != "text":
        return
    answers = table.text("answer")
    counts = {each["values"]: each["counts"] for each in answers.value_counts().to_pylist()}
    if "accept" not in counts or not counts.keys() <= {"accept", "reject", "ignore"}:
        return
    rows = np.flatnonzero(np.asarray(pc.not_equal(answers, "accept")))
    if len(rows) and named is None:
        _refuse_single_label(table, len(rows))
    if len(rows):
        report.add_warning(
            code="labels.rejected",
            where=f"{table.name}, column 'answer'",
            what=f"{len(rows)} of {len(table)} rows were answered reject or ignore; their labels "
            "are read like the others.",
            fix="If their labels should not count, leave these rows out of the file.",
            why="A rejected label is not the label of its example.",
            count=len(rows),
            first_rows=(f"row {row}" for row in rows),
        )


def settle_label_arrays(
    where: str,
    first: str,
    texts: pa.ChunkedArray,
    others: Mapping[str, pa.ChunkedArray],
    report: ReportBuilder,
) -> None:
    """Report that the first array of an archive is used; stop if another one disagrees."""
    others = {name: each for name, each in others.items() if len(each) == len(texts)}
    if not others:
        return
    names = [first, *others]
    odd = next((name for name in others if not labels_agree(texts, others[name])), None)
    if odd is None:
        report.add_auto_fix(
            code="npz.label_arrays",
            where=where,
            what=f"arrays {list_few(names)} agree; {first!r} is read as the labels.",
            fix=f'To use another one, pass it, such as label_column="{names[1]}".',
            why="Decisions are written back to the array that was read.",
            count=len(names),
        )
        return
    rows, names = rows_that_differ(texts, others[odd]), given_first(names)
    raise stop(
        code="npz.label_arrays",
        where=where,
        what=f"several arrays could be the labels: {list_few(names)}; {first!r} and {odd!r} differ "
        f"in {len(rows)} of {len(texts)} rows.",
        fix=f'Pass the one to check, such as label_column="{names[0]}".',
        why=WHICH,
        count=len(rows),
        first_rows=(f"row {row}" for row in rows),
        choices=[{"label_column": each} for each in given_first(names)],
    )


def given_first(names: Sequence[str]) -> list[str]:
    """Return the names of label files, those of given labels first.

    >>> given_first(["labels.npy", "noisy_labels.npy"])
    ['noisy_labels.npy', 'labels.npy']
    """
    return sorted(names, key=lambda name: not name.startswith(("noisy", "given")))


def labels_agree(one: pa.ChunkedArray, other: pa.ChunkedArray) -> bool:
    """Return whether each value of one column always goes with the same value of the other."""
    both = pa.table({"one": one, "other": other})
    pairs = len(both.group_by(["one", "other"]).aggregate([]))
    return all(pairs == len(pc.unique(both.column(name))) for name in ("one", "other"))


def rows_that_differ(one: pa.ChunkedArray, other: pa.ChunkedArray) -> list[int]:
    """Return the rows in which two columns differ as text."""
    same = pc.equal(one.fill_null(""), other.fill_null(""))
    return [int(row) for row in np.flatnonzero(~np.asarray(same))]


def choose_label_column(table: Table, named: str | None, report: ReportBuilder) -> str:
    """Return the column of labels; stop with every candidate if it is unclear which it is."""
    if named is not None:
        return check_named_column(table, named, "label_column") or named
    if table.annotators:
        raise ask_for_annotator(table, table.annotators)
    if len(table.questions) == 1:
        return table.questions[0]
    if table.questions:
        raise _ask_for_question(table)
    found = find_label_columns(table)
    if found:
        settle_label_columns(table, found, report)
        return found[0]
    if (column := _find_true_column(table, report)) is not None:
        return column
    if annotators := find_annotators(table):
        raise ask_for_annotator(table, annotators)
    unread = find_column(table.image_columns, LABEL_COLUMNS)
    if unread is not None:
        raise stop(
            code="labels.bytes",
            where=f"{table.name}, column {unread!r}",
            what="the labels are bytes that are not UTF-8 text.",
            fix="Save the column as text, or pass another label_column.",
            why="It is unclear which characters they stand for.",
        )
    alone = table.columns[0] if len(table.columns) == 1 else ""
    divider = next((each for each in "|;\t,:" if each in alone), None)
    if divider is not None:
        raise stop(
            code="table.one_column",
            where=table.name,
            what=f"there is only one column: {alone!r}.",
            fix=f"Pass delimiter={divider!r} if that separates the cells.",
            why="No label can be read until the cells are separated.",
            override={"delimiter": divider},
        )
    refuse_missing_header(table)
    _refuse_nested(table)
    guesses = guess_label_columns(table)
    guess = guesses[0] if len(guesses) == 1 else None
    if guess is not None and table.format == Headless.name:
        _report_headless(table, guess, "labels: no other column repeats a few values", report)
        return guess
    raise stop(
        code="table.no_label_column",
        where=table.name,
        what=f"no label column among {list_few(table.columns, most=12)}."
        + (f" {guess!r} could be it." if guess else ""),
        fix=f'Pass label_column="{guess or "..."}", or name the column one of '
        f"{', '.join(LABEL_COLUMNS[:5])}.",
        why="With another column as the labels, every finding would be wrong.",
        choices=[{"label_column": each} for each in guesses[:MAX_CHOICES]],
    )


def _refuse_nested(table: Table) -> None:
    """Stop if every column holds objects or lists: the labels are inside them."""
    if not table.data.num_columns or table.image_columns:
        return
    if any(table.kind(column) not in ("list", "other") for column in table.data.column_names):
        return
    raise stop(
        code="table.no_label_column",
        where=table.name,
        what=f"every column holds objects or lists: {list_few(table.columns, most=12)}.",
        fix='Save the values inside them as columns: pd.json_normalize(rows).to_csv("labels.csv").',
        why="Only columns of words or numbers can be labels.",
    )


def _report_headless(table: Table, column: str, words: str, report: ReportBuilder) -> None:
    report.add_auto_fix(
        code="table.headless_columns",
        where=table.name,
        what=f"{column!r} is read as the {words}.",
        fix="If another column is meant, choose it, or write a header.",
        why="Without a header, only the values tell what a column holds.",
    )


def _ask_for_question(table: Table) -> Exception:
    names = table.questions
    return stop(
        code="table.label_columns",
        where=table.name,
        what=f"the annotators answered {len(names)} questions: {list_few(names, most=12)}.",
        fix=f'Pass the one to check, such as label_column="{names[0]}".',
        why="Each question has its own labels.",
        count=len(names),
        override={"label_column": names[0]},
        choices=[{"label_column": each} for each in names],
    )


def _find_true_column(table: Table, report: ReportBuilder) -> str | None:
    """Return the column of true labels if it is the only one of labels, as in y_true, y_pred."""
    column = find_column(table.data.column_names, TRUE_COLUMNS)
    if column is None or table.kind(column) in ("list", "other"):
        return None
    rivals = [c for c in guess_label_columns(table) if c != column and _is_given_name(c)]
    if rivals:
        raise stop(
            code="table.label_columns",
            where=table.name,
            what=f"column {column!r} holds true labels; {list_few(rivals)} may be those to check.",
            fix=f'Pass the one to check, such as label_column="{rivals[0]}".',
            why=WHICH,
            count=len(rivals) + 1,
            choices=[{"label_column": each} for each in (*rivals, column)],
        )
    report.add_auto_fix(
        code="table.true_as_given",
        where=table.name,
        what=f"column {column!r} is read as the labels to check: there is no other.",
        fix="If another column holds the labels, pass it as label_column.",
        why="What a model is scored against is called true, but it is what was given.",
    )
    return column


def _is_given_name(column: str) -> bool:
    """Return whether a name is that of labels that somebody gave, and no model predicted.

    >>> _is_given_name("crowd_label"), _is_given_name("predicted_label")
    (True, False)
    """
    lower = column.lower()
    return ("label" in lower or "annot" in lower) and "pred" not in lower


def check_named_column(table: Table, named: str | None, option: str) -> str | None:
    if named is not None and named not in table.columns:
        raise stop(
            code="table.no_such_column",
            where=table.name,
            what=f"there is no column {named!r}; the columns are "
            f"{list_few(table.columns, most=12)}.",
            fix=f"Correct {option}.",
            why="If a column is named, no other column is used instead.",
            choices=[{option: each} for each in table.columns[:MAX_CHOICES]],
        )
    return named


def find_column(columns: Sequence[str], names: Sequence[str]) -> str | None:
    lower: dict[str, str] = {column.strip().lower(): column for column in reversed(columns)}
    return next((lower[name] for name in names if name in lower), None)


def find_image_column(table: Table) -> str | None:
    if table.image_columns:
        return find_column(table.image_columns, FILE_COLUMNS) or table.image_columns[0]
    lower: dict[str, str] = {c.strip().lower(): c for c in reversed(table.data.column_names)}
    for name in FILE_COLUMNS:
        if name in lower and _holds_image_names(table, lower[name]):
            return lower[name]
    others = [column for column in table.data.column_names if _holds_image_names(table, column)]
    return others[0] if len(others) == 1 else None


def _holds_image_names(table: Table, column: str) -> bool:
    if table.kind(column) != "text":
        return False
    head = table.data.column(column).slice(0, SAMPLE_ROWS)
    if pa.types.is_dictionary(head.type):
        head = head.cast(head.type.value_type)
    return any(str(name).lower().endswith(IMAGE_SUFFIXES) for name in head.to_pylist() if name)


def find_text_column(table: Table, label: str, report: ReportBuilder) -> str | None:
    """Return the column of texts by its name; without a header, the only one with sentences."""
    texts: list[str] = [
        c for c in table.data.column_names if c != label and table.kind(c) == "text"
    ]
    if table.format != Headless.name:
        return find_column(texts, TEXT_COLUMNS)
    found = [c for c in texts if _holds_sentences(table, c)]
    if len(found) != 1:
        return None
    _report_headless(table, found[0], "texts: no other column holds sentences", report)
    return found[0]


def _holds_sentences(table: Table, column: str) -> bool:
    head = table.text(column).slice(0, SAMPLE_ROWS).to_pylist()
    return sum(len((cell or "").split()) for cell in head) >= MIN_WORDS * len(head)
