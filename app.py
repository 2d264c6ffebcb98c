"""The server: its first page is overview.py, and every request passes the guard."""

import streamlit as st

from curation.ui.server import early_loading, first_page, guard

app = st.App(
    "overview.py",
    routes=first_page.make_routes(),
    middleware=guard.checked_middleware(),
    lifespan=early_loading.load_early,
)
