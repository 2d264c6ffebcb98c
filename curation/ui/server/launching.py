"""Starting the server: which entrance it has, what it prints, and the browser that it opens."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st
from starlette.middleware import Middleware
from streamlit import config
from streamlit.cli_util import open_browser

from curation.errors import CurationError, InputError
from curation.paths import user_folder
from curation.store_address import check_store
from curation.ui.server import entrance_pages
from curation.ui.server.access_file import Access, Oidc, find_access
from curation.ui.server.addresses import check_address, check_framing
from curation.ui.server.command_line import read_command
from curation.ui.server.early_loading import load_early
from curation.ui.server.entrance import Entrance, base_path
from curation.ui.server.gate import Gate
from curation.ui.server.guard import Guard
from curation.ui.server.last_writes import finish_last_writes
from curation.ui.server.launch_link import PARAMETER, LaunchLink
from curation.ui.server.oidc_sign_in import OidcSignIn
from curation.ui.server.private_key import write_private
from curation.ui.server.server_log import set_up_log
from curation.ui.server.trusted_proxy import TrustedProxy, check_forwarding


def make_middleware() -> list[Middleware]:
    """Return what every request passes; ends the process if it was started in an unsafe way."""
    try:
        check_store(read_command().store)
        access, framed_by = find_access(), tuple(read_command().framed_by)
        check_framing(framed_by, signs_in=access is not None)
        check_address(st.get_option("server.address"), signs_in=access is not None)
        entrance = find_entrance()
    except CurationError as error:
        raise SystemExit(f"{error.problem}\n{error.remedy}") from None
    if access is not None:
        _apply(access)
    set_up_log(entrance.secrets)
    secure = access is not None and access.address.scheme == "https"
    return [
        Middleware(Guard, framed_by=framed_by),
        Middleware(Gate, entrance=entrance, secure=secure),
    ]


@cache
def find_entrance() -> Entrance:
    """Return the one way to come in."""
    access = find_access()
    if access is None:
        return LaunchLink(lambda: int(st.get_option("server.port")))
    if isinstance(access.sign_in, Oidc):
        _check_installed()
        return OidcSignIn(access, access.sign_in)
    check_forwarding()
    return TrustedProxy(access, access.sign_in)


def make_secrets() -> dict[str, Any] | None:
    """Return the secrets of `st.login`, if people sign in with it; those in files are not used."""
    entrance = find_entrance()
    return entrance.make_streamlit_secrets() if isinstance(entrance, OidcSignIn) else None


def _check_installed() -> None:
    from streamlit.auth_util import is_authlib_installed

    if not is_authlib_installed():
        raise InputError(
            "Signing in with [oidc] needs a library that is not installed.",
            "pip install 'confident-curation[signin]'",
        )


def _apply(access: Access) -> None:
    """Let Streamlit answer to the public address too."""
    hosts = [*st.get_option("server.allowedHosts"), str(access.address.hostname)]
    config.set_option("server.allowedHosts", hosts)
    if access.base_path:
        config.set_option("server.baseUrlPath", access.base_path)


def announce() -> Callable[[st.App], AbstractAsyncContextManager[None]]:
    """Return what runs with the server: it loads the dataset, prints the link and opens it."""

    @asynccontextmanager
    async def lifespan(app: st.App) -> AsyncIterator[None]:
        load_early()
        entrance = find_entrance()
        link = find_link(entrance)
        print(f"\n  {_describe(entrance)}\n\n    {link}\n", flush=True)
        page = user_folder() / f"open-{st.get_option('server.port')}.html"
        if not st.get_option("server.headless"):
            _open(page, link)
        try:
            yield
        finally:
            page.unlink(missing_ok=True)
            await finish_last_writes()

    return lifespan


def find_link(entrance: Entrance) -> str:
    """Return the address to open."""
    if not isinstance(entrance, LaunchLink):
        access = find_access()
        return f"{access.public_url}/" if access else ""
    host = str(st.get_option("server.address") or "localhost")
    host = f"[{host}]" if ":" in host else host
    scheme = "https" if st.get_option("server.sslCertFile") else "http"
    port = st.get_option("server.port")
    return f"{scheme}://{host}:{port}{base_path()}/?{PARAMETER}={entrance.token}"


def _describe(entrance: Entrance) -> str:
    if isinstance(entrance, LaunchLink):
        return "Curation is running. Open this link; whoever has it is let in:"
    return "Curation is running. People sign in at:"


def _open(page: Path, link: str) -> None:
    """Open the link by way of a private file: `ps` shows a browser's arguments to every user."""
    try:
        page.parent.mkdir(parents=True, exist_ok=True)
        write_private(page, entrance_pages.lead_on(link).encode())
        open_browser(page.as_uri())
    except OSError:
        return  # the link is printed
