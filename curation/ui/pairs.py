"""The table of pairs: what the map shows, for the keyboard and for reading numbers."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from curation import wording
from curation.analysis import Findings
from curation.core.overlap import rank_overlaps
from curation.matrices import Cell
from curation.ui.cells import choose_cell
from curation.ui.memo import once
from curation.ui.setup import Frame

LIMIT = 500  # pairs in the table
KEY = "pairs"
SHARES = ("of those labelled so", "of those truly so")
PERCENT = "%.1f %%"  # of shares times a hundred


def show_pairs(frame: Frame) -> None:
    """Show the pairs of classes that were counted; the one the cursor is on is chosen."""
    findings = frame.findings
    given, true = once(findings, "pairs", lambda: rank_overlaps(findings.confident_joint))
    if not len(given):
        return
    st.subheader("Pairs of classes")
    more = f" The largest {LIMIT} of {len(given):,}." if len(given) > LIMIT else ""
    st.caption(
        f"{wording.count_of(len(given), 'pair')} with at least one example counted.{more} Click a "
        "row, or move with the arrow keys, to see its examples beside the map."
    )

    def picked() -> None:
        places = st.session_state[KEY]["selection"]["cells"]
        if places:
            row = int(places[0][0])
            choose_cell(Cell(int(given[row]), int(true[row])))

    st.dataframe(
        once(findings, "pair table", lambda: tabulate_pairs(findings)),
        key=KEY,
        on_select=picked,
        selection_mode="single-cell",
        hide_index=True,
        height=min(320, 35 * (len(given) + 1) + 3),
        column_config={
            "estimated": st.column_config.NumberColumn(format="%.1f"),
            **{name: st.column_config.NumberColumn(format=PERCENT) for name in SHARES},
        },
    )


def tabulate_pairs(findings: Findings) -> pd.DataFrame:
    """Return the counted pairs, largest first, with what each matrix says of them."""
    given, true = (each[:LIMIT] for each in rank_overlaps(findings.confident_joint))
    return pd.DataFrame(
        {
            "labelled": [findings.class_names[label] for label in given],
            "probably": [findings.class_names[label] for label in true],
            "counted": findings.confident_joint[given, true],
            "estimated": len(findings.labels) * findings.joint[given, true],
            SHARES[0]: 100 * findings.inverse_noise_matrix[true, given],
            SHARES[1]: 100 * findings.noise_matrix[given, true],
            "confusion": findings.confusion[given, true],
        }
    )
