"""The server: its first page is overview.py, and every request passes the guard and the gate."""

import streamlit as st

from curation.ui.review import message_route
from curation.ui.server import first_page, launching, script_faults

app = st.App(
    "overview.py",
    middleware=launching.make_middleware(),  # first: it sets the path that routes begin with
    routes=[*first_page.make_routes(), *message_route.make_routes()],
    lifespan=launching.announce(),
    on_script_error=script_faults.show_fault,
    secrets=launching.make_secrets(),
)
