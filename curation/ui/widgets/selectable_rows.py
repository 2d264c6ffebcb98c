"""Tables in which a row is chosen: by a click anywhere in it, or with the arrow keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd
import streamlit as st

MARK = "●"  # before the chosen row; the frame around one cell is easily missed
HOW_TO_CHOOSE = "Click a row or move with the arrow keys"


def show_rows(
    table: pd.DataFrame,
    key: str,
    chosen: int | None,
    choose: Callable[[int], None],
    *,
    column_config: dict[str, Any],
    **options: Any,
) -> None:
    """Show a table with a mark before the chosen row; `choose` gets the index of a new choice."""

    def picked() -> None:
        cells = st.session_state[key]["selection"]["cells"]
        if cells:
            choose(int(cells[0][0]))

    marks = [MARK if place == chosen else "" for place in range(len(table))]
    st.dataframe(
        pd.concat([pd.DataFrame({"chosen": marks}, index=table.index), table], axis=1),
        key=key, on_select=picked, selection_mode="single-cell", hide_index=True,
        column_config={"chosen": st.column_config.TextColumn("", width=24), **column_config},
        **options,
    )  # fmt: skip
