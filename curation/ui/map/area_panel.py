"""What is selected on the map: how many, of which classes, what they look like, and where to go."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st

from curation.core.matrix import IntArray
from curation.neighbours.map_area import Area
from curation.review.flagged_examples import mark_flagged
from curation.ui.map.point_choice import MapChoice
from curation.ui.map.point_map import MAX_DRAWN
from curation.ui.shell import links
from curation.ui.shell.setup import Frame
from curation.ui.widgets.gallery import Tile, show_gallery
from curation.ui.widgets.literal_text import escape
from curation.wording import count_of, from_to, isolate

MAX_PICTURES_SHOWN, MAX_TEXTS_SHOWN = 24, 8
CLASSES_NAMED = 6


def show_area(frame: Frame, choice: MapChoice, area: Area | None) -> None:
    """Show what is selected, with a link that reviews exactly these examples."""
    shown = int(choice.shown.sum())
    if shown > MAX_DRAWN:
        st.caption(
            f"The map draws a random sample: {MAX_DRAWN:,} of {shown:,}. A selection holds all "
            "examples inside it, drawn or not."
        )
    if area is None:
        st.markdown("**Nothing is selected**")
        st.caption(
            "Draw around examples to see them here. Zoom with Ctrl and the wheel; drag the map "
            "with Shift, or after Move. Click a colour below the map to see its examples alone."
        )
        return
    rows = np.flatnonzero(area.find_inside(choice.neighbours) & choice.shown)
    rows = rows[np.argsort(frame.findings.normalized_margin[rows], kind="stable")]
    heading = f"Selected: {count_of(len(rows), 'example')}"
    classes = describe_classes(frame.findings.labels[rows], frame.class_names)
    st.html(
        f'<h4 class="cu-cell" style="overflow-wrap:anywhere;margin:0">{escape(heading)}</h4>'
        f'<div class="cu-quiet" style="overflow-wrap:anywhere">{escape(classes)}</div>'
    )
    if not len(rows):
        return
    links.show_link(
        links.REVIEW, f"Review {'these' if len(rows) > 1 else 'it'} →", key="review-area",
        primary=True, view="grid", area=area.write(),
        status=None if choice.only_undecided else "all",
        scope="flagged" if choice.only_flagged else "all",
    )  # fmt: skip
    _show_examples(frame, rows)


def _show_examples(frame: Frame, rows: IntArray) -> None:
    first = rows[: MAX_TEXTS_SHOWN if frame.dataset.kind == "text" else MAX_PICTURES_SHOWN]
    flagged = mark_flagged(frame.findings, frame.settings.method, frame.merges)
    names, findings = frame.class_names, frame.findings
    tiles = []
    for row in first.tolist():
        given, suggested = names[findings.labels[row]], names[findings.suggested_labels[row]]
        tiles.append(Tile(row, from_to(given, suggested) if flagged[row] else isolate(given)))
    show_gallery(frame.dataset, tiles, width="6.6rem")
    if len(rows) > len(first):
        st.caption(f"The {len(first)} most suspect of {len(rows):,}.")


def describe_classes(labels: IntArray, names: Sequence[str]) -> str:
    """Return how many examples have each label, the most frequent first.

    >>> describe_classes(np.array([1, 0, 1]), ["cat", "dog"])
    'dog 2, cat 1'
    """
    counts = np.bincount(labels, minlength=len(names))
    order = [label for label in np.argsort(-counts, kind="stable").tolist() if counts[label]]
    named = [f"{isolate(names[label])} {counts[label]:,}" for label in order[:CLASSES_NAMED]]
    rest = order[CLASSES_NAMED:]
    if rest:
        more = int(counts[rest].sum())
        named.append(f"{count_of(len(rest), 'other class', 'other classes')} {more:,}")
    return ", ".join(named)
