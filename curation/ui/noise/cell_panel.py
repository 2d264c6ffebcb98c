"""The chosen cell of the noise map, and its examples next to the map."""

from __future__ import annotations

import numpy as np
import streamlit as st

from curation import wording
from curation.analysis import matrices, matrix_sentences
from curation.analysis.findings import Method
from curation.analysis.matrices import OTHER, Basis, Cell, Matrix, MatrixView
from curation.core.matrix import IntArray
from curation.review.queue_filters import Filters, QueueSource, find_rows
from curation.ui.shell import links, state
from curation.ui.shell.setup import Frame
from curation.ui.widgets.gallery import Tile, show_gallery
from curation.ui.widgets.literal_text import escape, in_markdown

OTHER_IN_LINK = "other"
MAX_PICTURES_SHOWN, MAX_TEXTS_SHOWN = 12, 6  # examples next to the map
MAX_NAME_LENGTH = 30  # characters in a link
OVERLAP = "pages/2_Overlap.py"


def choose_cell(cell: Cell) -> None:
    """Keep a cell as the chosen one, in the session and the link."""
    given, true = (
        OTHER_IN_LINK if each == OTHER else str(each) for each in (cell.given, cell.true)
    )
    state.keep_together(given=given, true=true)


def recall_cell(frame: Frame, view: MatrixView, *, with_others: bool) -> Cell | None:
    """Return the cell chosen by the link or a click, otherwise the largest on the map."""
    _forget_other_dataset(frame)
    labels = [
        _find_label(frame, state.recall(name, ""), with_others=with_others)
        for name in ("given", "true")
    ]
    if labels[0] is None or labels[1] is None:
        return matrices.find_largest_cell(frame.findings, view)
    return Cell(labels[0], labels[1])


def _forget_other_dataset(frame: Frame) -> None:
    """Drop the classes chosen in another dataset."""
    before = st.session_state.get("noise.source", frame.source)
    if before != frame.source:
        state.forget("given", "true", "around_given", "around_true")
    st.session_state["noise.source"] = frame.source


def _find_label(frame: Frame, text: str, *, with_others: bool) -> int | None:
    """Return the class that a link names, or OTHER for the classes that are not shown."""
    if text == OTHER_IN_LINK and with_others:
        return OTHER
    return frame.dataset.find_class(text)


def show_cell(frame: Frame, cell: Cell | None, matrix: Matrix, shown: IntArray | None) -> None:
    """Show the examples of a cell of a matrix, worst first, and links to other pages."""
    if cell is None:
        st.success(
            "No example is confidently of a class other than its label. There is nothing to show."
        )
        return
    if cell.is_diagonal and cell.given == OTHER:
        st.info('These are the pairs between classes that are not shown. Choose "all" to see them.')
        return
    basis = matrices.find_basis(frame.findings, matrix, cell, shown)
    method, likeliest = basis or frame.settings.method, basis == "confusion"
    rows = matrices.find_rows(frame.findings, cell, method, shown, likeliest=likeliest)
    confirmed = 0
    if not cell.is_diagonal:
        rows, confirmed = frame.split_confirmed(rows)
    given, true = (_name(frame, label) for label in (cell.given, cell.true))
    heading = matrix_sentences.head_cell(cell, given, true, len(rows), likeliest=likeliest)
    st.html(f'<h4 class="cu-cell" style="overflow-wrap:anywhere;margin:0">{escape(heading)}</h4>')
    said = _explain_difference(basis) if matrix == "difference" else ""
    st.caption(said + _explain(frame, cell, basis) + _tell_change(frame, cell, confirmed))
    _show_links(frame, cell, rows, method)
    first = rows[: MAX_TEXTS_SHOWN if frame.dataset.kind == "text" else MAX_PICTURES_SHOWN]
    tiles = [_tile(frame, int(row), likeliest=likeliest) for row in first]
    show_gallery(frame.dataset, tiles, width="6.6rem")
    if len(rows) > len(first):
        st.caption(f"The {len(first)} most suspect of {len(rows):,}.")


def _name(frame: Frame, label: int) -> str:
    return matrix_sentences.ANY_OTHER if label == OTHER else frame.class_names[label]


def _tile(frame: Frame, row: int, *, likeliest: bool) -> Tile:
    findings = frame.findings
    other = (findings.predicted_labels if likeliest else findings.suggested_labels)[row]
    confidence = float(frame.dataset.pred_probs[row, other])
    name = "likeliest" if likeliest else "probably"
    words = f"labelled {findings.self_confidence[row]:.2f} · {name} {confidence:.2f}"
    # without content, the id is shown in its place already
    return Tile(row, words, "" if frame.dataset.kind == "index" else str(frame.dataset.ids[row]))


