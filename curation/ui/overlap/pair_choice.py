"""The pairs of confused classes: how they are shown, and which one is chosen.

The chosen pair is in the link as `a` and `b`, by the index of the class: names may repeat.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from curation.analysis.class_pairs import list_pairs, list_vanished, make_pair
from curation.core.overlap import Pair
from curation.ui.shell import label_choice, state
from curation.ui.shell.cache import of_analysis
from curation.ui.shell.setup import Frame
from curation.ui.widgets import strength_note
from curation.wording import count_of, percent

VIEWS = {"table": "Table", "map": "Map of classes"}
FOLDS = {"both": "Both directions together", "each": "Each direction"}


@dataclass(frozen=True)
class View:
    """How the pairs are shown, and the pairs themselves, the largest first."""

    shape: str
    folded: bool
    only: int | None  # the class that all pairs hold
    pairs: Sequence[Pair]


def pairs_of(frame: Frame) -> list[Pair]:
    """Return every counted pair, both directions together; computed once."""
    return of_analysis(frame.findings, ("overlap pairs",), lambda: list_pairs(frame.findings))


def show_title(frame: Frame) -> Frame:
    """Show the title and the choice of labels, and return the frame with these labels."""
    st.title("Overlap", anchor=False)
    return label_choice.choose_labels(frame)


def show_heading(frame: Frame) -> None:
    """Show how much overlap there is; stop the page if there is none."""
    pairs = pairs_of(frame)
    if not pairs and not list_vanished(frame.findings, frame.given):
        st.success(
            "No two classes overlap: no example is confidently of a class other than its label.",
            icon=":material/check:",
        )
        st.stop()
    total = sum(pair.total for pair in pairs)
    top = pairs[: min(len(pairs), 8)]
    share = percent(sum(pair.total for pair in top) / max(total, 1), digits=0)
    most = (
        f" The {len(top)} largest pairs account for {share} of them."
        if len(pairs) > len(top)
        else ""
    )
    if frame.comparison:
        before = sum(pair.total for pair in list_pairs(frame.given))
        most = f", {label_choice.describe_change(total, before)}.{most}"
    else:
        most = f".{most}"
    st.markdown(
        f"Classes that mean nearly the same are easily confused. {count_of(total, 'example')} "
        f"{'is' if total == 1 else 'are'} counted between "
        f"{'two classes' if len(pairs) == 1 else f'{len(pairs):,} pairs of classes'}{most}"
    )
    strength_note.show_note(frame.findings.strength)


def choose_view(frame: Frame) -> View:
    """Show the controls above the table, and return the view they describe."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="overlap-controls"):
        shape = state.choose(
            st.segmented_control, "Show as", "view", tuple(VIEWS), "table",
            format_func=VIEWS.__getitem__, required=True,
        )  # fmt: skip
        fold = "both"
        if shape == "table":
            fold = state.choose(
                st.segmented_control, "Rows", "rows", tuple(FOLDS), "both",
                format_func=FOLDS.__getitem__, required=True,
            )  # fmt: skip
        only = _choose_class(frame)
    pairs = [pair for pair in pairs_of(frame) if only is None or only in (pair.a, pair.b)]
    return View(shape, fold == "both", only, pairs)


def _choose_class(frame: Frame) -> int | None:
    """Show the search for a class and return the one chosen."""
    names, key = frame.class_names, "widget.class"
    current = frame.dataset.find_class(state.recall("class", ""))
    if st.session_state.get(key) != current or key not in st.session_state:
        st.session_state[key] = current

    def changed() -> None:
        chosen = st.session_state[key]
        filter_by(None if chosen is None else int(chosen))

    st.selectbox(
        "Only pairs of", range(len(names)), index=None, key=key, on_change=changed, width=320,
        format_func=lambda label: names[label], placeholder="all classes; type to search",
    )  # fmt: skip
    return current


def filter_by(label: int | None) -> None:
    """Show the pairs of one class, and choose the largest of them."""
    state.forget("a", "b", "class")
    if label is not None:
        state.keep("class", str(label))


def choose_pair(frame: Frame, view: View) -> Pair | None:
    """Return the pair in the link, otherwise the largest one shown, which is put into the link."""
    _forget_other_datasets(frame)
    a, b = (frame.dataset.find_class(state.recall(name, "")) for name in ("a", "b"))
    if a is not None and b is not None and a != b:
        return make_pair(frame.findings, a, b)
    state.forget("a", "b")
    if not view.pairs:
        return None
    pick(view.pairs[0].a, view.pairs[0].b)
    return view.pairs[0]


def pick(a: int, b: int) -> None:
    """Choose a pair."""
    state.keep_together(a=str(a), b=str(b))


def _forget_other_datasets(frame: Frame) -> None:
    """Drop a pair that was chosen in another dataset, unless the link names it."""
    slot = "overlap.source"
    if st.session_state.get(slot, frame.source) != frame.source:
        for name in ("a", "b", "class"):
            if name not in st.query_params:
                state.forget(name)
    st.session_state[slot] = frame.source
