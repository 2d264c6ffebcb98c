"""If the true labels are known: how well the joint was estimated, as in the paper's Figure 3."""

from __future__ import annotations

import numpy as np
import streamlit as st

from curation import wording
from curation.analysis import matrices
from curation.charts.truth_panels import draw_comparison
from curation.core.matrix import IntArray
from curation.ui.shell.cache import of_analysis
from curation.ui.shell.setup import Frame, is_dark
from curation.ui.widgets.clickable_heatmap import picture_config


def show_truth(frame: Frame, classes: IntArray) -> None:
    """Show the true joint, the estimate, their difference, and how many flags are right.

    `classes` are those that are drawn, in their order.
    """
    true_labels = frame.dataset.true_labels
    if true_labels is None or not (true_labels >= 0).any():
        return
    findings, names = frame.findings, frame.class_names
    actual = of_analysis(
        findings,
        ("true joint",),
        lambda: matrices.count_true_joint(findings.labels, true_labels, len(names)),
    )
    st.subheader("Compared with the true labels", anchor=False)
    error = float(np.sqrt(np.mean((findings.joint - actual) ** 2)))
    st.write(
        f"This dataset comes with true labels. The estimated joint is off by "
        f"**{write_error(error)}** (RMSE over all {actual.size:,} entries). "
        f"{_judge_flags(frame, true_labels)}"
    )
    part = np.ix_(classes, classes)
    figure = draw_comparison(
        100 * actual[part],
        100 * findings.joint[part],
        [names[label] for label in classes],
        dark=is_dark(),
    )
    st.container(key="wide-truth").plotly_chart(
        figure, key="truth", theme=None, config=picture_config(f"{frame.dataset.name} truth"),
        alt="True joint, estimated joint and their absolute difference, as percentages.",
    )  # fmt: skip
    part_of = ""
    if len(classes) < len(names):
        part_of = f" Only the {len(classes)} most confused of {len(names):,} classes are shown."
    st.caption(
        "Values are × 100, as in the paper's Figure 3. Rows are given labels, columns true labels."
        + part_of
    )


def write_error(error: float) -> str:
    """Return an error of the joint; with many classes it is small, and needs more digits.

    >>> write_error(0.00142), write_error(0.0000214), write_error(3e-9), write_error(0.0)
    ('0.0014', '0.000021', 'less than 0.000001', '0')
    """
    if error == 0:
        return "0"
    if error < 0.000001:
        return "less than 0.000001"
    return f"{error:.{4 if error >= 0.0005 else 6}f}"


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
