"""Where the true labels are known: how well the joint was estimated, as in the paper's Figure 3."""

from __future__ import annotations

import numpy as np
import streamlit as st

from curation import heatmaps, matrices, wording
from curation.core.focus import find_most_confused
from curation.core.matrix import IntArray
from curation.ui.heatmap import picture_config
from curation.ui.memo import once
from curation.ui.setup import Frame, is_dark

SHOWN = 40  # classes; of more, the most confused


def show_truth(frame: Frame) -> None:
    """Show the true joint, the estimate and the difference, with the error and the flags' worth."""
    true_labels = frame.dataset.true_labels
    if true_labels is None or not (true_labels >= 0).any():
        return
    findings, names = frame.findings, frame.class_names
    actual = once(
        findings,
        "true joint",
        lambda: matrices.count_true_joint(findings.labels, true_labels, len(names)),
    )
    st.subheader("Against the true labels")
    error = float(np.sqrt(np.mean((findings.joint - actual) ** 2)))
    digits = 4 if error >= 0.0005 else 6  # with many classes each entry is small, and so is it
    st.write(
        f"This dataset comes with true labels. The estimated joint is off by "
        f"**{error:.{digits}f}** (RMSE over all {actual.size:,} entries). "
        f"{_judge_flags(frame, true_labels)}"
    )
    shown = find_most_confused(actual, SHOWN)
    part = np.ix_(shown, shown)
    figure = heatmaps.comparison(
        100 * actual[part],
        100 * findings.joint[part],
        [names[label] for label in shown],
        dark=is_dark(),
    )
    st.plotly_chart(
        figure, key="truth", theme=None, config=picture_config(f"{frame.dataset.name} truth"),
        alt="True joint, estimated joint and their absolute difference, in per cent of examples.",
    )  # fmt: skip
    part_of = f" The {SHOWN} most confused of {len(names):,} classes." if len(names) > SHOWN else ""
    st.caption(
        "Values are × 100, as in the paper's Figure 3. Rows are given labels, columns true labels."
        + part_of
    )


def _judge_flags(frame: Frame, true_labels: IntArray) -> str:
    known = true_labels >= 0
    flagged = frame.findings.mask(frame.settings.method) & known
    wrong = (frame.findings.labels != true_labels) & known
    hits = int(np.count_nonzero(flagged & wrong))
    if not flagged.any() or not wrong.any():
        return ""
    are = [wording.verb_of(each.sum(), "is", "are") for each in (flagged, wrong)]
    return (
        f"Of {wording.count_of(flagged.sum(), 'flagged label')} "
        f"**{wording.percent(hits / flagged.sum())}** {are[0]} really wrong; of "
        f"{wording.count_of(wrong.sum(), 'wrong label')} **{wording.percent(hits / wrong.sum())}** "
        f"{are[1]} flagged."
    )
