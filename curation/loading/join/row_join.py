"""Which row of the probabilities belongs to which example."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from curation.core.matrix import BoolArray, IntArray
from curation.loading.dataset_parts import Parts
from curation.loading.formats.npy import open_npy, text_array
from curation.loading.join.crosscheck import check_join
from curation.loading.join.fold_join import find_fold_join
from curation.loading.join.index_join import find_index_join
from curation.loading.join.row_matching import Match, find_repeated, match_rows
from curation.loading.labels.labelled_examples import Examples
from curation.loading.numbered_files import count_runs
from curation.loading.probs.stored_probs import StoredProbs
from curation.loading.probs.token_probs import refuse_unordered
from curation.loading.report_builder import ReportBuilder, list_few, stop
from curation.loading.row_keys import Keys
from curation.report import FIRST_ROWS


def check_shape(probs: StoredProbs, num_labels: int, *, joined: bool) -> None:
    """Stop if the matrix is transposed, or has more or fewer rows than there are labels."""
    shape = probs.shape
    if shape[0] == num_labels or joined:
        return
    if len(shape) == 2 and shape[1] == num_labels:
        raise stop(
            code="probs.transposed",
            where=probs.where,
            what=f"looks transposed: {shape}; expected {shape[::-1]}.",
            fix="Save the transpose: one row for each example.",
            why="Each example needs its own row.",
        )
    times, rest = divmod(shape[0], max(num_labels, 1))
    if probs.binary and times > 1 and rest == 0:  # as older versions of LightGBM return them
        raise stop(
            code="probs.flat",
            where=probs.where,
            what=f"{shape[0]} numbers for {num_labels} labels: {times} for each, in one long row.",
            fix=f'Save them as rows: np.save("probs.npy", probs.reshape({num_labels}, {times})); '
            f"if all examples of a class come first, probs.reshape({times}, {num_labels}).T.",
            why="Each example needs its own row.",
        )
    raise stop(
        code="probs.row_count",
        where=probs.where,
        what=f"{shape[0]} rows of probabilities for {num_labels} labels.",
        fix="Save one row for each label, or give both files an id column.",
        why="Joined by position, rows would belong to other examples.",
    )


def join_rows(
    probs: StoredProbs,
    match: Match | None,
    labelled: BoolArray,
    report: ReportBuilder,
    *,
    drop: bool,
) -> tuple[IntArray | None, BoolArray | None]:
    """Return the row of the probabilities for each example, and which examples have one.

    None and None if both are in the same order. A row without a label needs no probabilities.
    """
    if match is None:
        return None, None
    if match.key == "id":
        check_ids(match.theirs, probs.where)
    has_row = np.asarray(match.rows.is_valid().to_numpy(zero_copy_only=False), dtype=bool)
    rows = match.rows.fill_null(0).to_numpy(zero_copy_only=False).astype(np.int64)
    _report_unmatched(probs, match, has_row, labelled, rows, report, drop=drop)
    in_order = has_row.all() and np.array_equal(rows, np.arange(probs.shape[0]))
    if in_order and match.plain:
        report.add_passed(f"{match.key}s of labels and probabilities are in the same order")
        return None, None
    report.add_auto_fix(
        code="probs.joined",
        where=probs.where,
        what=f"{int(has_row.sum()):,} rows were joined to the labels by {match.how}.",
        fix=f"If these {match.key}s do not identify the same examples, change or drop them in one "
        "file.",
        why="Rows at the same position in both files are not the same example.",
        count=int(has_row.sum()),
    )
    return (None, None) if in_order else (rows, has_row)


def _report_unmatched(
    probs: StoredProbs,
    match: Match,
    has_row: BoolArray,
    labelled: BoolArray,
    rows: IntArray,
    report: ReportBuilder,
    *,
    drop: bool,
) -> None:
    lost = np.flatnonzero(~has_row & labelled)
    if len(lost):
        names = [match.mine[int(row)].as_py() for row in lost[:5]]
        add = report.add_warning if drop else report.add_block
        add(
            code="probs.missing_ids",
            where=probs.where,
            what=f"{len(lost)} of {len(rows)} labelled {match.key}s have no probabilities "
            f"({len(rows)} labels, {probs.shape[0]} rows of probabilities).",
            fix=_advise_unmatched(match, names, has_row, drop=drop),
            why="An example without probabilities cannot be judged.",
            count=len(lost),
            first_rows=names,
            override={} if drop or not has_row.any() else {"drop_rows": True},
        )
    used = np.zeros(probs.shape[0], bool)
    used[rows[has_row]] = True
    extra = np.flatnonzero(~used)
    if len(extra):
        report.add_warning(
            code="probs.extra_ids",
            where=probs.where,
            what=f"{len(extra)} of {probs.shape[0]} rows have {_a(match.key)} that no label has; "
            "they are left out.",
            fix="Check that both files belong to the same dataset.",
            why="Predictions without a label may mean that rows of the label file were lost.",
            count=len(extra),
            first_rows=(match.theirs[int(row)].as_py() for row in extra[:FIRST_ROWS]),
        )


def _advise_unmatched(match: Match, names: Sequence[str], has_row: BoolArray, *, drop: bool) -> str:
    if not has_row.any():
        theirs = [each.as_py() for each in match.theirs[:2]]
        return (
            f"Write the {match.key}s alike: the labels have {list_few(names[:2])}, the "
            f"probabilities {list_few(theirs)}."
        )
    if drop:
        return "They are left out, because drop_rows is set."
    return "Predict them too, or pass drop_rows=True to leave them out."


def _a(key: str) -> str:
    return f"an {key}" if key == "id" else f"a {key}"


def check_ids(ids: pa.ChunkedArray, where: str) -> None:
    """Stop at an id that is missing or that two rows share."""
    empty = pc.sum(pc.or_kleene(pc.is_null(ids), pc.equal(ids, ""))).as_py() or 0
    if empty:
        rows = np.flatnonzero([not each for each in ids.to_pylist()])
        raise stop(
            code="ids.missing",
            where=where,
            what=f"{empty} of {len(ids)} rows {'has' if empty == 1 else 'have'} no id.",
            fix="Delete the blank rows at the end of the file."
            if rows[0] == len(ids) - empty and empty < len(ids)
            else "Give every row an id, or pass another id_column.",
            why="Decisions are kept by id, and files are joined by it.",
            count=int(empty),
            first_rows=(f"row {row}" for row in rows[:5]),
        )
    twice = find_repeated(ids)
    if not twice:
        return
    raise stop(
        code="ids.duplicate",
        where=where,
        what=f"{len(twice)} {'id occurs' if len(twice) == 1 else 'ids occur'} more than once: "
        f"{list_few(twice)}.",
        fix="Give every row its own id.",
        why="A decision is kept by id: two examples would share it.",
        count=len(twice),
        first_rows=twice[:5],
    )


def match_examples(
    parts: Parts, examples: Examples, probs: StoredProbs, report: ReportBuilder
) -> tuple[Examples, StoredProbs, Match | None, Match | None]:
    """Return labels and probabilities with their ids, and which rows of both belong together.

    The match is None if rows can only be joined by position. Then there may be another one, by
    row numbers, which is not used unless a person asks for it.
    """
    examples, probs = _give_ids(parts, examples, probs, report)
    if examples.ids is not None:
        check_ids(examples.ids, examples.source.path.name if examples.source.path else "ids")
        report.add_passed("every example has its own id")
    match = match_rows(examples.keys, probs.keys) or find_fold_join(examples, probs)
    refuse_unordered(probs.keys, match)
    check_shape(probs, len(examples), joined=match is not None)
    if match is None and not parts.probs_with_labels:
        _refuse_several_runs(parts, probs)
    if not parts.probs_with_labels:
        check_join(examples.keys, probs.keys, match, report, probs.predict)
    rival = find_index_join(examples.keys, probs.keys) if match is None else None
    return examples, probs, match, None if parts.probs_with_labels else rival


def _refuse_several_runs(parts: Parts, probs: StoredProbs) -> None:
    """Stop at parts that several runs wrote: by name, they are in the order of random ids."""
    runs = max(count_runs(parts.label_files), count_runs(parts.probs))
    if len(parts.probs) < 2 or runs < 2:
        return
    raise stop(
        code="shards.order",
        where=probs.where,
        what=f"{runs} runs wrote the files of one table, and their names do not say in which "
        "order.",
        fix="Give labels and probabilities an id column, or save each as one file.",
        why="Joined by position, rows would belong to other examples.",
    )


def name_by_array(parts: Parts, examples: Examples) -> Examples:
    """Return labels with the ids of a separate array, if they have none and it fits."""
    if parts.ids is not None and examples.ids is None:
        ids = _read_id_array(parts, parts.ids)
        if len(ids) == len(examples):
            examples = replace(examples, ids=ids, inner_keys=Keys(ids, where=parts.ids))
    if examples.ids is not None:
        check_ids(examples.ids, examples.source.path.name if examples.source.path else "ids")
    return examples


def _give_ids(
    parts: Parts, examples: Examples, probs: StoredProbs, report: ReportBuilder
) -> tuple[Examples, StoredProbs]:
    """Return labels and probabilities with the ids of a separate array, if they have none."""
    if parts.ids is None:
        return examples, probs
    ids = _read_id_array(parts, parts.ids)
    keys = Keys(ids, where=parts.ids)
    named: list[str] = []
    if examples.ids is None and len(ids) == len(examples):
        named.append("labels")
        examples = replace(examples, ids=ids, inner_keys=keys)
    elsewhere = not parts.probs_with_labels
    if elsewhere and _has_no_keys(probs.keys) and len(ids) == probs.shape[0]:
        named.append("probabilities")
        probs = replace(probs, keys=replace(keys, table=probs.keys.table))
    if named:
        check_ids(ids, parts.ids)
        report.add_auto_fix(
            code="ids.array",
            where=parts.ids,
            what=f"it is read as the ids for the {' and the '.join(named)}, row by row.",
            fix="If it holds something else, give it another name.",
            why="Only its name and its length show what it belongs to.",
            count=len(ids),
        )
    elif _has_no_keys(examples.keys) or (elsewhere and _has_no_keys(probs.keys)):
        report.add_warning(
            code="ids.array",
            where=parts.ids,
            what=f"its {len(ids)} ids are not used: there are {len(examples)} labels and "
            f"{probs.shape[0]} rows of probabilities.",
            fix="Save one id for each row.",
            why="Without ids, rows are joined by position.",
        )
    return examples, probs


def _read_id_array(parts: Parts, name: str) -> pa.ChunkedArray:
    return text_array(np.asarray(open_npy(parts.path(name), name)), name)


def _has_no_keys(keys: Keys) -> bool:
    return keys.ids is None and keys.files is None
