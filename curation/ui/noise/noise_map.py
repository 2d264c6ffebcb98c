"""The noise map on the page: drawing it, marking the chosen cell, and handling clicks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import streamlit as st

from curation import wording
from curation.analysis.matrices import Cell
from curation.ui.noise import cell_panel
from curation.ui.noise.map_choice import Choice, find_view
from curation.ui.noise.map_figure import describe_changes, describe_view, draw
from curation.ui.shell import state
from curation.ui.shell.cache import identify, of_analysis
from curation.ui.shell.setup import Frame, is_dark
from curation.ui.widgets.clickable_heatmap import show_heatmap

MARK = "noise.mark"  # in the session


@dataclass(frozen=True)
class Mark:
    """Which cell a figure marks, what was drawn with it, and where a click moved the mark."""

    drawn: tuple[Choice, bool, str] | None
    cell: Cell | None
    clicked: Cell | None = None
    number: int = 0


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
        if target is None:  # the cell stays chosen, and its mark is drawn again
            st.session_state[MARK] = replace(mark, drawn=None)
            return
        given, true = target
        cell_panel.choose_cell(Cell(given, true))
        st.session_state[MARK] = replace(mark, clicked=Cell(given, true))
        if opens_region:
            around = {"around_given": str(given), "around_true": str(true)}
            state.keep_together(shown="region", **around)

    name = wording.MATRIX_NAMES[choice.matrix]
    with st.container(key="wide-map"):
        show_heatmap(
            figure,
            key=f"map-{mark.number}",
            alt=f"{name}: given labels in rows, true labels in columns. See also the table below.",
            file_name=f"{frame.dataset.name} {name}",
            on_click=clicked,
        )
    st.html('<div class="cu-swipe">Move the map sideways to see all of it.</div>')
    st.caption(describe_view(frame, choice, view))
    if frame.comparison:
        st.caption(describe_changes(frame, choice.matrix))


def _recall_mark(drawn: tuple[Choice, bool, str], cell: Cell | None) -> Mark:
    """Return the mark of the figure: it stays after a click, when the browser moves it itself.

    Changing the mark changes the figure, which is then sent and drawn again. So the mark changes
    only if something else is drawn, or if the cell was not chosen on the map.
    """
    before: Mark | None = st.session_state.get(MARK)
    if before and before.drawn == drawn and cell == (before.clicked or before.cell):
        return before
    mark = Mark(drawn, cell, number=before.number + 1 if before else 0)
    st.session_state[MARK] = mark
    return mark