def _tell_change(frame: Frame, cell: Cell, confirmed: int) -> str:
    """Return the estimate for the labels as given, and how many labels a person confirmed."""
    if frame.comparison is None:
        return ""
    said = ""
    if OTHER not in (cell.given, cell.true):
        before = len(frame.given.labels) * frame.given.joint[cell.given, cell.true]
        number = matrix_sentences.count_examples(before)
        said = f" With the labels as given, the joint estimates {number}."
    if confirmed:
        labels = "a label" if confirmed == 1 else "labels"
        said += f" Not shown: {confirmed:,} more with {labels} confirmed by a person."
    return said


def _explain_difference(basis: Basis | None) -> str:
    """Return which of the two estimates the examples of a difference come from."""
    if basis == "confusion":
        return (
            "Confusion estimates more here than thresholds do; shown are the examples it counts. "
        )
    return "Thresholds estimate at least as much as confusion; shown are the examples they count. "


def _explain(frame: Frame, cell: Cell, basis: Basis | None) -> str:
    """Return where the number of examples comes from, with both estimates."""
    findings = frame.findings
    if OTHER in (cell.given, cell.true):
        return "All classes that are not on the map, taken together."
    if basis == "confusion":
        which = "their own" if cell.is_diagonal else "the second"
        return (
            f"The model finds {which} class likeliest, however unsure it is, "
            "whether or not they are flagged."
        )
    counted = wording.count_of(findings.confident_joint[cell.given, cell.true], "example")
    estimated = matrix_sentences.count_examples(
        len(findings.labels) * findings.joint[cell.given, cell.true]
    )
    if cell.is_diagonal:
        return (
            f"The model is at least as sure of this class {wording.as_it_is(findings.threshold)}. "
            f"The confident joint counts {counted}; scaled to all examples with this label, the "
            f"joint estimates {estimated}. The least sure come first."
        )
    if basis:
        return (
            "The model is at least as sure of the second class "
            f"{wording.as_it_is(findings.threshold)}. Scaled to all examples with this label, the "
            f"joint estimates {estimated}."
        )
    method = wording.METHOD_NAMES[frame.settings.method].lower()
    return (
        f"Flagged by {method}, with the second class as the suggested label. The confident joint "
        f"counts {counted}; scaled to all examples with this label, the joint estimates "
        f"{estimated}."
    )


def _show_links(frame: Frame, cell: Cell, rows: IntArray, method: Method) -> None:
    if cell.is_diagonal or not len(rows):
        return
    given, true = (None if label == OTHER else label for label in (cell.given, cell.true))
    filters = Filters(
        method=method,
        given=() if given is None else (given,),
        suggested=() if true is None else (true,),
    )
    queue = find_rows(QueueSource(frame.dataset, frame.given, merges=frame.merges), filters)
    with st.container(horizontal=True, vertical_alignment="center"):
        if len(queue):
            links.show_link(
                links.REVIEW, _name_review_link(frame, cell, rows, queue), key="cell-review",
                primary=True, given=given, true=true, method=method,
            )  # fmt: skip
        if OTHER not in (cell.given, cell.true):
            links.show_link(OVERLAP, "Compare classes", key="cell-overlap", a=given, b=true)
    if method != frame.settings.method:
        name = wording.METHOD_NAMES[method].lower()
        st.caption(f"Review will then flag by the {name}, and so will the other pages.")


def _name_review_link(frame: Frame, cell: Cell, rows: IntArray, queue: IntArray) -> str:
    """Return the text of the link to Review, which may open more than these examples."""
    if frame.comparison and OTHER not in (cell.given, cell.true):
        return "Review this pair →"  # the queue uses the labels as given, and may hold others
    if not frame.comparison and np.array_equal(np.sort(rows), np.sort(queue)):
        return "Review this one →" if len(rows) == 1 else f"Review these {len(rows):,} →"
    known = cell.given if cell.true == OTHER else cell.true
    name = in_markdown(wording.shorten(frame.class_names[known], MAX_NAME_LENGTH))
    many = "" if frame.comparison else f" {len(queue):,}"
    if OTHER in (cell.given, cell.true):
        return f"Review all{many} {'labelled' if cell.true == OTHER else 'that look like'} {name} →"
    return f"Review{many} suggested as {name} →"
