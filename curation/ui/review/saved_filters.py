"""Filters saved under a name: in the user's folder of this server, for each dataset.

What is saved is the part of a link that makes the queue, so that it means the same as the link.
"""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from curation.errors import CurationError, InputError
from curation.review.filter_link import PARAMETERS
from curation.roles import Right
from curation.ui.review.filter_widgets import PLACE, set_link
from curation.ui.shell import visitor
from curation.ui.shell.user_files import read_json, update_json
from curation.ui.widgets.literal_text import in_markdown

FILE = "filters.json"
MAX_NAME_LENGTH = 60  # characters
Link = dict[str, str]


def list_saved(dataset: str) -> dict[str, Link]:
    """Return the filters saved for a dataset by name; anything else in the file is ignored."""
    return _find_links(read_json(FILE), dataset)


def _find_links(kept: object, dataset: str) -> dict[str, Link]:
    found = kept.get(dataset) if isinstance(kept, dict) else None
    if not isinstance(found, dict):
        return {}
    return {
        str(name): {key: str(value) for key, value in link.items() if key in PARAMETERS}
        for name, link in sorted(found.items())
        if isinstance(link, dict)
    }


def save(dataset: str, name: str, link: Mapping[str, str] | None) -> bool:
    """Keep a link under a name, or remove the name without one; return whether that worked.

    A name that somebody has given to other filters is refused with an InputError: everybody on
    this server sees them, and nobody was asked.
    """
    wanted = None if link is None else {key: link[key] for key in PARAMETERS if key in link}

    def change(kept: object) -> dict[str, object]:
        everything = kept if isinstance(kept, dict) else {}
        links = _find_links(kept, dataset)
        if wanted is not None and links.get(name, wanted) != wanted:
            raise InputError(
                f"There are other filters called {name!r}.", "Save these under another name."
            )
        links.pop(name, None)
        return {**everything, dataset: links if wanted is None else {**links, name: wanted}}

    return update_json(FILE, change)


def show_saved(dataset: str) -> None:
    """Show the saved filters as buttons, and a field to save what is set now."""
    saved, reason = list_saved(dataset), visitor.why_not(Right.FILTERS)
    now = {name: st.query_params[name] for name in PARAMETERS if name in st.query_params}
    for number, (name, link) in enumerate(saved.items()):
        with st.container(horizontal=True, gap="small"):
            st.button(
                in_markdown(name), key=f"saved-{number}", width="stretch",
                type="primary" if link == now else "secondary", on_click=_open, args=[link],
            )  # fmt: skip
            st.button(
                "✕", key=f"drop-{number}", help=reason or "Forget this filter",
                disabled=reason is not None, on_click=_drop, args=[dataset, name],
            )  # fmt: skip
    if not now or now in saved.values():
        return
    key = "save-filters-as"
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.text_input(
            "Save these filters as", key=key, max_chars=MAX_NAME_LENGTH, placeholder="a name",
            disabled=reason is not None,
        )  # fmt: skip
        st.button(
            "Save", key="save-filters", disabled=reason is not None, help=reason,
            on_click=_save_as, args=[dataset, key, now],
        )  # fmt: skip


def _open(link: Link) -> None:
    set_link(dict.fromkeys((*PARAMETERS, *PLACE)) | link)


def _drop(dataset: str, name: str) -> None:
    if _is_allowed():
        save(dataset, name, None)


def _save_as(dataset: str, key: str, link: Link) -> None:
    name = str(st.session_state[key]).strip()
    if not name or not _is_allowed():
        return
    try:
        is_saved = save(dataset, name, link)
    except InputError as error:
        st.toast(in_markdown(f"NOT saved. {error.problem} {error.remedy}"))
        return
    if not is_saved:
        st.toast("NOT saved: the user's folder on the server cannot be read or written.")


def _is_allowed() -> bool:
    """Return whether the visitor may save filters, and log a refusal.

    Without the right the buttons are off, but a browser can still send a click.
    """
    try:
        visitor.current_actor().check(Right.FILTERS)
    except CurationError:
        return False
    return True
