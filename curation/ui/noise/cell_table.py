"""The table of pairs: the numbers of the map, usable with the keyboard."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from curation import wording
from curation.analysis.class_pairs import describe_pairs, rank_compared
from curation.analysis.findings import Findings
from curation.analysis.matrices import Cell
from curation.core.matrix import IntArray
from curation.core.noise import measure_sparsity
from curation.ui.noise.cell_panel import choose_cell
from curation.ui.shell.cache import of_analysis
from curation.ui.shell.setup import Frame
from curation.ui.widgets.class_cells import name_cells
from curation.ui.widgets.selectable_rows import HOW_TO_CHOOSE, show_rows

ROWS_SHOWN = 500
NAME_PIXELS = 128  # wide
MAX_HEIGHT_PIXELS = 320
KEY = "pairs"


def show_pairs(frame: Frame, cell: Cell | None) -> None:
    """Show the pairs of classes that were counted, the chosen one marked."""
    findings = frame.findings
    before = frame.given if frame.comparison else None
    given, true = of_analysis(findings, ("counted pairs",), lambda: rank_pairs(findings, before))
    if not len(given):
        return
    st.subheader("Pairs of classes", anchor=False)
    more = f" The largest {ROWS_SHOWN} of {len(given):,}." if len(given) > ROWS_SHOWN else ""
    either = ", now or with the labels as given" if before else ""
    st.caption(
        f"{wording.count_of(len(given), 'pair')} with at least one example counted{either}.{more} "
        f"{describe_sparsity(frame)} {HOW_TO_CHOOSE} to see its examples next to or above the "
        "table."
    )
    cells = [Cell(*pair) for pair in zip(given.tolist(), true.tolist(), strict=True)][:ROWS_SHOWN]
    show_rows(
        of_analysis(findings, ("pair table",), lambda: tabulate_pairs(findings, before)),
        KEY,
        cells.index(cell) if cell in cells else None,
        lambda row: choose_cell(cells[row]),
        placeholder="",
        height=min(MAX_HEIGHT_PIXELS, 35 * (len(given) + 1) + 3),
        column_config=_configure(),
        alt="Pairs of classes by the number of examples counted",
    )


def describe_sparsity(frame: Frame) -> str:
    """Return whether the noise is in a few pairs of classes or in many."""
    sparsity = measure_sparsity(frame.findings.joint[np.ix_(frame.classes, frame.classes)])
    if sparsity == 1:
        return "No class is confused with another."
    if sparsity == 0:
        return "Every class is confused with every other."
    few = sparsity > 0.5
    where = "concentrated in a few pairs" if few else "spread over many pairs"
    share = wording.percent(sparsity)  # may begin with a word: "over 99.9 %"
    said = f"{share[0].upper()}{share[1:]} of all pairs of classes are never confused"
    return f"{said}: the noise is {where}."


def _configure() -> dict[str, Any]:
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    return {
        "labelled": text("Given label", width=NAME_PIXELS),
        "probably": text("Probably", width=NAME_PIXELS),
        "counted": number(
            "Counted", width=64,
            help="Examples with the given label that are confidently of the other class.",
        ),
        "change": number(
            "Change", format="%+d", width=64,
            help="How many more or fewer are counted than with the labels as given.",
        ),
        "estimated": number(
            "Estimated", format="%.1f", width=76, help="Examples, by the estimated joint.",
        ),
        "share of given": number(
            "Of given", format="%.1f %%", width=68,
            help="Their estimated share of the examples with the given label.",
        ),
        "share of true": number(
            "Of true", format="%.1f %%", width=64,
            help="Their estimated share of the examples that truly are the other class.",
        ),
        "confusion": number(
            "Confusion", width=76,
            help="Examples with the given label whose likeliest class is the other, without "
            "thresholds.",
        ),
    }  # fmt: skip


def rank_pairs(findings: Findings, before: Findings | None) -> tuple[IntArray, IntArray]:
    """Return the pairs in the order of the table; those counted only before come last."""
    counts = findings.confident_joint
    return rank_compared(counts, before.confident_joint if before else counts)


def tabulate_pairs(findings: Findings, before: Findings | None = None) -> pd.DataFrame:
    """Return the counted pairs as a table, largest first.

    With the findings `before`, pairs counted only then come last, and there is a change column.
    """
    given, true = (each[:ROWS_SHOWN] for each in rank_pairs(findings, before))
    rows = describe_pairs(findings, given, true, before)
    names = name_cells([str(each) for each in findings.class_names], NAME_PIXELS)
    changes = pd.Series([row.change or None for row in rows], dtype="Int64")
    return pd.DataFrame(
        {
            "labelled": [names[row.given] for row in rows],
            "probably": [names[row.true] for row in rows],
            "counted": [row.counted for row in rows],
            **({"change": changes} if before else {}),
            # rounded here: a browser writes 6.25 as 6.3, and the sentence next to it says 6.2
            "estimated": [round(row.estimated, 1) for row in rows],
            "share of given": [100 * row.share_of_given for row in rows],
            "share of true": [100 * row.share_of_true for row in rows],
            "confusion": [row.confusion for row in rows],
        }
    )
