"""An error that nobody foresaw: the page shows a number, and the log has the details under it."""

from __future__ import annotations

import logging
import secrets

import streamlit as st

_log = logging.getLogger(__name__)


def show_fault(error: Exception) -> bool:
    """Log an error under a number, and show the number with what to do next."""
    number = log_fault("a page failed", error)
    st.error(
        "**Something went wrong on our side.** What you have saved is kept. Load the page again. "
        f"If it happens again, report number **{number}**: the details are in the server's log.",
        icon=":material/error:",
    )
    return True  # so that Streamlit does not show its own message as well


def log_fault(what: str, error: BaseException) -> str:
    """Log an error with its traceback and return the number it is logged under."""
    number = secrets.token_hex(4)
    _log.error("%s (%s)", what, number, exc_info=error)
    return number
