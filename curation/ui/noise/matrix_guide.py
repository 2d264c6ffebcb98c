"""How to read a matrix: a sentence, the equation behind it, and the matrix as a file."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from curation.analysis import matrices
from curation.analysis.findings import Findings
from curation.analysis.matrices import Matrix
from curation.analysis.matrix_sentences import find_reading
from curation.core.count import Threshold
from curation.dataset import Dataset
from curation.exports.class_tables import write_matrix
from curation.review.extended_classes import name_classes
from curation.ui.shell.setup import Frame


def show_reading(matrix: Matrix, threshold: Threshold) -> None:
    """Show what the cells of a matrix mean, with the paper's equation to expand."""
    reading = find_reading(matrix, threshold)
    st.markdown(f"**How to read this.** {reading.sentence}")
    with st.expander("The equation"):
        st.latex(reading.equation)
        st.caption(
            f"{reading.source} Here ỹ is the given label, y* the true one, p̂ the model's "
            "probability for an example it was not trained on."
        )


def show_download(frame: Frame, matrix: Matrix) -> None:
    """Offer the whole matrix as a file; the map has its own button for a picture."""
    unit = " As shares of all examples: the map shows them times their number." * (
        matrix == "joint"
    )
    st.download_button(
        "Matrix as CSV",
        lambda: write_csv(frame.dataset, frame.findings, matrix),
        file_name=f"{matrix}{'_decided' if frame.comparison else ''}.csv",
        mime="text/csv",
        on_click="ignore",
        help=f"All classes, given labels in rows, true labels in columns.{unit} "
        "The camera icon on the map saves the map as a picture.",
    )


def write_csv(dataset: Dataset, findings: Findings, matrix: Matrix) -> bytes:
    """Return a whole matrix as an export writes it: the same bytes under the same name."""
    values: NDArray[Any] = matrices.read_matrix(findings, matrix)
    if matrix == "joint":
        values = findings.joint
    if matrix in ("confident_joint", "confusion"):
        values = values.astype(np.int64)
    return b"".join(write_matrix(name_classes(dataset), values))
