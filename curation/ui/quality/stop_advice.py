"""Whether to go on: what an error is worth to the curator, the advice, and the chart behind it."""

from __future__ import annotations

import numpy as np
import streamlit as st

from curation.charts import quality_charts
from curation.quality.stopping import DEFAULT_VALUE, MIN_JUDGED, Advice
from curation.review.quality_summary import QualitySummary
from curation.store import Store
from curation.ui.overview.overview_charts import QUIET_CHART
from curation.ui.quality.quality_state import find_advice
from curation.ui.shell import links, state
from curation.ui.shell.setup import Frame, is_dark

VALUES = ("2", "5", "10", "20", "50", "100")
MOST_POINTS = 1_000  # of the curve of errors found


def show_advice(frame: Frame, store: Store, summary: QualitySummary) -> Advice | None:
    """Show the advice with its reason, and errors found against labels judged; return it."""
    st.subheader("Stop or go on", anchor=False)
    advice = find_advice(frame, store, summary.known, _choose_value())
    if advice is None:
        need = MIN_JUDGED - len(summary.known)
        st.info(f"Judge {need} more {'label' if need == 1 else 'labels'} to get advice.")
    else:
        st.markdown(f"**{advice.headline}.** {advice.reason}")
        if advice.go_on:
            links.show_link(links.REVIEW, "Review the next →", key="review")
    if len(summary.history) or advice is not None:
        _show_chart(summary, advice)
    return advice


def _choose_value() -> int:
    """Show the question what an error is worth, and return the answer in reviews."""
    chosen = state.choose(
        st.segmented_control, "To find one more wrong label, I would check this many", "worth",
        VALUES, str(DEFAULT_VALUE),
        help="What an error left in is worth to you, in reviews. If fewer than one in so many "
        "labels ahead is wrong, it is time to stop.",
    )  # fmt: skip
    return int(chosen)


def _show_chart(summary: QualitySummary, advice: Advice | None) -> None:
    reviewed = len(summary.history)
    places = np.unique(np.linspace(0, reviewed, min(reviewed + 1, MOST_POINTS)).astype(np.int64))
    found = np.concatenate([[0], summary.history])[places]
    none = np.zeros(0)
    ahead, expected, low, high = none, none, none, none
    if advice is not None and len(advice.forecast.reviews):
        forecast, now = advice.forecast, summary.errors_found
        ahead = np.concatenate([[reviewed], reviewed + forecast.reviews])
        expected, low, high = (
            np.concatenate([[now], now + each])
            for each in (forecast.expected, forecast.low, forecast.high)
        )
    figure = quality_charts.errors_found(
        places, found, ahead, expected, low, high,
        stop_at=reviewed + advice.best_reviews if advice else None, dark=is_dark(),
    )  # fmt: skip
    st.plotly_chart(
        figure, config=QUIET_CHART, key="errors-found",
        alt="Errors found against labels judged, with a forecast",
    )  # fmt: skip
    if len(ahead):
        st.caption(
            "The band is a forecast: it assumes that labels ahead are wrong as often as judged "
            "labels that the model doubts as much."
        )
