"""Settings that last while a person moves between pages: in the link, else in the session.

A widget forgets its value when its page is left, and Streamlit's own menu drops the link's
parameters. So each setting is kept in both, and the link has priority: opening a shared link
restores the view.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

ON = "on"  # a switch in a link


def recall(name: str, default: str) -> str:
    """Return a kept setting: from the link, else from the session, else the default."""
    value = str(st.query_params.get(name) or st.session_state.get(_slot(name)) or default)
    keep(name, value, default)
    return value


def recall_choice(name: str, choices: Sequence[str], default: str) -> str:
    """Return a kept setting that is one of the choices; any other value in a link is ignored."""
    value = recall(name, default)
    if value not in choices:
        keep(name, default, default)
        return default
    return value


def keep(name: str, value: str, default: str = "") -> None:
    """Keep a setting in the session and, unless it is the default, in the link."""
    st.session_state[_slot(name)] = value
    if value and value != default:
        if st.query_params.get(name) != value:
            st.query_params[name] = value
    elif name in st.query_params:
        del st.query_params[name]


def keep_together(**values: str) -> None:
    """Keep settings that only make sense together in one step of the browser's history."""
    for name, value in values.items():
        st.session_state[_slot(name)] = value
    if any(st.query_params.get(name) != value for name, value in values.items()):
        st.query_params.update(values)


def forget(*names: str) -> None:
    """Drop settings that no longer make sense, such as a class of another dataset."""
    for name in names:
        st.session_state.pop(_slot(name), None)
        if name in st.query_params:
            del st.query_params[name]


def forget_all(*, but: Sequence[str] = ()) -> None:
    """Drop the settings of every page, except those named."""
    slots = [name for name in st.session_state if str(name).startswith(_slot(""))]
    kept = [str(name).removeprefix(_slot("")) for name in slots]
    forget(*(name for name in {*kept, *st.query_params} if name not in but))


def choose(
    widget: Callable[..., Any],
    label: str,
    name: str,
    choices: Sequence[str],
    default: str,
    **options: Any,
) -> str:
    """Show a widget for a kept setting and return the choice."""
    current = recall_choice(name, choices, default)
    key = f"widget.{name}"
    if st.session_state.get(key) != current:  # the link changed, or another page was open
        st.session_state[key] = current

    def changed() -> None:
        keep(name, str(st.session_state[key] or default), default)

    chosen = widget(label, choices, key=key, on_change=changed, **options)
    return str(chosen or current)


def switch(label: str, name: str, **options: Any) -> bool:
    """Show a toggle for a kept setting that is off by default and return whether it is on."""
    key = f"widget.{name}"
    st.session_state[key] = recall_choice(name, ("", ON), "") == ON

    def changed() -> None:
        keep(name, ON if st.session_state[key] else "")

    return bool(st.toggle(label, key=key, on_change=changed, **options))


def write(label: str, name: str, **options: Any) -> str:
    """Show a text field for a kept setting that is empty by default and return its text."""
    key = f"widget.{name}"
    st.session_state[key] = recall(name, "")
    text = st.text_input(
        label, key=key, on_change=lambda: keep(name, str(st.session_state[key])), **options
    )
    return str(text)


def _slot(name: str) -> str:
    return f"kept.{name}"
