"""How strong the model is, shown next to every claim from its probabilities."""

from __future__ import annotations

import streamlit as st

from curation.analysis.model_strength import MIN_AGREEMENT, ModelStrength
from curation.charts.reliability_chart import reliability
from curation.wording import percent


def show_warnings(strength: ModelStrength) -> None:
    """Show warnings about a weak or badly calibrated model, if there are any."""
    found = strength.warnings()
    if found:
        st.warning("\n\n".join(found), icon=":material/warning:")


def show_note(strength: ModelStrength) -> None:
    """Show the model's strength in small print, with a warning if necessary."""
    warned = ":material/warning: " if strength.warnings() else ""
    st.caption(warned + strength.summarize())


def show_details(strength: ModelStrength, *, dark: bool) -> None:
    """Show the model's strength in words and as a chart, and what calibration means."""
    st.markdown(strength.describe())
    bins = strength.by_bin
    figure = reliability(bins.examples, bins.mean_confidence, bins.agreement, dark=dark)
    st.plotly_chart(
        figure, config={"displayModeBar": False}, key="reliability",
        alt="How often the label is the model's likeliest class, by how sure the model is of it",
    )  # fmt: skip
    st.caption(
        "A point for each tenth of how sure the model is of its likeliest class, larger for more "
        "examples. On the dotted line it is as often right as it is sure; below, it is too sure."
    )
    st.markdown(
        "The table of classes below has the calibration by class: how sure the model is on average "
        "where it finds the class likeliest, and how many of these examples have that label. In a "
        "calibrated model the two are the same. The calibration error is the distance between "
        "them, over ten bins of how sure the model is:"
    )
    st.latex(r"\tfrac{1}{n} \sum_b \left| \sum_{x \in b} c(x) - |\{x \in b : \tilde{y} = "
             r"\arg\max_j \hat{p}_j(x)\}| \right|, \quad c(x) = \max_j \hat{p}_j(x)")  # fmt: skip
    st.markdown(
        f"Below an agreement of {percent(MIN_AGREEMENT)}, do not read the estimate of wrong "
        "labels as a number: in simulated datasets it was then within a factor of two of the truth "
        "in 31 % of cases, and otherwise in 74 %."
    )
