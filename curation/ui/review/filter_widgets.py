"""Widgets whose value is a parameter of the page's link, and nothing else.

So a filter can be shared, and is still set when the page is opened again. Another filter makes
another list, so a change also leaves the example and the page of the grid that the link named.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from curation.ui.shell import state

PLACE = ("at", "page")  # in a link: where in the queue one is


@dataclass(frozen=True)
class Choices:
    """What can be chosen, in order: each value with its name and how many examples it brings.

    Streamlit's browser side reports a choice by the words that it shows. The numbers in them
    change as people decide, so a report may use the words of a moment ago: it is understood by the
    name alone.
    """

    values: Sequence[str]
    name: Callable[[str], str]
    count: Callable[[str], int | None] = lambda value: None

    def show(self, value: str) -> str:
        count = self.count(value)
        return self.name(value) if count is None else f"{self.name(value)} · {count:,}"

    def understand(self, reported: str) -> str | None:
        """Return the value that was chosen; None if there is none of that name."""
        if reported in self.values:
            return reported
        name = re.sub(r" · [\d,]+$", "", reported)
        return next((each for each in self.values if self.name(each) == name), None)


def set_filter(name: str, value: str | None) -> None:
    """Put a filter into the link, or take it out, and leave the place in the old list."""
    set_link(dict.fromkeys(PLACE) | {name: value})


def set_link(values: Mapping[str, str | None]) -> None:
    """Put values into the link; those that are empty are taken out."""
    for name, value in values.items():
        if value:
            st.query_params[name] = value
        elif name in st.query_params:
            del st.query_params[name]


def pick(
    widget: Callable[..., Any],
    label: str,
    name: str,
    choices: Choices,
    current: str,
    *,
    default: str,
    is_filter: bool = True,
    clears: Sequence[str] = (),
    **options: Any,
) -> str:
    """Show a widget for one of several choices; the default is left out of the link.

    One that is no filter, but another way to show the same list, keeps the place in it. Filters
    in `clears` make no sense with another choice.
    """
    key = _key(name)

    def changed() -> None:
        chosen = choices.understand(st.session_state[key] or default)
        if chosen is None or chosen == current:
            return
        value = None if chosen == default else chosen
        others = (*PLACE, *clears) if is_filter else ()
        set_link(dict.fromkeys(others) | {name: value})

    state.draw(
        widget, label, choices.values, key=key, value=current, on_change=changed,
        format_func=choices.show, **options,
    )  # fmt: skip
    return current


def pick_many(
    label: str, name: str, choices: Choices, current: Sequence[str], **options: Any
) -> None:
    """Show a widget for any number of choices, none of which holds a comma."""
    key = _key(name)

    def changed() -> None:
        understood = [choices.understand(each) for each in st.session_state[key]]
        chosen = [each for each in understood if each is not None]
        if chosen != list(current):
            set_filter(name, ",".join(chosen))

    state.draw(
        st.multiselect, label, choices.values, key=key, value=list(current), on_change=changed,
        format_func=choices.show, **options,
    )  # fmt: skip


def write(label: str, name: str, current: str, **options: Any) -> None:
    """Show a text field."""
    key = _key(name)

    def changed() -> None:
        set_filter(name, str(st.session_state[key]).strip())

    state.draw(st.text_input, label, key=key, value=current, on_change=changed, **options)


def count_up(label: str, name: str, current: int, most: int, **options: Any) -> None:
    """Show a field for a whole number from 0 on; 0 is left out of the link."""
    key = _key(name)

    def changed() -> None:
        set_filter(name, str(st.session_state[key] or ""))

    state.draw(
        st.number_input, label, 0, most, key=key, value=current, on_change=changed, **options
    )


def slide(
    label: str, name: str, current: tuple[float, float] | None, limits: tuple[float, float]
) -> None:
    """Show a slider for the lowest and the highest value; the whole range is no filter."""
    key = _key(name)

    def changed() -> None:
        low, high = st.session_state[key]
        set_filter(name, None if (low, high) == limits else f"{low:g},{high:g}")

    state.draw(
        st.slider, label, *limits, step=0.01, key=key, value=current or limits, on_change=changed
    )


def _key(name: str) -> str:
    return f"filter.{name}"
