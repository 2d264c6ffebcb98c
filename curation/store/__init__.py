"""Decisions to the database and back: one decision, one commit, kept forever.

    store = open_store(dataset)
    store.decide("img_7.png", "relabel", label="dog", curator="ana")

Every decision is an entry in a log that only grows, ordered by a sequence number and never by
the clock. What stands is derived from it (`replay`), so undo, redo and a lead's resolution are
further entries, and nothing is ever overwritten.

Several curators, one dataset:

1. Each curator has one decision on each example: their latest that they have not undone. Undo and
   redo go through a curator's own units and never touch the decisions of others.
2. `current()` returns one decision per example. With the policy `latest` the last decision counts,
   no matter who made it; `majority` needs more than half of the curators who decided, `agreed only`
   all of them. A skip is not an opinion: it counts only if nobody said anything else.
3. If two curators differ, both decisions are kept and listed in `disagreements()`. This is not an
   error.
4. A curator who passes the `revision` they saw, and comes too late with a different answer, gets a
   ConflictError with both. The attempt is logged but does not count. The same answer is accepted.
   An attempt stays listed until its curator decides again or a lead resolves the example.
5. A lead's `resolve` overrides every decision before it. A decision after it competes again.

A store belongs to one dataset: give each its own file, or its own PostgreSQL database.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from curation.errors import StoreError
from curation.roles import Actor, find_owner
from curation.store.actions import Action, AuditAction, ClassAction, IssueKind
from curation.store.backend import WAIT_SECONDS, Backend
from curation.store.curator_agreement import Agreement, Disagreement, cohen_kappa
from curation.store.decision_store import Store, UndoResult
from curation.store.entries import (
    AuditEntry,
    ClassDecision,
    ConflictError,
    Decision,
    Entry,
    from_jsonl,
    to_jsonl,
)
from curation.store.judged_dataset import DatasetLike
from curation.store.location import default_path
from curation.store.matching import Matched, Misfit
from curation.store.postgres import PostgresBackend
from curation.store.queries import Progress
from curation.store.replay import LogState, Policy, replay
from curation.store.sqlite import SQLiteBackend

__all__ = [
    "Action",
    "Agreement",
    "AuditAction",
    "AuditEntry",
    "ClassAction",
    "ClassDecision",
    "ConflictError",
    "Decision",
    "Disagreement",
    "Entry",
    "IssueKind",
    "Matched",
    "Misfit",
    "Policy",
    "Progress",
    "LogState",
    "Store",
    "UndoResult",
    "cohen_kappa",
    "from_jsonl",
    "has_store",
    "open_store",
    "replay",
    "to_jsonl",
]


def open_store(
    dataset: DatasetLike,
    url: str | os.PathLike[str] | None = None,
    *,
    wait_seconds: float = WAIT_SECONDS,
    find_actor: Callable[[], Actor] = find_owner,
) -> Store:
    """Open the decisions of a dataset; a new file is created if there is none yet.

    `url` is a path, `sqlite:///path` or `postgresql+psycopg://user@host/database`, whose tables
    `curate store upgrade` has created. By default the store is `.curation/decisions.db` next to the
    dataset, or in the user's data folder if that place is read-only. A write is retried for
    `wait_seconds` before it is reported as not saved. A server where several people sign in passes
    `find_actor`, which returns who is acting.
    """
    place = url if url is not None else default_path(Path(dataset.root))
    backend = open_backend(place, wait_seconds)
    try:
        return Store(dataset, backend, find_actor)
    except BaseException:
        backend.close()
        raise


def has_store(dataset: DatasetLike, url: str | os.PathLike[str] | None = None) -> bool:
    """Return whether there is a store to open, without creating one; always true for a server."""
    place = os.fspath(url if url is not None else default_path(Path(dataset.root)))
    if "://" in place:
        try:
            address = make_url(place)
        except ArgumentError:
            return True  # opening it reports what is wrong
        if address.get_backend_name() != "sqlite":
            return True
        place = str(address.database)
    return any(Path(place + suffix).exists() for suffix in ("", "-wal"))


def open_backend(url: str | os.PathLike[str], wait_seconds: float = WAIT_SECONDS) -> Backend:
    """Open the database at a path or URL."""
    if not isinstance(url, (str, os.PathLike)):
        raise StoreError(f"Decisions cannot be kept in {url!r}.", _KINDS)
    if "://" not in os.fspath(url):
        return _open_file(Path(url), wait_seconds)
    try:
        address = make_url(os.fspath(url))
    except ArgumentError as error:
        raise StoreError("The store's address cannot be read.", _KINDS) from error
    kind = address.get_backend_name()
    if kind == "sqlite" and address.database not in (None, "", ":memory:"):
        return _open_file(Path(str(address.database)), wait_seconds)
    if kind == "postgresql":
        return PostgresBackend(address.render_as_string(hide_password=False), wait_seconds)
    raise StoreError(f"Decisions cannot be kept in {address.drivername!r}.", _KINDS)


def _open_file(path: Path, wait_seconds: float) -> Backend:
    try:
        return SQLiteBackend(path.resolve(), wait_seconds)
    except OSError as error:
        raise StoreError(
            f"{path} cannot be opened: {error.strerror}.",
            "Allow reading it and the folders above it, or choose another place with --store.",
        ) from error


_KINDS = "Give a path, sqlite:///path or postgresql+psycopg://user@host/database."
