"""The table of pairs: what the map shows, for the keyboard and for reading numbers."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from curation import wording
from curation.analysis.class_pairs import rank_compared
from curation.analysis.findings import Findings
from curation.analysis.matrices import Cell
from curation.core.matrix import IntArray
from curation.ui.noise.cell_panel import choose_cell
from curation.ui.shell.cache import of_analysis
from curation.ui.shell.setup import Frame
from curation.ui.widgets.selectable_rows import HOW_TO_CHOOSE, show_rows

ROWS_SHOWN = 500
MAX_HEIGHT_PIXELS = 320
KEY = "pairs"
SHARES = ("of those labelled so", "of those truly so")
PERCENT = "%.1f %%"  # of shares times a hundred


def show_pairs(frame: Frame, cell: Cell | None) -> None:
    """Show the pairs of classes that were counted, the chosen one marked."""
    findings = frame.findings
    before = frame.given if frame.comparison else None
    given, true = of_analysis(findings, ("counted pairs",), lambda: rank_pairs(findings, before))
    if not len(given):
        return
    st.subheader("Pairs of classes")
    more = f" The largest {ROWS_SHOWN} of {len(given):,}." if len(given) > ROWS_SHOWN else ""
    either = ", now or as given" if before else ""
    st.caption(
        f"{wording.count_of(len(given), 'pair')} with at least one example counted{either}.{more} "
        f"{HOW_TO_CHOOSE} to see its examples beside or above the table."
    )
    cells = [Cell(*pair) for pair in zip(given.tolist(), true.tolist(), strict=True)][:ROWS_SHOWN]
    show_rows(
        of_analysis(findings, ("pair table",), lambda: tabulate_pairs(findings, before)),
        KEY,
        cells.index(cell) if cell in cells else None,
        lambda row: choose_cell(cells[row]),
        placeholder="",
        height=min(MAX_HEIGHT_PIXELS, 35 * (len(given) + 1) + 3),
        column_config={
            "estimated": st.column_config.NumberColumn(format="%.1f"),
            "change": st.column_config.NumberColumn(
                format="%+d", help="Counted examples more or fewer than with the labels as given."
            ),
            **{name: st.column_config.NumberColumn(format=PERCENT) for name in SHARES},
        },
    )


def rank_pairs(findings: Findings, before: Findings | None) -> tuple[IntArray, IntArray]:
    """Return the pairs in the order of the table; last those that only counted before."""
    counts = findings.confident_joint
    return rank_compared(counts, before.confident_joint if before else counts)


def tabulate_pairs(findings: Findings, before: Findings | None = None) -> pd.DataFrame:
    """Return the counted pairs, largest first, with what each matrix says of them.

    With the findings `before`, pairs that counted only then come last, and each says its change.
    """
    given, true = (each[:ROWS_SHOWN] for each in rank_pairs(findings, before))
    counts = findings.confident_joint[given, true]
    change = {}
    if before:
        difference = pd.Series(counts - before.confident_joint[given, true], dtype="Int64")
        change = {"change": difference.mask(difference == 0)}
    return pd.DataFrame(
        {
            "labelled": [findings.class_names[label] for label in given],
            "probably": [findings.class_names[label] for label in true],
            "counted": counts,
            **change,
            "estimated": len(findings.labels) * findings.joint[given, true],
            SHARES[0]: 100 * findings.inverse_noise_matrix[true, given],
            SHARES[1]: 100 * findings.noise_matrix[given, true],
            "confusion": findings.confusion[given, true],
        }
    )
