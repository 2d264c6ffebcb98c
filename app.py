"""The server: its first page is overview.py, and every request passes the guard."""

import streamlit as st

from curation.ui.server import finishing, first_page, guard

app = st.App(
    "overview.py",
    routes=first_page.make_routes(),
    middleware=guard.checked_middleware(),
    lifespan=finishing.finish_before_stopping,
)
