"""What the ways to come in share: a launch link, a sign-in by OpenID Connect, a trusted proxy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol
from urllib.parse import quote

import streamlit as st
from starlette.requests import HTTPConnection
from starlette.responses import Response

from curation.roles import Actor


@dataclass(frozen=True)
class Refusal:
    """Why somebody is not let in."""

    reason: str  # for the log; holds no secret
    who: str | None = None  # as far as it is known
    advice: str = ""  # for somebody who is known


def refuse_without_role(who: str) -> Refusal:
    """Return the refusal of somebody whom the access file gives no role."""
    return Refusal(
        "they have no role",
        who,
        "Ask an admin of this server for a role, then load this page again.",
    )


class Entrance(Protocol):
    """One way to come in."""

    @property
    def secrets(self) -> list[str]:
        """Return what must not be written to the log."""

    def identify(self, request: HTTPConnection) -> Actor | Refusal:
        """Return who sent a request, or why they are not let in."""

    def answer(self, request: HTTPConnection) -> Response | None:
        """Return the answer to a request that is part of coming in; None for all others."""

    def is_open(self, request: HTTPConnection) -> bool:
        """Return whether Streamlit has to answer a request of somebody who is not in yet."""

    def refuse(self, request: HTTPConnection, refusal: Refusal) -> Response:
        """Return the page for somebody who is not let in."""


def base_path() -> str:
    """Return the path that all addresses of this server begin with, such as /curation, or ""."""
    base = str(st.get_option("server.baseUrlPath") or "").strip("/")
    return f"/{base}" if base else ""


def cookie_path() -> str:
    return base_path() or "/"


def clean_address(request: HTTPConnection, parameter: str) -> str:
    """Return the address of a request without one parameter.

    It is relative to the page, so it stays right behind a proxy that adds or removes a path.
    """
    parts = request.url.query.split("&")
    query = "&".join(each for each in parts if each.partition("=")[0] != parameter)
    page = quote(request.url.path.rpartition("/")[2])
    return f"./{page}?{query}" if query else f"./{page}"
