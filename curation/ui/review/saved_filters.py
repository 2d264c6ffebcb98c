"""Filters saved under a name: in the user's folder of this server, for each dataset.

What is saved is the part of a link that makes the queue, so that it means the same as the link.
"""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from curation.errors import CurationError
from curation.review.filter_link import PARAMETERS
from curation.roles import Right
from curation.ui.review.filter_widgets import PLACE, set_link
from curation.ui.shell import visitor
from curation.ui.shell.user_files import read_json, write_json
from curation.ui.widgets.literal_text import in_markdown

FILE = "filters.json"
MAX_NAME_LENGTH = 60  # characters
Link = dict[str, str]


def list_saved(dataset: str) -> dict[str, Link]:
    """Return the filters saved for a dataset by name; anything else in the file is ignored."""
    kept = read_json(FILE)
    found = kept.get(dataset) if isinstance(kept, dict) else None
    if not isinstance(found, dict):
        return {}
    return {
        str(name): {key: str(value) for key, value in link.items() if key in PARAMETERS}
        for name, link in sorted(found.items())
        if isinstance(link, dict)
    }


def save(dataset: str, name: str, link: Mapping[str, str] | None) -> bool:
    """Keep a link under a name, or remove the name without one; return whether that worked."""
    kept = read_json(FILE)
    everything = kept if isinstance(kept, dict) else {}
    mine = list_saved(dataset)
    mine.pop(name, None)
    if link is not None:
        mine[name] = {key: link[key] for key in PARAMETERS if key in link}
    return write_json(FILE, {**everything, dataset: mine})


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
    if name and _is_allowed() and not save(dataset, name, link):
        st.toast("The filters could not be saved: the user's folder cannot be written.")


def _is_allowed() -> bool:
    """Return whether the visitor may save filters, and log a refusal.

    Without the right the buttons are off, but a browser can still send a click.
    """
    try:
        visitor.current_actor().check(Right.FILTERS)
    except CurationError:
        return False
    return True
