"""The address that the browser sends the messages of Review to; see `curation/review/protocol.py`.

An answer other than 200 tells the browser what to do: load the page again (403), have it drawn
again, which opens what is gone or says what is wrong (404, 500, 503), or tell its user that this
server does not understand it (400). What is not answered stays in the browser, and is sent again.
"""

from __future__ import annotations

import json
import logging
from functools import cache

from anyio import CapacityLimiter, to_thread
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from curation.errors import FileChangedError, StoreError
from curation.review.message_check import MessageError, read_message
from curation.review.protocol import BrowserMessage
from curation.ui.review.review_tab import ADDRESS, ReviewTab, TabGone, open_tabs
from curation.ui.server.script_faults import log_fault
from curation.ui.server.tickets import actor_of

MAX_BYTES = 8 * 2**20  # of a message; the browser sends less at a time
THREADS = 40  # messages that are answered at once; a locked store can hold each for seconds

_log = logging.getLogger("curation.access")


def make_routes() -> list[Route]:
    """Return the addresses of messages, for proxies that keep the base path and that drop it."""

    @cache
    def limit() -> CapacityLimiter:  # made once the server runs: older versions ask for its loop
        return CapacityLimiter(THREADS)

    async def receive(request: Request) -> Response:
        return await _receive(request, limit())

    paths = (f"/{ADDRESS}/{{key}}", f"/{{base:path}}/{ADDRESS}/{{key}}")
    return [Route(path, receive, methods=["POST"]) for path in paths]


async def _receive(request: Request, limiter: CapacityLimiter) -> Response:
    tab = open_tabs().find(request.path_params["key"])
    if tab is None:
        return _refuse(404, "This tab of Review is not open on this server.")
    actor = actor_of(request)
    if not tab.belongs_to(actor):
        _log.warning("refused %r: a message to the Review tab of %r", actor.name, tab.visitor)
        return _refuse(403, "This tab of Review belongs to somebody else.")
    try:
        message = read_message(await _read(request))
    except ClientDisconnect:
        return Response()  # nobody is there to read it
    except MessageError as error:
        _log.warning("refused a message to Review from %r: %s", actor.name, error)
        return _refuse(400, f"This message was not understood: {error}.")
    # In a thread, which knows who asks: the store checks their rights at each write.
    return await to_thread.run_sync(_answer, tab, message, limiter=limiter)


async def _read(request: Request) -> bytes:
    """Return the body of a request; no more is read than a message may have."""
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > MAX_BYTES:
            raise MessageError(f"it is longer than {MAX_BYTES:,} bytes")
    return bytes(body)


def _answer(tab: ReviewTab, message: BrowserMessage) -> Response:
    try:
        answer = tab.answer(message)
    except TabGone:
        return _refuse(404, "What this tab of Review shows is no longer open on this server.")
    except (StoreError, FileChangedError) as error:  # the page says so, and what to do
        return _refuse(503, f"{error.problem} {error.remedy}")
    except Exception as error:
        number = log_fault("a message to Review failed", error)
        return _refuse(500, f"Something went wrong on our side; it is number {number} in the log.")
    # ASCII: texts may hold half a character, which UTF-8 cannot
    return Response(json.dumps(answer, separators=(",", ":")), media_type="application/json")


def _refuse(status: int, problem: str) -> Response:
    return Response(json.dumps({"problem": problem}), status, media_type="application/json")
