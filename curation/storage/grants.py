"""Which mirrors may be read while one dataset is loaded: only those that its caller named.

`load` opens them and grants them for as long as it runs. Code that meets an address or a folder
further down asks here. So neither a table, a curation.toml nor another dataset that happens to be
open can widen what is read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from curation.storage.mirror import Mirror

_granted: ContextVar[Mapping[str, Mirror] | None] = ContextVar("granted", default=None)


@contextmanager
def granting(mirrors: Mapping[str, Mirror]) -> Iterator[None]:
    """Grant mirrors inside, each under the address that the caller named."""
    token = _granted.set(mirrors)
    try:
        yield
    finally:
        _granted.reset(token)


def find_granted(address: str) -> Mirror | None:
    """Return the mirror that was granted under exactly this address."""
    return (_granted.get() or {}).get(address.rstrip("/"))


def find_mirror(root: Path) -> Mirror | None:
    """Return the granted mirror that a folder is or is inside of."""
    for mirror in (_granted.get() or {}).values():
        if root.resolve().is_relative_to(mirror.copy.files.resolve()):
            return mirror
    return None
