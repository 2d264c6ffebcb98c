"""Curators without a browser: each opens Review as a tab does, and decides by HTTP.

A tab of Review is a websocket, over which Streamlit draws the page, and messages to the address
that the page hands over. A scripted curator does the same: it has Streamlit run the page once,
keeps the websocket open, and from then on sends what the page's JavaScript would send. The server
cannot tell it from a browser; only nothing is painted.
"""

from __future__ import annotations

import gzip
import http.client
import json
import threading
import time
import uuid
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import psutil
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.protocol import State
from websockets.sync.client import ClientConnection, connect

from curation.ui.shell.curator_name import COOKIE
from devtools.serving import Server

OPENING_SECONDS = 300.0  # for a page to be drawn; many may be opened at once
ANSWER_SECONDS = 120.0
ASK_AGAIN_SECONDS = 0.5  # after an answer that brought nothing new, as the page does
FIRST_TABS = 5  # of which the memory is not counted
MAX_ASKED = 20  # messages for the content of one window


class ScriptedCurator:
    """One tab of Review: what it shows and has, and how it decides."""

    def __init__(self, server: Server, data: Path, name: str, **link: str) -> None:
        self.name = name
        self.port = server.port
        self.cookies = f"{server.enter()}; {COOKIE}={quote(name, safe='')}"
        self.link = urlencode({"data": str(data), **link})
        self.items: set[str] = set()
        self.strips: set[int] = set()
        self.near: set[str] = set()
        self.handed: list[str] = []  # the examples that were on screen, in order
        self.took: list[float] = []  # seconds from each decision to its answer
        self.decided: list[str] = []  # the ids of the operations
        self.number = 0
        self.cursor: str | None = None
        self.answer: dict[str, Any] = {}
        self.socket: ClientConnection | None = None
        self.http: http.client.HTTPConnection | None = None

    # ---- the page

    def open(self) -> None:
        """Have Streamlit draw the page, and take in what it hands over."""
        origin = f"http://localhost:{self.port}"
        self.socket = connect(
            f"ws://localhost:{self.port}/_stcore/stream",
            origin=origin,  # type: ignore[arg-type]
            subprotocols=["streamlit"],  # type: ignore[list-item]
            additional_headers={"Cookie": self.cookies},
            max_size=None,
            max_queue=None,  # nobody reads on once the page is drawn
            ping_interval=None,  # a browser sends no pings
            open_timeout=OPENING_SECONDS,
        )
        message = BackMsg()
        message.rerun_script.page_name = "Review"
        message.rerun_script.query_string = self.link
        self.socket.send(message.SerializeToString())
        drawing = self._wait_for_drawing(self.socket)
        self.address = drawing["address"].removeprefix(".")
        self._take(drawing["answer"])

    def _wait_for_drawing(self, socket: ClientConnection) -> dict[str, Any]:
        give_up = time.monotonic() + OPENING_SECONDS
        while True:
            drawn = ForwardMsg.FromString(socket.recv(give_up - time.monotonic()))  # type: ignore[arg-type]
            component = drawn.delta.new_element.bidi_component
            found = json.loads(component.json) if component.json else None
            if isinstance(found, dict) and "address" in found:
                return found

    @property
    def is_open(self) -> bool:
        return self.socket is not None and self.socket.state is State.OPEN

    def close(self) -> None:
        if self.http is not None:
            self.http.close()
        if self.socket is not None:
            self.socket.close()

    # ---- messages

    def send(self, *operations: dict[str, Any]) -> None:
        """Send one message, and take in its answer."""
        self.number += 1
        message = {
            "number": self.number,
            **{name: self.answer[name] for name in ("store", "analysis", "queue")},
            "operations": operations,
            "cursor": self.cursor,
            "place": self._find_place(),
            "names": True,
            "items": sorted(self.items),
            "strips": sorted(self.strips),
            "tiles": [],
            "page": None,
            "near": sorted(self.near),
            "large": None,
            "conflicts": [],
        }
        self._take(self._post(json.dumps(message)))

    def _post(self, body: str) -> dict[str, Any]:
        try:
            status, text = self._exchange(body)
        except ConnectionError:  # the server closes idle connections: sent again, as a browser does
            if self.http is not None:
                self.http.close()
            status, text = self._exchange(body)
        if status != 200:
            raise RuntimeError(f"{self.name}: {status}: {text[:500]!r}")
        found: dict[str, Any] = json.loads(text)
        return found

    def _exchange(self, body: str) -> tuple[int, bytes]:
        if self.http is None:
            self.http = http.client.HTTPConnection("localhost", self.port, timeout=ANSWER_SECONDS)
        headers = {
            "Content-Type": "application/json", "Cookie": self.cookies,
            "Origin": f"http://localhost:{self.port}", "Accept-Encoding": "gzip",
        }  # fmt: skip
        self.http.request("POST", self.address, body, headers)
        answer = self.http.getresponse()
        text = answer.read()
        is_packed = answer.headers.get("Content-Encoding") == "gzip"
        return answer.status, gzip.decompress(text) if is_packed else text

    def _find_place(self) -> int:
        return next((step[1] for step in self.answer["steps"] if step[0] == self.cursor), -1)

    def _take(self, answer: dict[str, Any]) -> None:
        self.answer = answer
        self.items |= answer["items"].keys()
        self.strips |= {int(label) for label in answer["strips"]}
        self.near |= answer["near"].keys()
        if self.cursor is None:
            self._go_to(answer["start"])

    def _go_to(self, example_id: str | None) -> None:
        self.cursor = example_id
        if example_id is not None:
            self.handed.append(example_id)

    def fill(self) -> None:
        """Ask for the content of the examples that come next, as the page does while it waits."""
        for _ in range(MAX_ASKED):
            if all(step[0] in self.items for step in self.answer["steps"]):
                return
            before = len(self.items)
            self.send()
            if len(self.items) == before:
                time.sleep(ASK_AGAIN_SECONDS)

    def decide(self, action: str = "keep") -> None:
        """Decide the example on screen and go on to the next; note how long it took to be saved.

        If there was nothing to show, ask whether there is now.
        """
        if self.cursor is None:
            self.send()
            return
        shown, here = self.cursor, [step[0] for step in self.answer["steps"]]
        operation = self._make_operation(shown, action)
        after = here[here.index(shown) + 1 :] if shown in here else here
        todo = {step[0] for step in self.answer["steps"] if step[2]} - {shown}
        self._go_to(next((each for each in after if each in todo), None))
        start = time.perf_counter()
        self.decided.append(operation["op_id"])
        self.send(operation)
        outcome = self.answer["answers"][operation["op_id"]]["status"]
        if outcome not in ("saved", "conflict"):  # both are on record
            raise RuntimeError(f"{self.name}: {self.answer['answers']}")
        self.took.append(time.perf_counter() - start)
        self.fill()

    def _make_operation(self, shown: str, action: str) -> dict[str, Any]:
        standing = self.answer["standing"].get(shown) or {"revision": 0}
        return {
            "op_id": uuid.uuid4().hex,
            "curator": self.answer["curator"],
            "dataset": self.answer["dataset"],
            "do": "decide",
            "id": shown,
            "action": action,
            "kind": None,
            "note": "",
            "seconds": 3.0,
            "judged": self.answer["judged"],
            "revision": standing["revision"],
        }


