"""How precise the flags were: the five methods, along the rank, and by pair of classes."""

from __future__ import annotations

import streamlit as st

from curation.charts import quality_charts
from curation.quality import Interval
from curation.quality.measured_precision import (
    Precision,
    measure_along_rank,
    measure_methods,
    measure_pairs,
)
from curation.review.quality_summary import QualitySummary
from curation.ui.overview.overview_charts import QUIET_CHART
from curation.ui.shell.setup import Frame, is_dark
from curation.ui.widgets.wrapping_table import show_table
from curation.wording import METHOD_NAMES, count_of, from_to, percent, percent_range

PAIRS_SHOWN = 20


def show_methods(frame: Frame, summary: QualitySummary) -> None:
    """Show the five methods side by side: by the audit if it allows it, else by the decisions."""
    st.subheader("Which method suits this dataset", anchor=False)
    comparison = summary.comparison
    if not summary.known:
        st.caption("What you judge measures the five methods, best as part of an audit.")
        return
    if comparison is None:
        st.caption(
            "Of what you have judged so far. Once 20 labels of an audit are judged, it measures "
            "all five methods on all labels."
        )
        _show_reviewed(frame, summary)
        return
    st.markdown(comparison.advice)
    show_table(
        ("method", "flagged", "of these wrong", "share of errors found"),
        [
            (METHOD_NAMES[each.method], each.num_flagged, _write(each.precision),
             _write(each.recall))
            for each in comparison.methods
        ],
    )  # fmt: skip
    st.caption(
        "By the audit, about all labels. The intervals of a column hold together with "
        f"{100 * comparison.confidence:g} % certainty, however often you look."
    )


def _show_reviewed(frame: Frame, summary: QualitySummary) -> None:
    show_table(
        ("method", "flagged", "judged", "of these wrong", "share of errors found"),
        [
            (METHOD_NAMES[each.method], each.flagged, each.precision.judged,
             _write_share(each.precision.share), _write_share(each.share_found))
            for each in measure_methods(frame.findings, summary.known)
        ],
    )  # fmt: skip


def _write(interval: Interval) -> tuple[str, str]:
    return percent(interval.estimate), percent_range(interval.low, interval.high)


def _write_share(share: float | None) -> str:
    return "" if share is None else percent(share)


def show_precision(frame: Frame, summary: QualitySummary) -> None:
    """Show the share of real errors among what was judged, along the rank and by pair."""
    st.subheader("How many flags were real", anchor=False)
    judged = sum(1 for row in summary.known if frame.findings.mask(frame.settings.method)[row])
    if not judged:
        st.caption("No flagged label is judged yet. Start on Review.")
        return
    st.caption(
        f"Of {count_of(judged, 'flagged label')} judged right or wrong. The most suspect are on "
        "the left. Bars are 95 % intervals if the other labels are like those judged."
    )
    rank, pairs = st.container(key="quality-flags").columns(2, gap="medium")
    with rank:
        _show_rank(frame, summary)
    with pairs:
        _show_pairs(frame, summary)


def _show_rank(frame: Frame, summary: QualitySummary) -> None:
    blocks = measure_along_rank(frame.findings, summary.known, frame.settings.method)
    intervals = [block.precision.interval for block in blocks]
    names = [f"{block.first:,}–{block.last:,}" for block in blocks]
    figure = quality_charts.precision_along_rank(
        names,
        [block.precision.share for block in blocks],
        [low for low, _ in intervals],
        [high for _, high in intervals],
        [f"{name}: {_count(b.precision)}" for name, b in zip(names, blocks, strict=True)],
        dark=is_dark(),
    )
    st.plotly_chart(
        figure, config=QUIET_CHART, key="precision-rank",
        alt="Share of wrong labels among those judged, along the rank",
    )  # fmt: skip


def _count(precision: Precision) -> str:
    return f"{precision.wrong:,} of {precision.judged:,} judged are wrong"


def _show_pairs(frame: Frame, summary: QualitySummary) -> None:
    found = measure_pairs(frame.findings, summary.known, frame.settings.method)[:PAIRS_SHOWN]
    names = frame.class_names
    show_table(
        ("given → suggested", "flagged", "judged", "wrong", "95 % interval"),
        [
            (from_to(names[each.given], names[each.suggested]), each.flagged,
             each.precision.judged, each.precision.wrong,
             percent_range(*each.precision.interval))
            for each in found
        ],
    )  # fmt: skip
