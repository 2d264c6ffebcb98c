"""One tab of Review on the server: what is open in it, and the answers to its messages.

The page is drawn by Streamlit, which then knows nothing of what is decided. The browser sends its
messages to a route of our own (`message_route`), where they are answered from what the page left
here when it was drawn.
"""

from __future__ import annotations

import secrets
import threading
from dataclasses import dataclass
from weakref import WeakValueDictionary

from curation.core.matrix import IntArray
from curation.review.operation_types import OperationAnswer
from curation.review.protocol import BrowserMessage, Drawing, ServerAnswer
from curation.roles import Actor
from curation.store import Store
from curation.ui.review.review_session import ReviewSession
from curation.ui.review.session_answer import PageLinks, make_answer, make_grid
from curation.ui.review.session_decisions import carry_out_all
from curation.ui.review.session_window import make_window
from curation.ui.shell import cache, page_store

ADDRESS = "_review"  # messages go there, below the address of the pages
NO_MESSAGE: BrowserMessage = {
    "number": 0,
    "store": "",
    "analysis": "",
    "queue": "",
    "operations": [],
    "cursor": None,
    "place": -1,
    "names": False,
    "items": [],
    "strips": [],
    "tiles": [],
    "near": [],
    "page": None,
    "large": None,
    "conflicts": [],
}


class TabGone(Exception):
    """What the tab shows is no longer open here; the page has to be drawn again."""


@dataclass(frozen=True)
class QueueView:
    """How a page shows a queue: all that its link and its widgets say about it."""

    view: str  # "one" or "grid"
    size: int  # of a page of the grid
    live: bool  # whether the page shows what others do
    linked: str | None  # the example that the link names
    page: int  # of the grid, that the link names
    links: PageLinks


@dataclass
class OpenQueue:
    """A queue and how it is shown; its rows stay listed while they are decided."""

    session: ReviewSession
    shown: QueueView
    kept: tuple[str, IntArray] | None = None  # the rows, with the key of the queue they are

    @property
    def is_current(self) -> bool:
        """Return whether its dataset and store are still those that pages use."""
        return page_store.is_open(self.session.frame.source, self.session.store)

    def find_rows(self) -> IntArray:
        """Return the rows; found again if this has become another queue, as with a new audit."""
        key = self.session.key
        if self.kept is None or self.kept[0] != key:
            self.kept = (key, self.session.find_rows())
        return self.kept[1]

    def continues(self, other: OpenQueue) -> bool:
        """Return whether another one is the same queue, which was drawn before."""
        return (
            self.session.frame.findings is other.session.frame.findings
            and self.session.store is other.session.store  # another one if it was restored
            and self.session.key == other.session.key
        )

    def answer(
        self, message: BrowserMessage, answers: dict[str, OperationAnswer], rows: IntArray
    ) -> ServerAnswer:
        session, shown = self.session, self.shown
        session.dataset.check_unchanged()
        if message["queue"] != session.key or message["page"] is None:  # not a page of this queue
            message = {**message, "page": shown.page}
        answer = make_answer(session, message, answers, rows, shown.links)
        answer["live"] = shown.live
        if shown.view == "grid" and session.status != "disputed":  # which are settled one by one
            return {**answer, **make_grid(session, message, rows, shown.size)}
        return {**answer, **make_window(session, message, rows, shown.linked)}


class ReviewTab:
    """What one tab has open. Its messages are answered one at a time."""

    def __init__(self, visitor: Actor) -> None:
        self.key = secrets.token_urlsafe(24)  # whoever knows it can send messages as this tab
        self.visitor = visitor.name
        self._lock = threading.Lock()
        self._queue: OpenQueue | None = None
        self._message = NO_MESSAGE  # the last one, without its operations
        # the answers to the last message, and the store that they are true of
        self._answered: tuple[Store | None, dict[str, OperationAnswer]] = (None, {})
        self._drawings = 0

    def belongs_to(self, actor: Actor) -> bool:
        """Return whether somebody is the person who opened this tab."""
        return actor.role is not None and actor.name == self.visitor

    def draw(self, session: ReviewSession, shown: QueueView) -> Drawing:
        """Open a queue in this tab, and return what the page hands to the browser.

        It does not wait for a message that is being answered: the browser takes no answer from
        before it was drawn.
        """
        queue, before = OpenQueue(session, shown), self._queue
        if before is not None and queue.continues(before):
            queue.kept = before.kept
        answer = queue.answer(self._message, self._find_answers(session), queue.find_rows())
        self._queue = queue
        self._drawings += 1
        return {
            "address": f"./{ADDRESS}/{self.key}",
            "number": self._drawings,
            "answer": answer,
        }

    def answer(self, message: BrowserMessage) -> ServerAnswer:
        """Carry out what a message says, and answer it."""
        with self._lock:
            queue = self._queue
            if queue is None or not queue.is_current:
                raise TabGone
            session, rows = queue.session, queue.find_rows()
            # Else it was decided in another store, or under another name.
            answers = self._find_answers(session)
            if message["store"] == session.store_key:
                answers = carry_out_all(session, message["operations"], answers, rows)
            self._answered = (session.store, answers)
            self._message = {**message, "operations": []}
            return queue.answer(message, answers, rows)

    def _find_answers(self, session: ReviewSession) -> dict[str, OperationAnswer]:
        """Return the last answers; none if the store was restored, and may lack what was saved."""
        store, answers = self._answered
        return answers if store is session.store else {}


class OpenTabs:
    """The tabs of this server by their keys.

    Streamlit's session of a tab keeps it, so that it goes when that goes: some minutes after the
    tab was closed. Whoever comes later is told that it is gone, and has the page drawn again.
    """

    def __init__(self) -> None:
        self._tabs: WeakValueDictionary[str, ReviewTab] = WeakValueDictionary()

    def open(self, visitor: Actor) -> ReviewTab:
        tab = ReviewTab(visitor)
        self._tabs[tab.key] = tab
        return tab

    def find(self, key: str) -> ReviewTab | None:
        return self._tabs.get(key)


def open_tabs() -> OpenTabs:
    """Return the tabs of this server."""
    return cache.of_server(("review tabs",), OpenTabs)
