"""How to read a matrix: a sentence, and the equation for who wants it."""

from __future__ import annotations

import streamlit as st

from curation.analysis.matrices import Matrix
from curation.analysis.matrix_sentences import find_reading
from curation.core.count import Threshold


def show_reading(matrix: Matrix, threshold: Threshold) -> None:
    """Show what the cells of a matrix mean, the paper's equation behind "more"."""
    reading = find_reading(matrix, threshold)
    st.markdown(f"**How to read this.** {reading.sentence}")
    with st.expander("More: the equation"):
        st.latex(reading.equation)
        st.caption(
            f"{reading.source} Here ỹ is the given label, y* the true one, p̂ the model's "
            "probability for an example it was not trained on."
        )
