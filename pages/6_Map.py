"""All examples in two dimensions: which are alike, and which lie among those of another class."""

import streamlit as st

from curation import ui
from curation.ui.map import area_panel, point_choice, point_map
from curation.ui.shell.polling import rerun_if_waiting

frame = ui.setup("Map")
st.title("Map", anchor=False)
neighbours = point_choice.require_neighbours(frame)
if neighbours is not None:
    choice = point_choice.show_choices(frame, neighbours)
if neighbours is not None and choice is not None:
    drawing, selected = st.container(key="map-parts").columns([3, 2], gap="large")
    with drawing:
        area = point_map.show_map(frame, choice)
    with selected:
        area_panel.show_area(frame, choice, area)
rerun_if_waiting()
