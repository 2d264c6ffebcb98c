"""The noise map: which classes are confused, how often, and the examples behind a cell."""

import streamlit as st

from curation import ui
from curation.ui.noise import cell_panel, cell_table, map_choice, matrix_guide, truth_comparison
from curation.ui.noise.noise_map import show_map
from curation.ui.shell.polling import rerun_if_waiting

frame = map_choice.show_title(ui.setup("Noise"))
map_choice.show_heading(frame)
choice = map_choice.show_choices(frame)
view = map_choice.find_view(frame.findings, choice, frame.given)
cell = cell_panel.recall_cell(frame, view, with_others=choice.view == "focus")

with st.container(key="noise"), st.container(key="noise-parts"):
    with st.container(key="noise-map"):
        show_map(frame, choice, cell)
    with st.container(key="noise-cell"):
        cell_panel.show_cell(frame, cell, choice.matrix, map_choice.find_shown(frame, choice))
    with st.container(key="noise-more"):
        matrix_guide.show_reading(choice.matrix, frame.findings.threshold)
        matrix_guide.show_download(frame, choice.matrix)
        cell_table.show_pairs(frame, cell)

truth_comparison.show_truth(frame, map_choice.list_classes(frame, choice))
rerun_if_waiting()
