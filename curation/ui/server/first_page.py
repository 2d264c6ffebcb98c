"""The first page by its name: /Overview leads to it, as /Noise leads to the noise map.

Streamlit serves the first page at / only, and calls its name an unknown page.
"""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.routing import Route

from curation.ui.server.entrance import base_path

PATHS = ("/Overview", "/overview")


def make_routes() -> list[Route]:
    """Return the addresses that lead to the first page, for proxies that keep or drop the base."""
    bases = dict.fromkeys(["", base_path()])
    return [Route(base + path, _lead_to_first_page) for base in bases for path in PATHS]


def _lead_to_first_page(request: Request) -> RedirectResponse:
    """Keep what the link says; the address is relative, so no other server can be meant."""
    query = request.url.query
    return RedirectResponse(f"./?{query}" if query else "./")
