"""The store of the dataset that a page shows, and what a page needs to write one decision to it.

A decision is written in a button's callback, before any `st.` call that could end the script: a
click elsewhere would otherwise cut it off. "Saved" is shown only for what was read back.
"""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field

import streamlit as st

from curation.dataset import Dataset
from curation.errors import CurationError, StoreError
from curation.roles import ASK_ADMIN, Right, Role
from curation.store import Store, open_store
from curation.ui.shell import cache
from curation.ui.shell.frame import Frame
from curation.ui.shell.opening import Source, fingerprint_job, named_store
from curation.ui.shell.visitor import current_actor
from curation.ui.widgets import literal_text
from curation.ui.widgets.literal_text import show_error

FAULT = "deciding.fault"  # in the session: what went wrong in a callback, shown by the next run


@dataclass
class _Slot:
    """The store of one source; opened again when the dataset was read again."""

    store: Store | None = None
    lock: threading.Lock = field(default_factory=threading.Lock)

    def open(self, dataset: Dataset, url: str | None) -> Store:
        with self.lock:
            if self.store is None or self.store.dataset is not dataset:
                self.close()
                self.store = open_store(dataset, url, find_actor=current_actor)
            return self.store

    def reopen(self, dataset: Dataset, url: str | None) -> Store:
        """Return the store whose file is there now, even if it was replaced while open."""
        known = self.store
        store = self.open(dataset, url)
        try:
            store.revisions([])  # notices a file that was replaced or removed
        except StoreError:
            self._drop(store)
            if store is not known:  # it was opened just now
                raise
            store = self.open(dataset, url)
        return store

    def _drop(self, store: Store) -> None:
        """Close a store, unless another visitor has opened a new one in its place."""
        with self.lock:
            if self.store is store:
                self.close()

    def close(self) -> None:
        if self.store is not None:
            self.store.close()
        self.store = None


def _slot(source: Source) -> _Slot:
    return cache.of_server(("store", source), _Slot)


def opener(frame: Frame) -> Callable[[], Store]:
    """Return a function that opens this dataset's store; safe in any thread, and shows nothing."""
    slot, url = _slot(frame.source), named_store(frame.source)
    return lambda: slot.open(frame.dataset, url)


def is_open(source: Source, store: Store) -> bool:
    """Return whether a store is still the one that pages use: its dataset was not read again."""
    return _slot(source).store is store


def current_store(frame: Frame) -> Store | None:
    """Return this dataset's store; if it cannot be opened, show why and return None."""
    slot = _slot(frame.source)
    try:
        known = slot.store
        store = slot.reopen(frame.dataset, named_store(frame.source))
    except StoreError as error:
        show_error(error)
        return None
    if known is not None and known is not store and known.dataset is store.dataset:
        st.info("The decisions were replaced, as `curate restore` does. Here are the new ones.")
    fingerprint_job(frame.dataset)
    is_admin = current_actor().role is Role.ADMIN  # others can do nothing about the database
    for notice in store.notices if is_admin else ():
        what, _, why = notice.partition(". ")
        st.sidebar.caption(
            literal_text.in_markdown(what), help=literal_text.in_markdown(why) or None
        )
    return store


def why_not(store: Store | None, right: Right = Right.DECIDE) -> str | None:
    """Return why the visitor cannot do something now, or None."""
    if store is None:
        return "The decisions cannot be opened; see above."
    if (reason := current_actor().why_not(right)) is not None:
        return f"{reason} {ASK_ADMIN}"
    if store.read_only:
        return (
            f"{store.backend.where} can only be read. Make the file and its folder writable, "
            "then open the dataset again."
        )
    return None


def operation(subject: str, seen: int) -> str:
    """Return the id of the next decision on a subject; the same until something is decided.

    `seen` is the number of the decision on screen. A double click repeats one operation, and the
    store keeps an operation once.
    """
    slot = f"deciding.op.{subject}"
    kept = st.session_state.get(slot)
    if kept is None or kept[0] != seen:
        kept = (seen, uuid.uuid4().hex)
        st.session_state[slot] = kept
    return str(kept[1])


def end_operation(subject: str) -> None:
    """Make the next decision on a subject a new one; called once the last was read back."""
    st.session_state.pop(f"deciding.op.{subject}", None)


def note_fault(error: CurationError) -> None:
    """Remember, in a callback, what could not be saved."""
    st.session_state[FAULT] = error


def show_fault() -> None:
    """Show what the last callback could not save, once."""
    error = st.session_state.pop(FAULT, None)
    if error is not None:
        show_error(error)
