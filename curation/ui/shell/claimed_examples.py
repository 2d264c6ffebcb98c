"""The examples that this tab has claimed on Review, given up when it shows something else.

A tab that is closed says nothing; its claims end by themselves.
"""

from __future__ import annotations

import uuid
from contextlib import suppress

import streamlit as st

from curation.errors import StoreError
from curation.review.handing_out import Recipient
from curation.store import Store
from curation.store.example_claims import Claims

_TAB, _NOTED = "claims.tab", "claims.noted"


def note_recipient(store: Store, curator: str) -> Recipient:
    """Return this tab of a curator, and remember that it may hold claims from now on.

    What it claimed under another name, or in another store, it gives up.
    """
    who = Recipient(curator, st.session_state.setdefault(_TAB, uuid.uuid4().hex))
    if st.session_state.get(_NOTED) != (store, who):
        release_noted()
        st.session_state[_NOTED] = (store, who)
    return who


def release_noted() -> None:
    """Give up what this tab has claimed, if anything."""
    noted = st.session_state.pop(_NOTED, None)
    if noted is not None:
        store, who = noted
        with suppress(StoreError):  # claims end by themselves
            Claims(store).release(curator=who.curator, tab=who.tab)
