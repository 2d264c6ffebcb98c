"""The top of the Quality page: what is certain, what was found, what is left, and the advice."""

from __future__ import annotations

import streamlit as st

from curation.analysis.model_strength import WORTH
from curation.quality.stopping import Advice
from curation.review.quality_summary import QualitySummary, compare_with_estimate
from curation.ui.shell.setup import Frame
from curation.ui.widgets import strength_note
from curation.ui.widgets.cards import make_card
from curation.ui.widgets.literal_text import show_error
from curation.wording import count_of, percent, percent_at_most


def show_headline(summary: QualitySummary, advice: Advice | None) -> None:
    """Show four numbers in words."""
    cards = [
        _make_claim_card(summary),
        _make_found_card(summary),
        _make_left_card(summary),
        _make_advice_card(advice),
    ]
    st.html(f'<div class="cu-cards cu-four">{"".join(cards)}</div>')
    if summary.problem is not None:
        show_error(summary.problem)


def _make_claim_card(summary: QualitySummary) -> str:
    labels = f"{summary.num_examples:,} labels"
    if summary.judged is None:
        note = "An audit measures it: a random sample that people judge."
        return make_card(f"How many of the {labels} are wrong?", "not measured", note, first=True)
    quality, audit = summary.judged.quality, summary.judged.audit
    note = (
        f"however often you looked · {quality.judged:,} of {quality.planned:,} audited, "
        f"seed {audit.seed}"
    )
    total = quality.total_errors
    if total.low == total.high:
        return make_card(
            "All labels were judged",
            f"{total.high:,.0f} of {summary.num_examples:,} wrong",
            note,
            first=True,
        )
    if not quality.judged or total.high >= summary.num_examples:
        return make_card("An audit was drawn", "not measured yet", note, first=True)
    share = percent_at_most(total.high / summary.num_examples)
    title = f"Of the {labels}, these are wrong ({100 * quality.confidence:g} % certain)"
    return make_card(title, f"At most {share}", note, first=True)


def _make_found_card(summary: QualitySummary) -> str:
    judged = len(summary.known)
    note = f"in {count_of(judged, 'label')} judged right or wrong"
    if judged:
        note += f", {percent(summary.errors_found / judged)} of them"
    return make_card("Errors found", f"{summary.errors_found:,}", note)


def _make_left_card(summary: QualitySummary) -> str:
    left = summary.errors_left
    if left is None or (summary.judged and not summary.judged.quality.judged):
        return make_card("Left", "not known", "an audit says how many nobody has found")
    note = f"{left.low:,.0f} to {left.high:,.0f} wrong labels that nobody has found"
    return make_card("Left", f"about {left.estimate:,.0f}", note)


def _make_advice_card(advice: Advice | None) -> str:
    if advice is None:
        return make_card("Stop or go on?", "Go on", "advice needs at least 10 judged labels")
    verdict, _, rest = advice.headline.partition(": ")
    return make_card("Stop or go on?", verdict, rest)


def show_estimate(frame: Frame, summary: QualitySummary) -> None:
    """Show what confident learning alone says, and how good that was."""
    st.subheader("The estimate from the model alone", anchor=False)
    st.markdown(compare_with_estimate(frame.findings, summary.judged))
    st.caption(WORTH)
    strength_note.show_note(frame.findings.strength)
