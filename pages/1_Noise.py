"""The noise map: which labels are taken for which, how often, and the examples behind a cell."""

import streamlit as st

from curation import ui
from curation.ui import cells, download, noise, pairs, reading, truth
from curation.ui.polling import look_again

frame = noise.show_title(ui.setup("Noise"))
noise.show_heading(frame)
choice = noise.show_choices(frame)
cell = cells.recall_cell(frame, with_others=choice.view == "focus")

with st.container(key="noise"), st.container(key="noise-parts"):
    with st.container(key="noise-map"):
        noise.show_map(frame, choice, cell)
    with st.container(key="noise-cell"):
        cells.show_cell(frame, cell, choice.matrix, noise.find_shown(frame, choice))
    with st.container(key="noise-more"):
        reading.show_reading(choice.matrix, frame.findings.threshold)
        download.show_download(frame, choice.matrix)
        pairs.show_pairs(frame)

truth.show_truth(frame, noise.list_classes(frame, choice))
look_again()
