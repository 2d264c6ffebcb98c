"""See what the decisions change, then take the cleaned files home."""

import streamlit as st

from curation import ui
from curation.ui.export import files, preview
from curation.ui.shell.polling import look_again
from curation.ui.shell.store_access import current_store

frame = ui.setup("Export")
st.title("Export")
store = current_store(frame)
if store is None:
    st.stop()
top = st.container()  # what most people come for, above the choices it depends on
plan = preview.plan_export(frame, store)
with top:
    preview.show_headline(plan)
    files.show_download(plan)
preview.show_cautions(plan)
preview.show_changes(frame, plan)
preview.show_classes(frame, plan)
files.show_folder(frame, plan)
look_again()
