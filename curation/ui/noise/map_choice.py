"""What the noise map draws: which matrix, which classes in which order, and how."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import numpy as np
import streamlit as st

from curation import wording
from curation.analysis import matrices
from curation.analysis.class_order import CLASS_ORDERS, ClassOrder, order_classes
from curation.analysis.findings import Findings
from curation.analysis.focus import find_most_confused
from curation.analysis.matrices import Cell, Matrix, MatrixView
from curation.core.matrix import IntArray
from curation.ui.shell import label_choice, state
from curation.ui.shell.cache import of_analysis
from curation.ui.shell.setup import Frame
from curation.ui.widgets import strength_note

MAX_WHOLE_CLASSES = 60  # with at most this many, the map shows them all
FOCUS_CLASSES = 30  # of the most confused pairs, if there are more; all their names can be read
REGION_CLASSES = 40  # rows and columns of a region
OVERVIEW_SQUARES = 100  # rows and columns of the view of all classes
VIEWS = ("focus", "all", "region")


@dataclass(frozen=True)
class Choice:
    """What is drawn; all of it is part of the link."""

    matrix: Matrix
    order: ClassOrder
    log: bool
    diagonal: bool
    view: str  # "whole" up to MAX_WHOLE_CLASSES classes, otherwise one of VIEWS
    region: Cell = Cell(0, 0)  # around which classes, in the region view


def show_title(frame: Frame) -> Frame:
    """Show the title and the choice of labels, and return the frame with these labels."""
    st.title("Noise", anchor=False)
    return label_choice.choose_labels(frame)


def show_heading(frame: Frame) -> None:
    """Show how much is wrong, how that differs from the labels as given, and what the map is."""
    wrong, total = frame.findings.estimated_errors, len(frame.findings.labels)
    number = f"{wrong:,.0f} of {wording.count_of(total, 'label')}"
    share, look = wording.write_share(wrong / total), wording.verb_of(wrong, "looks", "look")
    change = ""
    if frame.comparison:
        before = frame.given.estimated_errors, len(frame.given.labels)
        of = f" of {before[1]:,}" if before[1] != total else ""
        number = f"{before[0]:,.0f}{of} → {number}"
        share = f"{wording.write_share(before[0] / before[1])} → {share}"
        change = f", {label_choice.describe_change(wrong, before[0])}"
    threshold = frame.findings.threshold
    if threshold != "mean":
        st.info(wording.explain_percentile(float(threshold)))
    estimate = f"({share}) by {wording.name_estimate(threshold)} from this model{change}"
    said = f"About **{number}** {look} wrong {estimate}."
    if wrong < 0.5:
        at = "" if threshold == "mean" else f" at {wording.typical_for(threshold)}"
        said = f"**None** of {wording.count_of(total, 'label')} looks wrong{at}{change}."
    st.write(
        f"{said} The map shows which label was given (row) and which is probably true (column)."
    )
    strength_note.show_note(frame.findings.strength)


def show_choices(frame: Frame) -> Choice:
    """Show the controls for matrix, order, scale and classes, and return the choice."""
    if state.recall("matrix", "joint") == "mixing":  # its name in links of version 0.1.0
        state.keep("matrix", "inverse_noise_matrix", "joint")
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
            help="Show the labels that seem right. There are so many that other cells look pale.",
        )  # fmt: skip
    region = _choose_region(frame) if view == "region" else Cell(0, 0)
    return Choice(
        cast(Matrix, matrix), cast(ClassOrder, order), scale == "log", diagonal, view, region
    )


def _choose_view(frame: Frame) -> str:
    count = len(frame.class_names)
    if count <= MAX_WHOLE_CLASSES:
        return "whole"
    names = {
        "focus": f"{FOCUS_CLASSES} most confused",
        "all": f"all {count:,}",
        "region": "a region",
    }
    return state.choose(
        st.segmented_control, "Classes shown", "shown", VIEWS, "focus", required=True,
        format_func=names.get,
    )  # fmt: skip


def _choose_region(frame: Frame) -> Cell:
    """Show the controls for the classes at the centre of the region, also for keyboards."""
    largest = matrices.find_largest_cell(frame.given) or Cell(0, 0)
    labels = [str(label) for label in range(len(frame.class_names))]
    with st.container(horizontal=True, gap="medium"):
        given, true = (
            state.choose(
                st.selectbox, title, name, labels, str(default), width=320,
                format_func=lambda label: frame.class_names[int(label)],
            )
            for title, name, default in (
                (f"{REGION_CLASSES} given labels around", "around_given", largest.given),
                (f"{REGION_CLASSES} true labels around", "around_true", largest.true),
            )
        )  # fmt: skip
    return Cell(int(given), int(true))


def find_view(findings: Findings, choice: Choice, given: Findings) -> MatrixView:
    """Return the part of the matrix that is drawn, computed once."""
    return of_analysis(
        findings, ("matrix view", choice), lambda: build_view(findings, choice, given)
    )


def find_order(given: Findings, order: ClassOrder) -> IntArray:
    """Return the classes in the chosen order, computed once."""
    return of_analysis(given, ("class order", order), lambda: order_classes(given.joint, order))


def build_view(findings: Findings, choice: Choice, given: Findings) -> MatrixView:
    """Return the part of the matrix that is drawn.

    The labels as given set which classes are shown and in which order, so that nothing moves
    when decisions are included.
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
    elif choice.view == "all" and len(order) > OVERVIEW_SQUARES:
        block = -(-len(order) // OVERVIEW_SQUARES)
        return matrices.view_overview(
            findings, choice.matrix, order, block, diagonal=choice.diagonal
        )
    else:
        view = matrices.view_classes(findings, choice.matrix, order, order)
    return view if choice.diagonal else matrices.hide_diagonal(view)


def list_classes(frame: Frame, choice: Choice) -> IntArray:
    """Return all classes in the chosen order, or only the most confused if there are many."""
    given = frame.given
    order = find_order(given, choice.order)
    return order if choice.view == "whole" else order[np.isin(order, focus_classes(given))]


def find_shown(frame: Frame, choice: Choice) -> IntArray | None:
    """Return the classes that have their own row on a map with "(other)"."""
    return focus_classes(frame.given) if choice.view == "focus" else None


def focus_classes(findings: Findings) -> IntArray:
    """Return the classes that the focused view shows."""
    return of_analysis(
        findings, ("focus",), lambda: find_most_confused(findings.joint, FOCUS_CLASSES)
    )


def _around(order: IntArray, label: int) -> IntArray:
    place = int(np.flatnonzero(order == label)[0])
    start = min(max(place - REGION_CLASSES // 2, 0), max(len(order) - REGION_CLASSES, 0))
    return order[start : start + REGION_CLASSES]
