"""Settings that last while a person moves between pages: in the link, or in the session.

A widget forgets its value when its page is left, and Streamlit's own menu drops the link's
parameters. So each setting is kept in both, and the link has priority: opening a shared link
restores the view. All widgets that live on several pages are drawn by `draw`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

ON = "on"  # a switch in a link
_PAGE = "state.page"  # in the session: the page that is open


def enter_page(title: str) -> None:
    """Note which page is open; every page calls this before it draws a widget."""
    st.session_state[_PAGE] = title


def draw(widget: Callable[..., Any], *given: Any, key: str, value: Any, **options: Any) -> Any:
    """Draw a widget that lives on several pages, with this value, and return what it holds.

    A widget's state belongs to the page that drew it. While the next page runs for the first time,
    the key still leads to the state on the page before: it looks as if the value were set, and the
    new page's widget, which has a state of its own, then comes up empty. So the value is set again
    if another page drew the widget last. It is not set more often than that: what a person
    is typing at that moment would be lost.
    """
    drawn_by = f"drawn.{key}"
    page = st.session_state.get(_PAGE)
    if st.session_state.get(key) != value or st.session_state.get(drawn_by) != page:
        st.session_state[key] = value
    held = widget(*given, key=key, **options)
    st.session_state[drawn_by] = page  # last: a run that ends before has drawn nothing
    return held


def find(name: str) -> str:
    """Return a kept setting: from the link, or the session; "" if it is in neither."""
    return str(st.query_params.get(name) or st.session_state.get(_slot(name)) or "")


def recall(name: str, default: str) -> str:
    """Return a kept setting: from the link, or the session, or the default."""
    value = find(name) or default
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


def forget_widgets(prefix: str) -> None:
    """Drop what widgets hold, so that they start from what is kept."""
    for key in [key for key in st.session_state if str(key).startswith(prefix)]:
        del st.session_state[key]


def keep_page(page: str, parameters: Mapping[str, str]) -> None:
    """Keep what the link of a page says, so that the menu leads back to the same view."""
    st.session_state[_slot(page)] = dict(parameters)


def recall_page(page: str) -> dict[str, str]:
    """Return what the link of a page said when it was last open."""
    return dict(st.session_state.get(_slot(page)) or {})


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

    def changed() -> None:
        keep(name, str(st.session_state[key] or default), default)

    chosen = draw(widget, label, choices, key=key, value=current, on_change=changed, **options)
    return str(chosen or current)


def switch(label: str, name: str, **options: Any) -> bool:
    """Show a toggle for a kept setting that is off by default and return whether it is on."""
    key = f"widget.{name}"
    is_on = recall_choice(name, ("", ON), "") == ON

    def changed() -> None:
        keep(name, ON if st.session_state[key] else "")

    return bool(draw(st.toggle, label, key=key, value=is_on, on_change=changed, **options))


def write(label: str, name: str, **options: Any) -> str:
    """Show a text field for a kept setting that is empty by default and return its text."""
    key = f"widget.{name}"

    def changed() -> None:
        keep(name, str(st.session_state[key]))

    text = recall(name, "")
    return str(draw(st.text_input, label, key=key, value=text, on_change=changed, **options))


def write_privately(label: str, name: str, default: str, *, key: str, **options: Any) -> str:
    """Show a text field kept in the session only, for what a link must not set; return its text."""
    return str(hold(st.text_input, label, name=name, default=default, key=key, **options))


def hold(
    widget: Callable[..., Any], *given: Any, name: str, default: Any, key: str, **options: Any
) -> Any:
    """Show a widget whose value is kept in the session only, and return what it holds."""

    def changed() -> None:
        st.session_state[_slot(name)] = st.session_state[key]

    value = st.session_state.get(_slot(name), default)
    return draw(widget, *given, key=key, value=value, on_change=changed, **options)


def _slot(name: str) -> str:
    return f"kept.{name}"
