"""The pages for somebody who is not in yet: plain HTML that needs nothing else of the server."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

STYLE = """
:root { color-scheme: light dark; --ink: #1c232b; --quiet: #5a6672; --ground: #fff; --line: #c9d1da;
  --accent: #0b5fa5 }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6ebf1; --quiet: #9aa7b4; --ground: #11161c; --line: #3a4552 } }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: var(--ground);
  color: var(--ink); font: 16px/1.5 "Source Sans", "Source Sans 3", system-ui, sans-serif }
main { box-sizing: border-box; width: min(34rem, 100%); padding: 1.5rem }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .75rem }
p { margin: 0 0 1rem } .quiet { color: var(--quiet); font-size: .9rem }
code { overflow-wrap: anywhere }
form { display: flex; flex-wrap: wrap; gap: .5rem; margin: 0 0 1rem }
label { flex-basis: 100%; font-size: .9rem }
input[type=password] { flex: 1 1 14rem; min-width: 0; padding: .55rem .7rem; font: inherit;
  color: inherit; background: transparent; border: 1px solid var(--line); border-radius: .5rem }
button, a.button { padding: .55rem 1.1rem; font: inherit; font-weight: 600; color: #fff;
  background: var(--accent); border: 0; border-radius: .5rem; cursor: pointer;
  text-decoration: none; display: inline-block }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
a { color: inherit }
.wrong { border-left: 3px solid #c4372f; padding-left: .75rem }
"""


def make_page(title: str, body: str, head: str = "") -> str:
    """Return a page with this title; title and body are HTML."""
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title} · Curation'
        '</title><meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{STYLE}</style>{head}</head><body><main><h1>{title}</h1>{body}</main></body></html>"
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
