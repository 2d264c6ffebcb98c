"""Files that are written as a whole or not at all, also if the process is killed meanwhile."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def write_whole(path: Path, *, durable: bool = False) -> Iterator[BinaryIO]:
    """Open a hidden file beside a path, which replaces what is there once it is complete.

    If it is `durable`, it is on disk before it takes its place: a power cut leaves one or the
    other. Folders are made as needed.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}.tmp")
    try:
        with unfinished.open("wb") as file:
            yield file
            if durable:
                file.flush()
                os.fsync(file.fileno())
        os.replace(unfinished, path)
    finally:
        unfinished.unlink(missing_ok=True)
