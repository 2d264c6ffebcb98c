"""An S3-compatible server on this machine (moto's), which can stop answering or deny access."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

KEY, SECRET = "tests-access-key", "tests-secret-key-0123456789"
EXPIRED = b"<Error><Code>ExpiredToken</Code><Message>no</Message></Error>"
DENIED = b"<Error><Code>AccessDenied</Code><Message>no</Message></Error>"


class StorageServer:
    """Buckets and objects, and how requests for them are answered.

    `silent` leaves every request without an answer. `denies` refuses those for some paths, and
    `accepts` those that are not signed with one access key, as if they had expired. `cut`
    ends the answers for some paths after so many bytes, each as often as is said. `elsewhere` sends
    every request to another address. `asked` lists the requests, as "GET /bucket/key".
    """

    def __init__(self) -> None:
        from moto.core import DEFAULT_ACCOUNT_ID
        from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
        from moto.s3.models import s3_backends
        from werkzeug.serving import make_server

        logging.getLogger("werkzeug").setLevel(logging.ERROR)
        self._buckets = s3_backends[DEFAULT_ACCOUNT_ID]["aws"]
        self._moto = DomainDispatcherApplication(create_backend_app)
        self._server = make_server("127.0.0.1", 0, self._answer, threaded=True)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self.asked: list[str] = []
        self.denies: str | None = None
        self.accepts: str | None = None
        self.elsewhere: str | None = None
        self.cut: dict[str, tuple[int, int]] = {}
        self._answering = threading.Event()
        self._answering.set()

    @property
    def silent(self) -> bool:
        return not self._answering.is_set()

    @silent.setter
    def silent(self, value: bool) -> None:
        self._answering.clear() if value else self._answering.set()

    def heal(self) -> None:
        """Answer everything again as it is asked."""
        self.silent, self.denies, self.elsewhere = False, None, None
        self.accepts = None
        self.cut.clear()
        self.asked.clear()

    def stop(self) -> None:
        self._answering.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    # ---- what is in the buckets

    def make_bucket(self, bucket: str) -> None:
        self._buckets.create_bucket(bucket, "us-east-1")

    def put(self, bucket: str, key: str, data: bytes) -> None:
        self._buckets.put_object(bucket, key, data)

    def delete(self, bucket: str, key: str) -> None:
        self._buckets.delete_object(bucket, key)

    def put_folder(self, folder: Path, bucket: str, prefix: str) -> str:
        """Copy a folder into a new bucket, and return its address."""
        self.make_bucket(bucket)
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                name = path.relative_to(folder).as_posix()
                self.put(bucket, f"{prefix}/{name}", path.read_bytes())
        return f"s3://{bucket}/{prefix}"

    # ---- how requests are answered

    def _answer(self, environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        path = environ["PATH_INFO"]
        self.asked.append(f"{environ['REQUEST_METHOD']} {path}")
        self._answering.wait(60)
        if self.elsewhere is not None:
            start("307 Temporary Redirect", [("Location", f"{self.elsewhere}{path}")])
            return [b""]
        if self.denies is not None and self.denies in path:
            start("403 Forbidden", [("Content-Type", "application/xml")])
            return [] if environ["REQUEST_METHOD"] == "HEAD" else [DENIED]
        if self.accepts is not None and f"={self.accepts}/" not in environ["HTTP_AUTHORIZATION"]:
            start("400 Bad Request", [("Content-Type", "application/xml")])
            return [] if environ["REQUEST_METHOD"] == "HEAD" else [EXPIRED]
        answer = self._moto(environ, start)
        bytes_, times = self.cut.get(path, (0, 0))
        if not times or environ["REQUEST_METHOD"] != "GET":
            return answer
        self.cut[path] = (bytes_, times - 1)
        return [b"".join(answer)[:bytes_]]  # fewer than the header says: the connection breaks

    def fetched(self) -> list[str]:
        """Return the paths of the objects whose bytes were asked for."""
        return [each.removeprefix("GET ") for each in self.asked if each.count("/") > 1
                and each.startswith("GET ")]  # fmt: skip