def open_all(curators: Iterable[ScriptedCurator]) -> None:
    """Open tabs one after the other, with the content that their pages ask for at first."""
    for each in curators:
        each.open()
        each.fill()


def close_all(curators: Iterable[ScriptedCurator]) -> None:
    for each in curators:
        each.close()


def work(curators: list[ScriptedCurator], seconds: float, pause: float) -> None:
    """Let every curator decide once per pause, evenly spread over it; raise what went wrong."""
    start, faults = time.monotonic() + 0.5, []

    def run(number: int, curator: ScriptedCurator) -> None:
        due = start + pause * number / len(curators)
        try:
            while due < start + seconds:
                time.sleep(max(0.0, due - time.monotonic()))
                curator.decide()
                due = max(due + pause, time.monotonic())
        except Exception as error:
            faults.append(error)

    threads = [threading.Thread(target=run, args=each) for each in enumerate(curators)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if faults:
        raise faults[0]


def measure_tab_memory(server: Server, data: Path, tabs: int) -> float:
    """Return by how many bytes each further tab of Review makes a server grow."""
    process = psutil.Process(server.process.pid)
    opened = [ScriptedCurator(server, data, f"c{each}") for each in range(FIRST_TABS + tabs)]
    open_all(opened[:FIRST_TABS])  # they fill caches for all
    before = _read_memory(process)
    open_all(opened[FIRST_TABS:])
    grown = _read_memory(process) - before
    close_all(opened)
    return grown / tabs


def _read_memory(process: psutil.Process) -> int:
    """Return the resident memory of a process in bytes, once it stays the same for a while."""
    last = [0] * 5
    while max(last) - min(last) > 2**20 or not last[0]:
        time.sleep(1)
        last = [*last[1:], int(process.memory_info().rss)]
    return last[-1]
