"""The evidence on the Overview: the most suspect examples, and charts of the whole dataset."""

from __future__ import annotations

import numpy as np
import streamlit as st

from curation import wording
from curation.analysis import summary
from curation.analysis.findings import METHODS
from curation.charts import plots
from curation.ui.shell.cache import of_analysis
from curation.ui.shell.setup import Frame, is_dark
from curation.ui.widgets.gallery import Tile, show_gallery

SUSPECTS_SHOWN = 12
QUIET_CHART = {"displayModeBar": False}
MAX_LINEAR_RATIO = 12  # above it a bar is too low to see on a linear axis


def show_worst(frame: Frame) -> None:
    """Show the most suspect examples, as pictures or text."""
    findings, names = frame.findings, frame.class_names
    rows, confirmed = frame.split_confirmed(frame.issues())
    if not len(rows):
        _show_nothing_flagged(frame, confirmed)
        return
    rows = rows[:SUSPECTS_SHOWN]
    st.subheader(_head_worst(len(rows)), anchor=False)
    left_out = f" Not shown: {confirmed:,} that a person confirmed." if confirmed else ""
    st.caption(f"Given label → suggested label. A margin of −1 is the strongest doubt.{left_out}")
    tiles = [
        Tile(
            int(row),
            wording.from_to(names[findings.labels[row]], names[findings.suggested_labels[row]]),
            f"margin {findings.normalized_margin[row]:.2f}".replace("-", "−"),
        )
        for row in rows
    ]
    show_gallery(frame.dataset, tiles, width="9.5rem")


def _head_worst(count: int) -> str:
    """Return the heading over the most suspect labels.

    >>> _head_worst(1), _head_worst(2), _head_worst(12)
    ('The most suspect label', 'The 2 most suspect labels', 'The twelve most suspect labels')
    """
    if count == 1:
        return "The most suspect label"
    return f"The {'twelve' if count == 12 else count} most suspect labels"


def _show_nothing_flagged(frame: Frame, confirmed: int) -> None:
    if confirmed:
        st.subheader("Nothing left to review", anchor=False)
        still = wording.count_of(confirmed, "label that is", "labels that are")
        st.success(f"A person confirmed the {still} still flagged.", icon=":material/check_circle:")
        return
    st.subheader("Nothing is flagged", anchor=False)
    words = "None of the five methods finds a label that looks wrong."
    others = _find_agreement(frame).by_any
    if others:
        words = (
            f"{wording.METHOD_NAMES[frame.settings.method]} finds no label that looks wrong. Other "
            f"methods flag {wording.count_of(others, 'example')}: see what each flags below, or "
            "choose another under “Method and threshold”."
        )
    st.success(words, icon=":material/check_circle:")


def show_charts(frame: Frame) -> None:
    """Show how sure the model is of the given labels, and what each method flags."""
    with st.container(key="charts"):
        margins, methods = st.columns(2, gap="large")
        with margins:
            _show_margins(frame)
        with methods:
            _show_methods(frame)


def _show_margins(frame: Frame) -> None:
    findings, mask = frame.findings, frame.findings.mask(frame.settings.method)
    edges, every, flagged = of_analysis(
        findings,
        ("margin histogram", frame.settings.method),
        lambda: summary.count_margins(findings.normalized_margin, mask),
    )
    st.subheader("How well the model supports the labels", anchor=False)
    below = int(np.count_nonzero(findings.normalized_margin < 0))
    st.caption(
        f"For {wording.percent(below / len(mask))} of the labels the model prefers another class: "
        "these are left of 0."
    )
    log = bool(every.max() > MAX_LINEAR_RATIO * max(flagged.max(), 1))
    figure = plots.margin_histogram(edges, every, flagged, log=log, dark=is_dark())
    st.plotly_chart(
        figure, config=QUIET_CHART, key="margins", alt="Histogram of the normalized margin"
    )


def _show_methods(frame: Frame) -> None:
    agreement = _find_agreement(frame)
    st.subheader("What the five methods flag", anchor=False)
    if agreement.by_any:
        st.caption(_describe_agreement(agreement.unanimous, agreement.by_any))
    else:
        st.caption("None of them flags anything.")
        return
    chosen = frame.settings.method
    names = [
        f"<b>{wording.METHOD_NAMES[each]}</b>" if each == chosen else wording.METHOD_NAMES[each]
        for each in METHODS
    ]
    parts = (
        ("all five", [agreement.unanimous] * len(METHODS)),
        ("some others too", [agreement.shared[each] for each in METHODS]),
        ("only this one", [agreement.alone[each] for each in METHODS]),
    )
    figure = plots.agreement_bars(names, parts, dark=is_dark())
    st.plotly_chart(
        figure, config=QUIET_CHART, key="methods", alt="How many examples each method flags"
    )


def _find_agreement(frame: Frame) -> summary.Agreement:
    return of_analysis(
        frame.findings,
        ("agreement of methods",),
        lambda: summary.measure_agreement(frame.findings.masks),
    )


def _describe_agreement(unanimous: int, by_any: int) -> str:
    """Return how many of the examples that any method flags are flagged by all.

    >>> _describe_agreement(33, 57)
    'All five agree on 33 of the 57 examples that any of them flags.'
    >>> _describe_agreement(1, 1), _describe_agreement(4, 4)
    ('All five flag the same example.', 'All five flag the same 4 examples.')
    """
    if unanimous == by_any:
        return f"All five flag the same {'example' if by_any == 1 else f'{by_any:,} examples'}."
    any_of = "1 example" if by_any == 1 else f"{by_any:,} examples"
    return f"All five agree on {unanimous:,} of the {any_of} that any of them flags."


def show_priors(frame: Frame) -> None:
    """Show how the sizes of the classes would change, and how sparse the noise is."""
    findings, names = frame.findings, frame.class_names
    given, latent = findings.given_prior, findings.latent_prior
    shown = frame.classes[summary.choose_priors(given[frame.classes], latent[frame.classes])]
    st.subheader("Class sizes as labelled, and as estimated without errors", anchor=False)
    most = ""
    if len(shown) < len(frame.classes):
        many = f"{len(shown)} of {len(frame.classes):,}"
        most = f" The chart shows the {many} classes that would change most."
    alone = "One class is left. " * (len(frame.classes) == 1)
    st.caption(
        f"{alone}The share of each class among the labels, and among the examples if every label "
        f"were right.{most}"
    )
    figure = plots.priors(
        [names[each] for each in shown], given[shown], latent[shown], dark=is_dark()
    )
    st.plotly_chart(
        figure, config=QUIET_CHART, key="priors", alt="Share of each class, given and estimated"
    )
