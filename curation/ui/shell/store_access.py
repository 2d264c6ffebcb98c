"""Who decides, and where it is kept: one store for each open dataset, one name for each visitor.

A decision is written in a button's callback, before any `st.` call that could end the script: a
click elsewhere would else cut it off. "Saved" is only ever shown of what was read back.
"""

from __future__ import annotations

import getpass
import threading
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import quote, unquote

import streamlit as st

from curation.dataset import Dataset
from curation.errors import CurationError, StoreError
from curation.store import ClassDecision, Store, open_store
from curation.ui.shell import cache
from curation.ui.shell.frame import Frame
from curation.ui.shell.jobs import all_jobs
from curation.ui.shell.opening import Source, named_store
from curation.ui.widgets import literal
from curation.ui.widgets.literal import show_error

CURATOR, KEPT = "widget.curator", "deciding.curator"  # in the session
COOKIE = "curation_curator"
FAULT = "deciding.fault"  # what went wrong in a callback, shown by the next run


@dataclass
class _Slot:
    """The store of one source; opened again when the dataset was read again."""

    store: Store | None = None
    lock: threading.Lock = field(default_factory=threading.Lock)

    def open(self, dataset: Dataset, url: str | None) -> Store:
        with self.lock:
            if self.store is None or self.store.dataset is not dataset:
                self.close()
                self.store = open_store(dataset, url)
            return self.store

    def close(self) -> None:
        if self.store is not None:
            self.store.close()
        self.store = None


def _slot(source: Source) -> _Slot:
    return cache.of_server(("store", source), _Slot)


def opener(frame: Frame) -> Callable[[], Store]:
    """Return what opens the decisions of this dataset, in any thread; it shows nothing."""
    slot, url = _slot(frame.source), named_store(frame.source)
    return lambda: slot.open(frame.dataset, url)


def current_store(frame: Frame) -> Store | None:
    """Return the decisions of this dataset; where they cannot be opened, say why, and None."""
    slot = _slot(frame.source)
    try:
        store = slot.open(frame.dataset, named_store(frame.source))
        store.revisions([])  # a file that was replaced or taken away is noticed here
    except StoreError as error:
        slot.close()
        show_error(error)
        return None
    _warm_fingerprint(frame.dataset)
    for notice in store.notices:
        what, _, why = notice.partition(". ")
        st.sidebar.caption(literal.in_markdown(what), help=literal.in_markdown(why) or None)
    return store


def _warm_fingerprint(dataset: Dataset) -> None:
    """Hash the dataset while people look at it: the first decision need not wait for that."""
    key = ("fingerprint", cache.identify(dataset))
    all_jobs().get(key, lambda job: dataset.fingerprint)


def why_not(store: Store | None) -> str | None:
    """Return why nothing can be decided now, or None."""
    if store is None:
        return "The decisions cannot be opened; see above."
    if store.read_only:
        return (
            f"{store.backend.where} can only be read. Make the file and its folder writable, "
            "then open the dataset again."
        )
    return None


def current_curator() -> str:
    """Return whose name goes with each decision, as the sidebar shows it."""
    return str(st.session_state[KEPT])


def show_curator() -> None:
    """Show whose name goes with each decision, in the sidebar of every page."""
    current = _recall_curator()
    if st.session_state.get(CURATOR) != current:
        st.session_state[CURATOR] = current
    st.sidebar.text_input(
        "Curator", key=CURATOR, max_chars=80,
        on_change=lambda: st.session_state.__setitem__(KEPT, typed_curator()),
        help="Kept with each decision. Undo takes back your own decisions only.",
    )  # fmt: skip
    with st.sidebar:
        _remember_curator(current)


def _recall_curator() -> str:
    """Return the name of this session, else of this browser, else who runs the server.

    A link may name somebody, once: the name is then taken out of the address, so that no link
    copied from it has others decide under that name.
    """
    linked = str(st.query_params.get("curator", "")).strip()
    if "curator" in st.query_params:
        del st.query_params["curator"]
    st.session_state[KEPT] = linked or st.session_state.get(KEPT) or _remembered_curator()
    return str(st.session_state[KEPT])


def _remembered_curator() -> str:
    return unquote(st.context.cookies.get(COOKIE, "")).strip() or _login_name()


def _remember_curator(name: str) -> None:
    """Let this browser keep a name for the next session, such as after a reload."""
    if name == _remembered_curator():
        return
    words = f"{COOKIE}={quote(name, safe='')};path=/;max-age=31536000;SameSite=Strict"
    st.html(f"<script>document.cookie = '{words}'</script>", unsafe_allow_javascript=True)


def typed_curator() -> str:
    """Return, in a callback, the name that stands in the sidebar now; it may be newer."""
    return str(st.session_state[CURATOR]).strip() or _login_name()


def _login_name() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a container may run as a user without a name
        return "curator"


def operation(subject: str, seen: int) -> str:
    """Return the id of the next decision on a subject; the same until something was decided.

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


def count_since(store: Store, decision: ClassDecision) -> int:
    """Return how many units its curator decided since, and has not undone."""
    standing: list[str] = []
    for entry in store.log(after=decision.seq):
        if entry.curator != decision.curator or entry.op_id == decision.op_id:
            continue
        if entry.entry == "undo":
            standing = [each for each in standing if each != entry.target]
        elif entry.entry == "redo":
            standing.append(str(entry.target))
        elif entry.entry != "conflict" and entry.op_id not in standing:
            standing.append(entry.op_id)
    return len(standing)
