"""The pages for somebody who is not in yet: plain HTML that needs nothing else of the server."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from html import escape
from pathlib import Path


@cache
def _read_style() -> str:
    return Path(__file__).with_name("entrance_pages.css").read_text(encoding="utf-8")


def make_page(title: str, body: str, head: str = "") -> str:
    """Return a page with this title; title and body are HTML."""
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title} · Curation'
        '</title><meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{_read_style()}</style>{head}</head><body><main><h1>{title}</h1>{body}</main></body></html>"
    )


def ask_for_token(name: str, wrong: bool, parameters: Iterable[tuple[str, str]]) -> str:
    """Return the page that says where the link is, and takes its token."""
    kept = "".join(
        f'<input type="hidden" name="{escape(key)}" value="{escape(value)}">'
        for key, value in parameters
        if key != name
    )
    told = (
        '<p class="wrong">That token is not the one of this server. Each start of '
        "<code>curate</code> makes a new one.</p>"
        if wrong
        else ""
    )
    return make_page(
        "Open Curation with its link",
        "<p>This dashboard only opens for the person who started it. Use the link that "
        "<code>curate</code> printed in the terminal, or paste the part after "
        f"<code>token=</code> here.</p>{told}"
        f'<form><label for="token">Token</label><input type="password" id="token" name="{name}" '
        f'autocomplete="off" required autofocus>{kept}<button>Open</button></form>'
        '<p class="quiet">You followed a link from another site, and this browser was let in '
        'before? <a href="">Continue</a></p>',
    )


def lead_on(address: str) -> str:
    """Return a page that opens another address of this server at once."""
    target = escape(address)
    return make_page(
        "Opening Curation",
        f'<p><a href="{target}">Continue</a></p>',
        f'<meta http-equiv="refresh" content="0;url={target}">',
    )


def offer_sign_in(address: str, told: str | None) -> str:
    """Return the page that leads to the provider; `told` says why somebody is not in any more."""
    words = f'<p class="wrong">{escape(told)}</p>' if told else ""
    return make_page(
        "Sign in to Curation",
        f"{words}<p>Your decisions are saved under the name that you sign in with.</p>"
        f'<p><a class="button" href="{escape(address)}">Sign in</a></p>',
    )


def tell_refused(name: str, advice: str, sign_out: str | None) -> str:
    """Return the page for somebody who signed in and is not let in all the same."""
    again = (
        f'<p><a class="button" href="{escape(sign_out)}">Use another account</a></p>'
        if sign_out
        else ""
    )
    return make_page(
        "You cannot open this yet",
        f"<p>You are signed in as <b>{escape(name)}</b>. {escape(advice)}</p>{again}",
    )


def tell_use_proxy(address: str) -> str:
    """Return the page for a request that did not come through the proxy."""
    return make_page(
        "Open Curation at its own address",
        f'<p>People sign in at <a href="{escape(address)}">{escape(address)}</a>. This server '
        "answers nobody else.</p>",
    )
