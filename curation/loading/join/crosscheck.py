"""Whether joined rows agree in every other column that both files have."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from curation.core.matrix import BoolArray
from curation.loading.join.key_forms import FORMS
from curation.loading.join.row_matching import Match
from curation.loading.report_builder import ReportBuilder
from curation.loading.row_keys import Keys, Texts, holds_words, key_texts, shared_columns
from curation.loading.vocabulary import FILE_COLUMNS, LABEL_COLUMNS, TEXT_COLUMNS, is_id_name
from curation.report import FIRST_ROWS

MAX_COMPARED_CHARACTERS = 200  # characters of each text that are compared
WHY = "With another example's probabilities, right labels look wrong and wrong ones look right."


def check_join(
    mine: Keys,
    theirs: Keys,
    match: Match | None,
    report: ReportBuilder,
    predict: Callable[[], Sequence[str]] | None = None,
) -> None:
    """Report how rows were joined if that is a guess; block if other columns contradict it.

    `predict` returns the name of the most likely class in each row of the other file.
    """
    if match is None:
        _report_position(mine, theirs, report)
    else:
        note_names(match, theirs, report)
    for name, pair in shared_columns(mine, theirs).items():
        if match is not None and pair == match.columns:
            continue
        both = _side_by_side(mine, theirs, pair, match)
        if both is None:
            continue
        if pair[0] == mine.label or name in LABEL_COLUMNS:
            _compare_labels(mine, theirs, pair, both, match, report, predict)
        elif holds_words(both[0]) or is_id_name(pair[0]):
            _compare_texts(mine, theirs, name, pair, both, match, report)


def note_names(match: Match, theirs: Keys, report: ReportBuilder) -> None:
    """Report which columns were treated as the same although their names differ."""
    one, other = match.columns
    names = {each.strip().lower() for each in match.columns}
    if len(names) == 1 or names <= {*FILE_COLUMNS, "files"} or names == {"id", "ids"}:
        return
    report.add_auto_fix(
        code="rows.key_columns",
        where=theirs.where,
        what=f"{other!r} is treated as the same column as {one!r} of the labels, and rows are "
        "joined by it.",
        fix="If they do not identify the same examples, give the right column the same name in "
        "both files.",
        why="The files share no column of ids with the same name, so this is a guess.",
    )


def _report_position(mine: Keys, theirs: Keys, report: ReportBuilder) -> None:
    """Report that ids are not used to join rows; warn if they show that rows were shuffled."""
    shuffled = [k for k in (mine, theirs) if k.ids is not None and _is_shuffled(k.ids)]
    for keys in shuffled:
        report.add_warning(
            code="rows.order",
            where=keys.where,
            what=f"{keys.id_name!r} holds row numbers that are not in order; the other file has no "
            "such ids, so rows are joined by position.",
            fix="If the other file is in the order of these numbers, give it an id column too.",
            why="In a shuffled table joined by position, each example gets another example's "
            "probabilities.",
            count=len(keys.ids or ()),
        )
    name = theirs.id_name if theirs.ids is not None else theirs.file_name
    if not any(keys is theirs for keys in shuffled) and not (
        _are_row_numbers(theirs.ids) and _are_row_numbers(theirs.files)
    ):
        report.add_auto_fix(
            code="rows.by_position",
            where=theirs.where,
            what=f"rows are joined to the labels by position: the values of {name!r} do not occur "
            "in the labels.",
            fix="If the two files list their rows in different orders, give both an id column.",
            why="Rows at the same position in both files are treated as the same example.",
        )


def _are_row_numbers(keys: Texts | None) -> bool:
    """Return whether there are no keys, or they only number the rows from 0 or 1."""
    if keys is None:
        return True
    return any(keys.equals(_row_numbers(len(keys), start)) for start in (0, 1))


def _row_numbers(length: int, start: int) -> Texts:
    return pa.chunked_array([pa.array(np.arange(start, start + length)).cast(pa.string())])


def _is_shuffled(keys: Texts) -> bool:
    """Return whether keys are the row numbers from 0 or 1, each once, but not in order."""
    try:
        numbers = pc.utf8_trim_whitespace(keys).cast(pa.int64()).to_numpy()
    except pa.ArrowException:
        return False
    if np.isnan(numbers).any() or not len(numbers) or int(numbers.min()) not in (0, 1):
        return False
    places = numbers - numbers.min()
    if places.max() != len(places) - 1 or (np.diff(places) == 1).all():
        return False
    return bool((np.bincount(places.astype(np.int64)) == 1).all())


def _side_by_side(
    mine: Keys, theirs: Keys, pair: tuple[str, str], match: Match | None
) -> tuple[Texts, Texts] | None:
    """Return the values of both files for each example of mine; None if they cannot be compared."""
    ours, others = key_texts(mine, pair[0]), key_texts(theirs, pair[1])
    if ours is None or others is None or (match is None and len(ours) != len(others)):
        return None
    ours, others = (
        pc.utf8_slice_codeunits(pc.utf8_trim_whitespace(each), 0, MAX_COMPARED_CHARACTERS)
        for each in (ours, others)
    )
    return ours, others if match is None else others.combine_chunks().take(match.rows)


def _compare_texts(
    mine: Keys,
    theirs: Keys,
    name: str,
    pair: tuple[str, str],
    both: tuple[Texts, Texts],
    match: Match | None,
    report: ReportBuilder,
) -> None:
    """Block if a row has the text that another row has in the other file.

    A text that the other file lacks was rewritten, and shows nothing about the order. In a column
    that is not named like files, texts or ids, most values must be unique: a source or a town may
    occur often.
    """
    ours, others = _in_one_form(both, files=name in FILE_COLUMNS)
    differ = _differ(ours, others)
    if not differ.any() or _are_row_numbers(both[0]):
        return
    known = pc.and_(pc.is_in(ours, value_set=_all(others)), pc.is_in(others, value_set=_all(ours)))
    moved = differ & np.asarray(known.to_numpy(zero_copy_only=False), dtype=bool)
    meant = name in (*FILE_COLUMNS, *TEXT_COLUMNS) or is_id_name(pair[0])
    if moved.any() and (meant or len(pc.unique(ours)) > len(ours) / 2):
        _contradict(mine, theirs, pair, both, moved, match, report)


def _in_one_form(both: tuple[Texts, Texts], *, files: bool) -> tuple[pa.Array, pa.Array]:
    """Return both unchanged, or in the form in which they are equal."""
    ours, others = (_all(each) for each in both)
    if files and _differ(ours, others).any():
        for form, _ in FORMS:
            one, other = form(ours), form(others)
            if not _differ(one, other).any():
                return one, other
    return ours, others


def _all(texts: Texts) -> pa.Array:
    return texts.combine_chunks() if isinstance(texts, pa.ChunkedArray) else texts


def _differ(ours: pa.Array, others: pa.Array) -> BoolArray:
    unequal = pc.fill_null(pc.not_equal(ours, others), False)
    return np.asarray(unequal.to_numpy(zero_copy_only=False), dtype=bool)


def _contradict(
    mine: Keys,
    theirs: Keys,
    pair: tuple[str, str],
    both: tuple[Texts, Texts],
    rows: BoolArray,
    match: Match | None,
    report: ReportBuilder,
) -> None:
    how = "position" if match is None else match.how
    fix, override = _advise(mine, theirs, pair, match)
    add = report.add_warning if mine.ids_were_named and match is not None else report.add_block
    add(
        code="rows.contradicted",
        where=theirs.where,
        what=f"joined by {how}, {int(rows.sum())} of {len(rows)} rows belong to other examples "
        f"according to column {pair[0]!r}, which both files have.",
        fix=fix,
        why=WHY,
        count=int(rows.sum()),
        first_rows=_describe_rows(both, rows),
        override=override,
    )


def _advise(
    mine: Keys, theirs: Keys, pair: tuple[str, str], match: Match | None
) -> tuple[str, dict[str, str]]:
    """Return what to do about rows that a column contradicts, and the override that does it."""
    if match is None:
        words = "Give both files an id column"
        return f"{words}, or leave {pair[1]!r} out of {theirs.where}.", {}
    if mine.ids_were_named:
        return f"Check that {match.columns[0]!r} identifies the same examples in both files.", {}
    ours, others = key_texts(mine, pair[0]), key_texts(theirs, pair[1])
    if _all_differ(ours) and _all_differ(others):
        return (
            f'Pass id_column="{pair[0]}" to join by it, or id_column="{match.columns[0]}" if '
            f"{pair[0]!r} is wrong.",
            {"id_column": pair[0]},
        )
    return (
        f'Pass id_column="{match.columns[0]}" if {pair[0]!r} is wrong; otherwise correct the ids.',
        {"id_column": match.columns[0]},
    )


def _all_differ(texts: Texts | None) -> bool:
    return texts is not None and texts.null_count == 0 and len(pc.unique(texts)) == len(texts)


def _describe_rows(both: tuple[Texts, Texts], rows: BoolArray) -> Iterable[str]:
    places = np.flatnonzero(rows)[:FIRST_ROWS].tolist()
    return (f"row {row}: {both[0][row].as_py()!r} and {both[1][row].as_py()!r}" for row in places)


def _compare_labels(
    mine: Keys,
    theirs: Keys,
    pair: tuple[str, str],
    both: tuple[Texts, Texts],
    match: Match | None,
    report: ReportBuilder,
    predict: Callable[[], Sequence[str]] | None,
) -> None:
    """Block if rows joined by position have the same labels in another order; otherwise warn.

    Labels may have been corrected in one file since the other was written. Then some differ, and so
    do the counts of the classes. A column called label may also hold the model's predictions.
    """
    ours, others = (_all(each) for each in both)
    differ = _differ(ours, others)
    if not differ.any() or not pc.any(pc.is_in(others, value_set=ours)).as_py():
        return
    if predict is not None and theirs.table is not None:
        if theirs.table.text(pair[1]).to_pylist() == list(predict()):
            _note_predictions(theirs, pair[1], int(differ.sum()), report)
            return
    if match is None and _count_values(ours) == _count_values(others):
        _contradict(mine, theirs, pair, both, differ, match, report)
        return
    report.add_warning(
        code="rows.labels_differ",
        where=theirs.where,
        what=f"its column {pair[1]!r} differs from the labels in {int(differ.sum())} of "
        f"{len(differ)} rows; it is not used.",
        fix="If labels were corrected since, this is expected. Otherwise check that both files "
        "describe the same examples.",
        why=WHY,
        count=int(differ.sum()),
        first_rows=_describe_rows(both, differ),
    )


def _note_predictions(theirs: Keys, column: str, count: int, report: ReportBuilder) -> None:
    report.add_auto_fix(
        code="rows.predicted",
        where=theirs.where,
        what=f"column {column!r} is treated as predictions: it names the most likely class of "
        f"every row, which differs from the label in {count} rows.",
        fix="If it holds the given labels, check that both files are in the same order.",
        why="If these were labels in another order, the rows would not belong together.",
        count=count,
    )


def _count_values(values: pa.Array) -> dict[str | None, int]:
    return {each["values"]: each["counts"] for each in values.value_counts().to_pylist()}
