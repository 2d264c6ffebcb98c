"""The Noise page: which matrix is drawn, of which classes, and how; and the map itself."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import cast

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from curation import wording
from curation.analysis import matrices, matrix_sentences
from curation.analysis.class_order import CLASS_ORDERS, ClassOrder, order_classes
from curation.analysis.findings import Findings
from curation.analysis.focus import find_most_confused
from curation.analysis.matrices import OTHER, Cell, Matrix, MatrixView
from curation.charts import heatmaps
from curation.core.matrix import IntArray
from curation.ui.noise import cell_panel
from curation.ui.shell import label_choice, state
from curation.ui.shell.cache import identify, of_analysis
from curation.ui.shell.setup import Frame, is_dark
from curation.ui.widgets.clickable_heatmap import show_heatmap

WHOLE = 60  # up to so many classes, the map shows them all
FOCUS = 40  # above, so many of the most confused
REGION = 40  # classes each way around a place that is opened
SQUARES = 100  # squares each way in the overview of all classes
OTHER_NAME = "(other)"
MARK = "noise.mark"  # in the session
VIEWS = ("focus", "all", "region")
# Hover sentences are most of what a map weighs: names are bold on small maps, cut on large ones.
NOTHING = "no example in these pairs"
BOLD_NAMES = 20
WHOLE_NAMES = 61


@dataclass(frozen=True)
class Choice:
    """What is drawn; all of it stands in the link."""

    matrix: Matrix
    order: ClassOrder
    log: bool
    diagonal: bool
    view: str  # "whole" up to WHOLE classes, else one of VIEWS
    region: Cell = Cell(0, 0)  # around which classes, in the region view


@dataclass(frozen=True)
class Mark:
    """Which cell a figure marks, since when, and where the browser moved the mark meanwhile."""

    drawn: tuple[Choice, bool, str] | None
    cell: Cell | None
    clicked: Cell | None = None
    number: int = 0


def show_title(frame: Frame) -> Frame:
    """Show the title and which labels are shown, and return the frame with these."""
    st.title("Noise")
    return label_choice.choose_labels(frame)


def show_heading(frame: Frame) -> None:
    """Show how much is wrong, by how much less than as given, and what the map is."""
    wrong, total = frame.findings.estimated_errors, len(frame.findings.labels)
    number = f"{wrong:,.0f} of {wording.count_of(total, 'label')}"
    share, look = wording.percent(wrong / total), wording.verb_of(wrong, "looks", "look")
    change = ""
    if frame.comparison:
        before = frame.given.estimated_errors, len(frame.given.labels)
        of = f" of {before[1]:,}" if before[1] != total else ""
        number = f"{before[0]:,.0f}{of} → {number}"
        share = f"{wording.percent(before[0] / before[1])} → {share}"
        change = f", {label_choice.say_change(wrong, before[0])}"
    low, high = (each / total for each in frame.findings.error_interval)
    said = (
        f"About **{number}** {look} wrong ({share}; 95 % interval "
        f"{wording.percent_range(low, high)}){change}."
    )
    if wrong < 0.5:
        said = f"**No label** of {total:,} looks wrong{change}."
    st.write(
        f"{said} The map shows which label was given (row) and which is probably true (column)."
    )


def show_choices(frame: Frame) -> Choice:
    """Show which matrix, order, scale and classes there are to choose, and return the choice."""
    matrix = state.choose(
        st.segmented_control, "Matrix", "matrix", matrices.MATRICES, "joint", required=True,
        format_func=wording.MATRIX_NAMES.get, label_visibility="collapsed",
    )  # fmt: skip
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        order = state.choose(
            st.segmented_control, "Order of classes", "classes", CLASS_ORDERS, "given",
            required=True, format_func=wording.CLASS_ORDER_NAMES.get,
        )  # fmt: skip
        scale = state.choose(
            st.segmented_control, "Colour scale", "scale", ("linear", "log"), "linear",
            required=True,
        )  # fmt: skip
        view = _choose_view(frame)
        diagonal = state.switch(
            "Diagonal", "diagonal",
            help="The labels that seem right. There are so many that the others pale beside them.",
        )  # fmt: skip
    region = _choose_region(frame) if view == "region" else Cell(0, 0)
    return Choice(
        cast(Matrix, matrix), cast(ClassOrder, order), scale == "log", diagonal, view, region
    )


def _choose_view(frame: Frame) -> str:
    count = len(frame.class_names)
    if count <= WHOLE:
        return "whole"
    names = {"focus": f"{FOCUS} most confused", "all": f"all {count:,}", "region": "a region"}
    return state.choose(
        st.segmented_control, "Classes shown", "shown", VIEWS, "focus", required=True,
        format_func=names.get,
    )  # fmt: skip


def _choose_region(frame: Frame) -> Cell:
    """Show around which classes the region lies: the way for a keyboard, and after a click."""
    largest = matrices.find_largest_cell(frame.given) or Cell(0, 0)
    labels = [str(label) for label in range(len(frame.class_names))]
    with st.container(horizontal=True, gap="medium"):
        given, true = (
            state.choose(
                st.selectbox, title, name, labels, str(default), width=320,
                format_func=lambda label: frame.class_names[int(label)],
            )
            for title, name, default in (
                (f"{REGION} given labels around", "around_given", largest.given),
                (f"{REGION} true labels around", "around_true", largest.true),
            )
        )  # fmt: skip
    return Cell(int(given), int(true))


def show_map(frame: Frame, choice: Choice, cell: Cell | None) -> None:
    """Show the map; a click on a cell chooses it, on an overview's square opens its region."""
    findings, dark = frame.findings, is_dark()
    view = find_view(findings, choice, frame.given)
    mark = _recall_mark((choice, dark, identify(findings)), cell)
    chosen = view.find(mark.cell) if mark.cell else None
    figure = of_analysis(
        findings,
        ("noise map", choice, dark, chosen),
        lambda: draw(frame, choice, view, chosen, dark),
    )
    opens_region = view.block > 1

    def clicked(target: Sequence[int] | None) -> None:
        if target is None:  # the cell stays, with its mark drawn anew
            st.session_state[MARK] = replace(mark, drawn=None)
            return
        given, true = target
        cell_panel.choose_cell(Cell(given, true))
        st.session_state[MARK] = replace(mark, clicked=Cell(given, true))
        if opens_region:
            around = {"around_given": str(given), "around_true": str(true)}
            state.keep_together(shown="region", **around)

    name = wording.MATRIX_NAMES[choice.matrix]
    show_heatmap(
        figure,
        key=f"map-{mark.number}",
        alt=f"{name}: given labels in rows, true labels in columns. The table below says the same.",
        file_name=f"{frame.dataset.name} {name}",
        on_click=clicked,
    )
    st.caption(describe_view(frame, choice, view))
    if frame.comparison:
        st.caption(describe_changes(frame, choice.matrix))


