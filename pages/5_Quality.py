"""How good the labels are: what an audit proves, what is left, and when to stop."""

import streamlit as st

from curation import ui
from curation.ui.quality import audit_controls, precision_tables, quality_headline, stop_advice
from curation.ui.quality.quality_state import find_summary
from curation.ui.shell.news_watch import follow_decisions
from curation.ui.shell.page_store import current_store
from curation.ui.shell.polling import rerun_if_waiting

frame = ui.setup("Quality")
st.title("How good are these labels?", anchor=False)
store = current_store(frame)
if store is None:
    st.stop()
summary = find_summary(frame, store)
top = st.container()  # the main result, above the choice it depends on
audit_controls.show_audit(frame, store, summary)
reviewing, methods = st.container(key="quality-parts").columns(2, gap="large")
with reviewing:
    advice = stop_advice.show_advice(frame, store, summary)
with methods:
    precision_tables.show_methods(frame, summary)
    quality_headline.show_estimate(frame, summary)
with top:
    quality_headline.show_headline(summary, advice)
precision_tables.show_precision(frame, summary)
follow_decisions(store)
rerun_if_waiting()
