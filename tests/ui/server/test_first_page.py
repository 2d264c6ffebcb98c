"""Addresses that lead to the first page; what they ask for is kept."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest
from starlette.applications import Starlette

from curation.ui.server import first_page
from curation.ui.server.first_page import make_routes


def ask(path, query=b""):
    """Return the status and the headers of the answer."""
    sent = []

    async def send(message):
        sent.append(message)

    scope = {"type": "http", "method": "GET", "path": path, "query_string": query, "headers": []}
    answer = Starlette(routes=make_routes())
    # in a thread of its own: Playwright's loop runs in this one if a browser test came before
    with ThreadPoolExecutor(1) as pool:
        pool.submit(lambda: asyncio.run(answer(scope, None, send))).result()
    return sent[0]["status"], dict(sent[0]["headers"])


@pytest.mark.parametrize("path", ["/Overview", "/overview"])
def test_the_name_of_the_first_page_leads_to_it_with_the_whole_link(path):
    assert ask(path)[1][b"location"] == b"./"
    status, headers = ask(path, b"data=%2Fmy%20data&find=a%26b")
    assert (status, headers[b"location"]) == (307, b"./?data=%2Fmy%20data&find=a%26b")


def test_the_name_leads_to_it_under_a_base_path_too(monkeypatch):
    assert ask("/team/Overview")[0] == 404
    monkeypatch.setattr(first_page, "base_path", lambda: "/team")
    assert ask("/team/Overview", b"a=1")[1][b"location"] == b"./?a=1"
    assert ask("/Overview")[0] == 307  # a proxy may drop it


def test_other_names_are_left_to_streamlit():
    assert ask("/Noise")[0] == ask("/Overview/x")[0] == 404
