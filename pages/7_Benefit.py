"""What cleaning is worth: the same model, trained on labels cleaned in several ways."""

import streamlit as st

from curation import ui
from curation.ui.benefit import benefit_run, benefit_view
from curation.ui.shell.polling import rerun_if_waiting

frame = ui.setup("Benefit")
st.title("What is cleaning worth?", anchor=False)
request = benefit_run.choose_request(frame)
benefit = benefit_run.find_result(request) if request else None
if benefit is not None:
    benefit_view.show_sentence(benefit)
    benefit_view.show_charts(benefit)
    benefit_view.show_table(benefit)
    benefit_view.show_reading(benefit)
rerun_if_waiting()
