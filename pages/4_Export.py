"""See what the decisions change, then take the cleaned files home."""

import streamlit as st

from curation import ui
from curation.ui import export_files, export_page
from curation.ui.deciding import current_store
from curation.ui.polling import look_again

frame = ui.setup("Export")
st.title("Export")
store = current_store(frame)
if store is None:
    st.stop()
top = st.container()  # what most people come for, above the choices it depends on
plan = export_page.plan_export(frame, store)
with top:
    export_page.show_headline(plan)
    export_files.show_download(plan)
export_page.show_cautions(plan)
export_page.show_changes(frame, plan)
export_page.show_classes(frame, plan)
export_files.show_folder(frame, plan)
look_again()
