"""One pair of classes in detail: what kind of overlap it looks like, and its examples."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st

from curation.analysis.class_pairs import (
    KIND_RULES,
    Suggestion,
    find_doubtful,
    suggest,
)
from curation.analysis.typical_examples import find_typical
from curation.core.overlap import OverlapKind, Pair
from curation.ui.shell.cache import of_analysis
from curation.ui.shell.links import NOISE, REVIEW, show_link
from curation.ui.shell.setup import Frame
from curation.ui.widgets.gallery import Tile, show_gallery
from curation.ui.widgets.literal_text import escape, in_markdown
from curation.wording import isolate, shorten, shorten_apart, write_share

TYPICAL_SHOWN, DOUBTFUL_SHOWN = 4, 8  # pictures
MAX_TEXTS_SHOWN = 4  # of either kind
TILE_WIDTH = "6.4rem"  # four side by side in half a page
MAX_NAME_LENGTH = 60  # characters in a heading

# The paper's colours for kinds of issue: red errors, green ontological, blue multi-label.
COLOURS: dict[OverlapKind, str] = {
    "same name": "46,139,87",
    "one way": "46,139,87",
    "interchangeable": "46,139,87",
    "together": "47,111,174",
    "errors": "200,60,50",
    "look alike": "200,60,50",
}


def show_header(frame: Frame, pair: Pair) -> None:
    """Show both names, how many examples are in doubt, and the suggested kind of overlap."""
    suggestion = of_analysis(
        frame.findings, ("suggested kind", pair.a, pair.b),
        lambda: suggest(pair, frame.dataset.class_names, frame.findings, frame.dataset.pred_probs),
    )  # fmt: skip
    with st.container(gap="xsmall"):
        st.html(_summary(frame, pair) + _kind(suggestion))
        with st.container(horizontal=True, vertical_alignment="center"):
            with st.popover("How is this suggested?", type="tertiary", icon=":material/help:"):
                st.markdown(KIND_RULES)
            _link_to_noise(frame, pair)


def _summary(frame: Frame, pair: Pair) -> str:
    share = write_share(pair.total / max(pair.size, 1))
    before = ""
    if frame.comparison:
        counts = frame.given.confident_joint
        before = f"; as given {counts[pair.a, pair.b]:,} + {counts[pair.b, pair.a]:,}"
    either = f"of the {pair.size:,} examples with either label"
    doubt = f"{pair.a_to_b:,} + {pair.b_to_a:,} examples in doubt, {share} {either}"
    if not pair.total:
        doubt = f"None {either} is in doubt"
    return (
        f'<div class="ov-pair">{_name(frame, pair.a)}<i>↔</i>{_name(frame, pair.b)}</div>'
        f'<div class="ov-sum">{doubt}{before}</div>'
    )


def _name(frame: Frame, label: int) -> str:
    name, each = frame.dataset.class_names[label], frame.dataset.class_ids[label]
    short_name, short_id = (
        escape(isolate(shorten(text, MAX_NAME_LENGTH))) for text in (name, each)
    )
    small = f"<small>{short_id}</small>" if each != name else ""
    return f'<span title="{escape(name)}">{short_name}</span>{small}'


def _kind(suggestion: Suggestion | None) -> str:
    if suggestion is None:
        return ""
    colour = COLOURS[suggestion.kind]
    pill = f"background:rgba({colour},.16);box-shadow:inset 0 0 0 1px rgba({colour},.55)"
    return (
        f'<div class="ov-kind">looks like:<b style="{pill}">{escape(suggestion.words)}</b>'
        f"{escape(suggestion.reason).replace(' %', '&nbsp;%')}</div>"
    )


def show_examples(frame: Frame, pair: Pair) -> None:
    """Show typical examples of each class, and below them those in doubt."""
    directions = ((pair.b, pair.a), (pair.a, pair.b))
    for column, (_, true) in zip(st.columns(2, gap="medium"), directions, strict=True):
        with column:
            _show_typical(frame, true)
    for column, (given, true) in zip(st.columns(2, gap="medium"), directions, strict=True):
        with column:
            _show_doubtful(frame, given, true)
    st.caption("Under each example in doubt: the probability of the suggested vs the given label.")


def _show_typical(frame: Frame, label: int) -> None:
    name = isolate(shorten(frame.class_names[label], MAX_NAME_LENGTH))
    most = MAX_TEXTS_SHOWN if frame.dataset.kind == "text" else TYPICAL_SHOWN
    rows = find_typical(frame.findings, label, most)
    _subheading(f"Typical {name}", "most confident first")
    if not len(rows):
        st.caption("No example has this label and this prediction.")
    _show(frame, rows, [f"{score:.2f}" for score in frame.findings.self_confidence[rows]])


def _show_doubtful(frame: Frame, given: int, true: int) -> None:
    both = [frame.class_names[label] for label in (given, true)]
    names = [*map(isolate, shorten_apart(both, MAX_NAME_LENGTH))]
    rows, confirmed = frame.split_confirmed(find_doubtful(frame.findings, given, true))
    more = f", {confirmed:,} more confirmed by a person" if confirmed else ""
    _subheading(f"Labelled {names[0]}, probably {names[1]}", f"{len(rows):,}{more}")
    if not len(rows):
        st.caption("None.")
        return
    most = MAX_TEXTS_SHOWN if frame.dataset.kind == "text" else DOUBTFUL_SHOWN
    shown = rows[:most]
    sure = np.asarray(frame.dataset.pred_probs[shown, np.full(len(shown), true)], dtype=float)
    own = frame.findings.self_confidence[shown]
    captions = [f"{new:.2f} vs {old:.2f}" for new, old in zip(sure, own, strict=True)]
    _show(frame, shown, captions)
    _link_to_review(frame, given, true, len(rows))


def _show(frame: Frame, rows: Sequence[int] | np.ndarray, captions: Sequence[str]) -> None:
    tiles = [Tile(int(row), words) for row, words in zip(rows, captions, strict=True)]
    if tiles:
        show_gallery(frame.dataset, tiles, width=TILE_WIDTH)


def _subheading(words: str, detail: str) -> None:
    st.html(f'<div class="ov-sub">{escape(words)}<small>{escape(detail)}</small></div>')


def _link_to_review(frame: Frame, given: int, true: int, count: int) -> None:
    # by the confident joint, even if another method is set: the table counts these examples
    words = "this one" if count == 1 else f"these {count:,}"
    if frame.comparison:  # the queue uses the labels as given, and may hold other examples
        words = "this pair"
    show_link(
        REVIEW, f"Review {words} →", key=f"overlap-review-{given}-{true}",
        given=given, true=true, method="confident_joint",
    )  # fmt: skip


def _link_to_noise(frame: Frame, pair: Pair) -> None:
    names = shorten_apart([frame.class_names[each] for each in (pair.a, pair.b)], 30)
    name_a, name_b = map(in_markdown, names)
    words = f"{name_a} → {name_b} in the noise map"
    show_link(NOISE, words, key="overlap-noise", given=pair.a, true=pair.b)
