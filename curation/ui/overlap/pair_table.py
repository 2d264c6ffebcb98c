"""The paper's Table 4 for this dataset: pairs by their counted examples, largest first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from curation.analysis.class_pairs import (
    SHORT_KIND_NAMES,
    PairRow,
    describe_pairs,
    find_kind,
    list_vanished,
    make_pair,
    rank_compared,
)
from curation.core.overlap import Pair
from curation.ui.overlap.class_decisions import Decided, decided_in_short
from curation.ui.overlap.pair_choice import View, pick
from curation.ui.shell import state
from curation.ui.shell.cache import of_analysis
from curation.ui.shell.setup import Frame
from curation.ui.widgets.class_cells import name_cells
from curation.ui.widgets.selectable_rows import HOW_TO_CHOOSE, show_rows

ROWS_IN_LINK = "most"
ROWS_PER_CLICK = 100  # also at first
MAX_ROWS_SEARCHED = 2000  # for the chosen pair
NAME_PIXELS = 136  # wide
ROW_PIXELS, MAX_TABLE_PIXELS = 35, 318  # high; eight rows and the heading

# The most important columns come first: a narrow window shows only these without scrolling.
ORDER = (
    "first", "second", "counted", "change", "Looks like", "Decided", "forth", "back", "confusion",
    "joint", "first id", "second id",
)  # fmt: skip

Row = tuple[int, int]


def show_table(frame: Frame, view: View, chosen: Pair | None, decided: Decided) -> None:
    """Show the pairs, the chosen one marked; choosing a row chooses its pair."""
    rows = _list_rows(frame, view)
    if not rows:
        st.info("No example of this class is counted as another class, or the other way round.")
        return
    place = _find_row(rows, chosen)
    limit = max(_recall_limit(), 0 if place is None else place + 1)
    _draw(frame, view, rows[:limit], place, decided)
    _show_foot(limit, len(rows))


def _recall_limit() -> int:
    text = state.recall(ROWS_IN_LINK, str(ROWS_PER_CLICK))
    return int(text) if text.isascii() and text.isdigit() and len(text) < 8 else ROWS_PER_CLICK


def _draw(
    frame: Frame, view: View, rows: Sequence[Row], place: int | None, decided: Decided
) -> None:
    columns = (_folded_columns if view.folded else _directed_columns)(frame, rows)
    if decided:
        columns["Decided"] = [decided_in_short(frame, decided, *row) for row in rows]
    columns = {name: columns[name] for name in ORDER if name in columns}
    show_rows(
        pd.DataFrame(columns), f"overlap.table.{view.folded}.{view.only}", place,
        lambda row: pick(*rows[row]),
        column_config=_configure(view, columns), row_height=ROW_PIXELS,
        height=min(MAX_TABLE_PIXELS, ROW_PIXELS * (len(rows) + 1) + 3), placeholder="",
        alt="Pairs of classes by the number of examples counted between them",
    )  # fmt: skip


def _show_foot(limit: int, total: int) -> None:
    """Show how to choose a row, and a button for more rows if there are more."""
    how = f"{HOW_TO_CHOOSE} to see that pair."
    if total <= limit:
        st.caption(how)
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f"The {limit:,} largest of {total:,}. {how}", width="content")
        st.button(
            f"Show {min(ROWS_PER_CLICK, total - limit)} more", key="overlap-more", type="tertiary",
            on_click=state.keep,
            args=(ROWS_IN_LINK, str(limit + ROWS_PER_CLICK), str(ROWS_PER_CLICK)),
        )  # fmt: skip


def _list_rows(frame: Frame, view: View) -> list[Row]:
    if view.folded:
        return [(pair.a, pair.b) for pair in (*view.pairs, *_list_vanished(frame, view))]
    rows = of_analysis(frame.findings, ("directed pairs",), lambda: _rank_directions(frame))
    return [row for row in rows if view.only is None or view.only in row]


def _list_vanished(frame: Frame, view: View) -> list[Pair]:
    """Return the pairs that the decisions emptied; they come last."""
    pairs = of_analysis(
        frame.findings, ("vanished pairs",), lambda: list_vanished(frame.findings, frame.given)
    )
    return [pair for pair in pairs if view.only is None or view.only in (pair.a, pair.b)]


def _rank_directions(frame: Frame) -> list[Row]:
    now, before = frame.findings.confident_joint, frame.given.confident_joint
    given, true = rank_compared(now, before)
    return list(zip(given.tolist(), true.tolist(), strict=True))


def _describe(frame: Frame, rows: Sequence[Row]) -> list[PairRow]:
    given, true = np.array(rows, dtype=np.int64).T
    return describe_pairs(frame.findings, given, true, frame.given)


def _change_column(frame: Frame, changes: Sequence[int]) -> dict[str, list[Any]]:
    """Return how many more are counted than with the labels as given, when compared."""
    return {} if frame.comparison is None else {"change": [each or None for each in changes]}


def _find_row(rows: Sequence[Row], chosen: Pair | None) -> int | None:
    if chosen is None:
        return None
    both = {(chosen.a, chosen.b), (chosen.b, chosen.a)}
    return next((place for place, row in enumerate(rows[:MAX_ROWS_SEARCHED]) if row in both), None)


def _folded_columns(frame: Frame, rows: Sequence[Row]) -> dict[str, list[Any]]:
    forth, back = _describe(frame, rows), _describe(frame, [(b, a) for a, b in rows])
    both = list(zip(forth, back, strict=True))
    return _class_columns(frame, rows) | {
        "counted": [one.counted + other.counted for one, other in both],
        **_change_column(frame, [one.change + other.change for one, other in both]),
        "forth": [row.counted for row in forth],
        "back": [row.counted for row in back],
        "confusion": [one.confusion + other.confusion for one, other in both],
        "joint": [100 * (one.joint + other.joint) for one, other in both],
        "Looks like": [_kind_in_short(frame, *row) for row in rows],
    }


def _directed_columns(frame: Frame, rows: Sequence[Row]) -> dict[str, list[Any]]:
    described = _describe(frame, rows)
    return _class_columns(frame, rows) | {
        "counted": [row.counted for row in described],
        **_change_column(frame, [row.change for row in described]),
        "confusion": [row.confusion for row in described],
        "joint": [100 * row.joint for row in described],
    }


def _class_columns(frame: Frame, rows: Sequence[Row]) -> dict[str, list[Any]]:
    """Return both names, and both ids if these differ from the names."""
    dataset, columns = frame.dataset, {}
    names = name_cells(frame.class_names, NAME_PIXELS)
    for side, name in enumerate(("first", "second")):
        columns[name] = [names[row[side]] for row in rows]
        if dataset.class_ids != dataset.class_names:
            columns[f"{name} id"] = [dataset.class_ids[row[side]] for row in rows]
    return columns


def _kind_in_short(frame: Frame, a: int, b: int) -> str:
    findings, dataset = frame.findings, frame.dataset

    def find() -> str:
        pair = make_pair(findings, a, b)
        if not pair.total:
            return ""
        return SHORT_KIND_NAMES[find_kind(pair, dataset.class_names, findings, dataset.pred_probs)]

    return of_analysis(findings, ("kind of overlap", a, b), find)


def _configure(view: View, columns: dict[str, list[Any]]) -> dict[str, Any]:
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    titles = ("Class", "Overlaps with") if view.folded else ("Given label", "Probably")
    return {
        "first": text(titles[0], width=NAME_PIXELS),
        "second": text(titles[1], width=NAME_PIXELS),
        "counted": st.column_config.ProgressColumn(
            "Counted", format="%d", min_value=0, max_value=max(1, *columns["counted"]), width=96,
            help="Examples labelled one class and confidently of the other: the confident joint.",
        ),
        "Looks like": text(width=112),
        "Decided": text(width=84),
        "change": number(
            "Change", format="%+d", width=68,
            help="How many more or fewer are counted than with the labels as given.",
        ),
        "forth": number("→", help="Labelled the first, probably the second.", width=48),
        "back": number("←", help="Labelled the second, probably the first.", width=48),
        "confusion": number(
            "Confusion", width=84,
            help="Examples labelled one class whose likeliest is the other, without thresholds.",
        ),
        "joint": number(
            "Joint", format="%.2f %%", width=68,
            help="Their share of all examples in the estimated joint.",
        ),
        "first id": text("id", help="Id of the first class.", width=90),
        "second id": text("id", help="Id of the second class.", width=90),
    }  # fmt: skip
