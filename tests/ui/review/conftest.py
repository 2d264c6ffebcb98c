"""A queue of Review that is open in tabs, and clients that send messages to its route."""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np
import pytest
import streamlit as st
from starlette.applications import Starlette
from starlette.middleware import Middleware

import curation
from curation.review.queue_filters import Filters, QueueSource
from curation.roles import OWNER
from curation.ui.review import message_route, review_tab
from curation.ui.review.review_session import ReviewSession
from curation.ui.review.review_tab import NO_MESSAGE, QueueView
from curation.ui.review.session_answer import PageLinks
from curation.ui.server import private_key
from curation.ui.server.gate import Gate
from curation.ui.shell import page_store
from curation.ui.shell.decision_progress import ledger_of
from curation.ui.shell.frame import Frame, Settings
from curation.ui.shell.opening import Source
from tests import small_set
from tests.ui.door import Door

with warnings.catch_warnings():  # it prefers a successor of httpx, which Authlib does not use yet
    warnings.simplefilter("ignore")
    from starlette.testclient import TestClient

LINKS = PageLinks("Export?data=x", "Quality?data=x", "Review?data=x&status=disputed")
ONE_BY_ONE = QueueView("one", 24, False, None, 0, LINKS)
GRID = QueueView("grid", 24, False, None, 0, LINKS)


class Tab:
    """A browser at one tab of Review: it sends messages as somebody, and remembers nothing."""

    def __init__(self, opened, session, actor, shown=ONE_BY_ONE, base=""):
        self.opened, self.session, self.shown = opened, session, shown
        routes = message_route.make_routes()
        app = Starlette(routes=routes, middleware=[Middleware(Gate, entrance=Door(actor))])
        self.client = TestClient(app, "http://localhost:8501")
        self.drawn = self.draw()
        self.address = base + self.drawn["address"].removeprefix(".")

    def draw(self, **changes):
        self.session = replace(self.session, **changes)
        return self.opened.draw(self.session, self.shown)

    def write(self, *operations, **fields):
        """Return a message about what the page shows."""
        shown = self.drawn["answer"]
        place = {each: shown[each] for each in ("store", "analysis", "queue")}
        return {**NO_MESSAGE, **place, "number": 1, "operations": operations, **fields}

    def post(self, *operations, **fields):
        return self.client.post(self.address, json=self.write(*operations, **fields))

    def decide(self, example_id, action="keep", op_id="", **more):
        """Return the operation that a key makes of the example on screen."""
        return {
            "op_id": op_id or f"{action} {example_id}", "curator": self.session.curator,
            "dataset": "set", "do": "decide", "id": example_id, "action": action, "kind": None,
            "note": "", "seconds": 1.5, "judged": self.session.judged_key, "revision": 0, **more,
        }  # fmt: skip

    def decide_all(self, action="keep", **more):
        """Return the operation for all examples of the grid on screen that are free."""
        shown = self.drawn["answer"]
        return {
            "op_id": f"{action} all", "curator": self.session.curator, "dataset": "set",
            "do": "many", "action": action, "count": shown["total"] - shown["taken"],
            "taken": shown["taken"], "judged": shown["judged"], "all": True,
            "match": shown["match"], "last": shown["last"], **more,
        }  # fmt: skip


@pytest.fixture(autouse=True)
def server(tmp_path, monkeypatch):
    """A server of its own for each test: its key, its caches, and nobody's folders."""
    key = private_key.secrets.token_bytes(32)
    monkeypatch.setattr(private_key, "find_key", lambda: key)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    monkeypatch.setattr("sys.argv", ["streamlit"])
    yield
    st.cache_resource.clear()


@pytest.fixture
def frame(tmp_path):
    folder = small_set.write_texts(tmp_path / "set", 30, 12, rng=np.random.default_rng(5))
    dataset = curation.load(folder)
    findings = curation.analyze(dataset.labels, dataset.pred_probs, dataset.class_names)
    settings = Settings("confident_joint", "mean", "argmax")
    return Frame(Source(str(folder)), dataset, findings, settings)


@pytest.fixture
def open_tab(frame):
    """Open a queue of the dataset as the page does, but without one: `open_tab("ana")`."""

    def start(curator="ana", actor=OWNER, *, visitor=None, base="", shown=ONE_BY_ONE, **fields):
        store = page_store.opener(frame)()
        filters = fields.pop("filters", Filters())
        source = QueueSource(frame.dataset, frame.findings, ledger_of(store))
        session = ReviewSession(frame, store, curator, source, filters, **fields)
        opened = review_tab.open_tabs().open(visitor or actor)
        return Tab(opened, session, actor, shown, base)

    return start
