"""The first page: open a dataset, see how many of its labels look wrong, and where."""

import streamlit as st

from curation import ui
from curation.ui.gallery import Tile, show_gallery

frame = ui.setup("Overview")
findings, names = frame.findings, frame.class_names
st.title(frame.dataset.name)
st.write(f"About {findings.estimated_errors:,.0f} labels look wrong.")
rows = frame.issues()[:12]
show_gallery(
    frame.dataset,
    [
        Tile(int(row), f"{names[findings.labels[row]]} → {names[findings.suggested_labels[row]]}")
        for row in rows
    ],
)
