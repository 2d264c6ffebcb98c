"""See what the decisions change, then download or write the cleaned files."""

import streamlit as st

from curation import ui
from curation.ui.export import export_choices, export_files, export_preview
from curation.ui.shell.page_store import current_store
from curation.ui.shell.polling import rerun_if_waiting

frame = ui.setup("Export")
st.title("Export", anchor=False)
store = current_store(frame)
if store is None:
    st.stop()
top = st.container()  # the main result, above the choices it depends on
plan = export_choices.plan_export(frame, store)
with top:
    export_preview.show_headline(plan)
    export_files.show_download(plan)
export_preview.show_cautions(plan)
export_preview.show_changes(frame, plan)
export_preview.show_classes(frame, plan)
export_files.show_folder(frame, plan)
rerun_if_waiting()
