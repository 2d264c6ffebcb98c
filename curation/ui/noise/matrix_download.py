"""A matrix as a file, whole and with the names of its classes."""

from __future__ import annotations

import csv
import io

import streamlit as st

from curation import wording
from curation.analysis import matrices
from curation.analysis.findings import Findings
from curation.analysis.matrices import Matrix
from curation.ui.shell.setup import Frame


def show_download(frame: Frame, matrix: Matrix) -> None:
    """Offer the whole matrix as a file; the picture has its button on the map."""
    name = wording.MATRIX_NAMES[matrix].lower()
    st.download_button(
        "Matrix as CSV",
        lambda: write_csv(frame.findings, matrix),
        file_name=f"{name.replace(' ', '_')}{'_decided' if frame.comparison else ''}.csv",
        mime="text/csv",
        on_click="ignore",
        help="All classes, given labels in rows, true labels in columns. "
        "The camera on the map saves it as a picture.",
    )


def write_csv(findings: Findings, matrix: Matrix) -> bytes:
    """Return a matrix whole, with a first row and column of class names."""
    values = matrices.read_matrix(findings, matrix)
    counts = matrix in ("confident_joint", "confusion")
    text = io.StringIO()
    rows = csv.writer(text)
    rows.writerow(["given \\ true", *findings.class_names])
    for name, row in zip(findings.class_names, values, strict=True):
        numbers = row.astype(int).tolist() if counts else [f"{value:.10g}" for value in row]
        rows.writerow([name, *numbers])
    return text.getvalue().encode("utf-8-sig")
