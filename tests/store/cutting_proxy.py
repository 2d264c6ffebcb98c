"""A proxy between a store and PostgreSQL that cuts the connection at a moment of its choice."""

from __future__ import annotations

import random
import select
import socket
import struct
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Literal
from urllib.parse import parse_qs, urlsplit

Moment = Literal["before", "after"]  # the server has committed
COMMIT = b"COMMIT\x00"  # ends the message that asks for it, and the one that says it is done


class CuttingProxy:
    """Listens on a port of this machine and passes everything on to the server's socket."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        query = parse_qs(parts.query)
        self._server = Path(query["host"][0]) / ".s.PGSQL.5432"
        self._listener = socket.create_server(("127.0.0.1", 0))
        host = f"{parts.username}@127.0.0.1:{self._listener.getsockname()[1]}"
        options = query["options"][0].replace("=", "%3D")
        self.url = f"{parts.scheme}://{host}{parts.path}?sslmode=disable&options={options}"
        self.left = 0  # how often a commit is still cut off
        self.moment: Moment = "before"
        self.cuts = 0
        self.roll: Callable[[], bool] = lambda: False  # whether to cut at any other moment
        threading.Thread(target=self._listen, daemon=True).start()

    def cut_commits(self, times: int, moment: Moment) -> None:
        """Cut the connections of the next commits, before or after the server has committed."""
        self.left, self.moment = times, moment

    def cut_at_random(self, seed: int, chance: float) -> None:
        """From now on, cut a connection with this chance at each message, in either direction."""
        rng, lock = random.Random(seed), threading.Lock()

        def roll() -> bool:
            with lock:
                return rng.random() < chance

        self.roll = roll

    def _listen(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:  # closed
                return
            server = socket.socket(socket.AF_UNIX)
            server.connect(str(self._server))
            threading.Thread(target=_Link(self, client, server).run, daemon=True).start()

    def __enter__(self) -> CuttingProxy:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._listener.close()


class _Link:
    """One connection through the proxy."""

    def __init__(self, proxy: CuttingProxy, client: socket.socket, server: socket.socket) -> None:
        self.proxy, self.client, self.server = proxy, client, server
        self.is_committing = False  # the answer to this commit must not arrive

    def run(self) -> None:
        with self.client, self.server, suppress(OSError):
            while self.pass_on():
                pass

    def pass_on(self) -> bool:
        """Pass on what has arrived; return whether the connection is still there."""
        for end in select.select([self.client, self.server], [], [])[0]:
            data = end.recv(65_536)
            if not data:
                return False
            if self.is_cut_by(data, end is self.client):
                self.proxy.cuts += 1
                for each in (self.client, self.server):  # reset it, as a network that fails does
                    each.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                return False
            (self.server if end is self.client else self.client).sendall(data)
        return True

    def is_cut_by(self, data: bytes, asks: bool) -> bool:
        if asks and data.endswith(COMMIT) and self.proxy.left > 0:
            self.proxy.left -= 1
            self.is_committing = self.proxy.moment == "after"
            return not self.is_committing
        return (not asks and self.is_committing and COMMIT in data) or self.proxy.roll()