def _recall_mark(drawn: tuple[Choice, bool, str], cell: Cell | None) -> Mark:
    """Return the mark of the figure: it stays after a click, when the browser moves it itself.

    A figure with another mark would be another figure, sent and drawn anew. So it changes only
    where something else is drawn, or the cell was chosen otherwise than on the map.
    """
    before: Mark | None = st.session_state.get(MARK)
    if before and before.drawn == drawn and cell == (before.clicked or before.cell):
        return before
    mark = Mark(drawn, cell, number=before.number + 1 if before else 0)
    st.session_state[MARK] = mark
    return mark


def find_view(findings: Findings, choice: Choice, given: Findings) -> MatrixView:
    """Return the part of the matrix that is drawn, worked out once."""
    return of_analysis(
        findings, ("matrix view", choice), lambda: build_view(findings, choice, given)
    )


def find_order(given: Findings, order: ClassOrder) -> IntArray:
    """Return the classes in the order chosen, worked out once."""
    return of_analysis(given, ("class order", order), lambda: order_classes(given.joint, order))


def build_view(findings: Findings, choice: Choice, given: Findings) -> MatrixView:
    """Return the part of the matrix that is drawn.

    Which classes there are and where they stand is settled by the labels as given, so that
    nothing moves when decisions are taken in.
    """
    order = find_order(given, choice.order)
    if choice.view == "focus":
        focused = focus_classes(given)
        view = matrices.view_with_others(
            findings, choice.matrix, order[np.isin(order, focused)], diagonal=choice.diagonal
        )
    elif choice.view == "region":
        givens, trues = (
            _around(order, label) for label in (choice.region.given, choice.region.true)
        )
        view = matrices.view_classes(findings, choice.matrix, givens, trues)
    elif choice.view == "all" and len(order) > SQUARES:
        block = -(-len(order) // SQUARES)
        return matrices.view_overview(
            findings, choice.matrix, order, block, diagonal=choice.diagonal
        )
    else:
        view = matrices.view_classes(findings, choice.matrix, order, order)
    return view if choice.diagonal else matrices.hide_diagonal(view)


def list_classes(frame: Frame, choice: Choice) -> IntArray:
    """Return all classes in the order chosen; of more than WHOLE, the most confused."""
    given = frame.given
    order = find_order(given, choice.order)
    return order if choice.view == "whole" else order[np.isin(order, focus_classes(given))]


def find_shown(frame: Frame, choice: Choice) -> IntArray | None:
    """Return the classes that have a place of their own on a map with "(other)"."""
    return focus_classes(frame.given) if choice.view == "focus" else None


def focus_classes(findings: Findings) -> IntArray:
    """Return the classes that the focused view shows."""
    return find_most_confused(findings.joint, FOCUS)


def _around(order: IntArray, label: int) -> IntArray:
    place = int(np.flatnonzero(order == label)[0])
    start = min(max(place - REGION // 2, 0), max(len(order) - REGION, 0))
    return order[start : start + REGION]


def draw(
    frame: Frame, choice: Choice, view: MatrixView, chosen: tuple[int, int] | None, dark: bool
) -> go.Figure:
    """Return the figure of a view."""
    matrix, overview = choice.matrix, view.block > 1
    note = f"<br>the largest of {view.block} × {view.block} pairs · click to open"
    change = find_change(frame, choice, view) if frame.comparison else None
    return heatmaps.heatmap(
        view.values,
        [_name(frame, label) for label in view.row_classes],
        [_name(frame, label) for label in view.column_classes],
        write_hover(frame, view, change, diagonal=choice.diagonal),
        np.stack([view.givens, view.trues], axis=-1),
        write=lambda value: matrix_sentences.write_number(matrix, value),
        column_title="likeliest class" if matrix == "confusion" else "true label, as estimated",
        title=f"{wording.MATRIX_NAMES[matrix]} · {wording.shorten(frame.dataset.name, 20)}",
        bar_title="share" if matrix in matrices.SHARES else "examples",
        log=choice.log,
        diverging=matrix == "difference",
        dark=dark,
        chosen=chosen,
        hover_note=note if overview else "",
        change=change,
        scale=find_scale(view, change),
    )


def find_scale(view: MatrixView, change: heatmaps.Change | None) -> np.ndarray:
    """Return the values that set the colours: all but the others among themselves.

    These are so many pairs together that all single ones would pale beside them.
    """
    others = (view.givens == OTHER) & (view.trues == OTHER)
    return np.where(others, np.nan, change.before if change else view.values)


def find_change(frame: Frame, choice: Choice, view: MatrixView) -> heatmaps.Change:
    """Return how a view differs from the labels as given."""
    given = frame.given
    before = find_view(given, choice, given).values
    return heatmaps.Change(
        before,
        matrices.find_changes(choice.matrix, view.values, before),
        lambda difference: matrix_sentences.write_change(choice.matrix, difference),
    )


def _name(frame: Frame, label: int) -> str:
    return OTHER_NAME if label == OTHER else frame.class_names[label]


def write_hover(
    frame: Frame, view: MatrixView, change: heatmaps.Change | None = None, *, diagonal: bool
) -> list[list[str]]:
    """Return a sentence for each cell, as HTML, and by how much it changed."""
    size = max(view.values.shape)
    names = [*frame.class_names, matrix_sentences.ANY_OTHER]  # OTHER is -1
    if size > WHOLE_NAMES:
        names = wording.shorten_apart(names, heatmaps.NAME_LENGTH)
    names = [_write_name(name, size) for name in names]
    values = np.where(np.isnan(view.values), _diagonal_values(frame, view), view.values)
    changes = np.zeros_like(values) if change is None else change.by
    cells = (values, view.givens, view.trues, changes)

    def write(value: float, given: int, true: int, by: float) -> str:
        more = f"<br>{matrix_sentences.describe_change(view.matrix, by)}" if by else ""
        if view.block > 1 and value == 0:
            return NOTHING + more
        if given == true == OTHER:
            return matrix_sentences.describe_others(view.matrix, value, diagonal=diagonal) + more
        names_of_pair = names[given], names[true]
        said = matrix_sentences.describe(view.matrix, value, *names_of_pair, same=given == true)
        return said + more

    rows = zip(*(each.tolist() for each in cells), strict=True)
    return [[write(*cell) for cell in zip(*row, strict=True)] for row in rows]


def _diagonal_values(frame: Frame, view: MatrixView) -> np.ndarray:
    """Return what hidden cells hold: they have no ink, but they can be asked."""
    return matrices.read_matrix(frame.findings, view.matrix)[view.givens, view.trues]


def _write_name(name: str, size: int) -> str:
    if size > WHOLE_NAMES:
        return heatmaps.in_plotly(wording.isolate(name))
    lines = textwrap.wrap(name, 48) or [name]
    written = "<br>".join(heatmaps.in_plotly(wording.isolate(line)) for line in lines)
    return f"<b>{written}</b>" if size <= BOLD_NAMES else written


def describe_view(frame: Frame, choice: Choice, view: MatrixView) -> str:
    """Return which classes the map shows, in a sentence."""
    count = len(frame.class_names)
    if not choice.diagonal and not np.nan_to_num(view.values).any():
        return "On this map no class is taken for another."
    if view.block > 1:
        return (
            f"All {count:,} classes. Each square shows the largest of {view.block} × {view.block} "
            "pairs of classes, so no hot pair is lost. Click a square to open its classes."
        )
    if choice.view == "focus":
        return (
            f"The {FOCUS} classes with the most estimated errors, and the other "
            f"{count - FOCUS:,} together as {OTHER_NAME}; the last cell, of these among "
            "themselves, is beyond the colour scale. Click a cell for its examples."
        )
    if choice.view == "region":
        return f"A region of {REGION} × {REGION} of {count:,} classes. Click a cell for examples."
    return "Click a cell for its examples."


def describe_changes(frame: Frame, matrix: Matrix) -> str:
    """Return how many pairs of classes the decisions changed, and how that is marked."""
    findings, given = frame.findings, frame.given
    changed = of_analysis(
        findings, ("changed pairs", matrix), lambda: matrices.count_changes(matrix, findings, given)
    )
    count = len(frame.class_names)
    least = "half a point" if matrix in matrices.SHARES else "half an example"
    if not changed:
        return f"No pair of classes differs from the labels as given by {least} or more."
    verb = "differs" if changed == 1 else "differ"
    return (
        f"{changed:,} of {count * (count - 1):,} pairs of classes {verb} from the labels as given "
        f"by {least} or more: ▲ more, ▼ less. Colours are on the scale of the labels as given."
    )
