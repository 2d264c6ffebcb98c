"""Claims: which examples a curator has in front of them, so that nobody else is given them.

A claim is made in the transaction that finds the example free, so two processes never hand out the
same one. It ends when it is released, or after CLAIM_SECONDS in which its tab asked for nothing. A
claim is not a lock: a decision on an example that somebody else has claimed is stored like any
other.

All times are on the database's clock, so that servers whose clocks differ agree.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Connection,
    Float,
    bindparam,
    delete,
    insert,
    literal_column,
    select,
    update,
)

from curation.roles import Right
from curation.store.backend import Backend
from curation.store.decision_store import Store
from curation.store.derived_tables import chunks
from curation.store.schema import claims, examples

CLAIM_SECONDS = 600.0  # without a sign of life
RENEW_SECONDS = CLAIM_SECONDS / 2  # a claim that lasts longer than this is not written again
WAIT_SECONDS = 1.0  # for a store that is locked; the curator has others in front of them meanwhile

_CLOCKS = {
    "sqlite": "(julianday('now') - 2440587.5) * 86400.0",
    "postgresql": "extract(epoch FROM clock_timestamp())::float",
}
_IDS: BindParameter[str] = bindparam("ids", expanding=True)
_REVISIONS = select(examples.c.example_id, examples.c.revision).where(
    examples.c.example_id.in_(_IDS)
)
_ADD = insert(claims)
_REMOVE = delete(claims).where(claims.c.example_id.in_(_IDS))


@dataclass(frozen=True)
class Claimed:
    """What is claimed at one moment: by others, and by one tab of a curator."""

    taken: frozenset[str]  # examples that other curators have in front of them
    held: Mapping[str, float]  # this tab's own, with the seconds that they still last

    def covers(self, wanted: Collection[str], *, exactly: bool) -> bool:
        """Return whether the tab holds all of these for long enough, and no others if `exactly`."""
        lasting = {each for each, left in self.held.items() if left > RENEW_SECONDS}
        return lasting >= set(wanted) and not (exactly and self.held.keys() - set(wanted))


class Claims:
    """The claims in one store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._backend = store.backend

    def find(self, curator: str, tab: str) -> Claimed:
        """Return what other curators have claimed, and what this tab has."""
        clock = _clock(self._backend)
        others = select(claims.c.example_id).where(_is_live(clock), claims.c.curator != curator)
        own = select(claims.c.example_id, claims.c.until - clock).where(
            _is_live(clock), _is_of(curator, tab)
        )
        with self._backend.read() as connection:
            taken = frozenset(connection.scalars(others))
            return Claimed(taken, {each: left for each, left in connection.execute(own)})

    def claim(
        self,
        wanted: Mapping[str, int],
        *,
        curator: str,
        tab: str,
        release_others: bool = False,
        release: Collection[str] = (),
    ) -> frozenset[str]:
        """Claim examples for a tab, or renew its claims; return those that it now holds.

        `wanted` has the last revision of each example that the caller knows. An example that
        somebody has decided since is not granted, so that nobody is given what is done. With
        `release_others`, the tab gives up what it held besides, and otherwise those in `release`.
        Tabs of the same curator share.
        """
        self._store.find_actor().check(Right.DECIDE, curator)

        def work(connection: Connection) -> frozenset[str]:
            clock = _clock(self._backend)
            connection.execute(delete(claims).where(~_is_live(clock)))
            if release_others:
                connection.execute(delete(claims).where(_is_of(curator, tab)))
            for some in chunks(release):
                done = claims.c.example_id.in_(some) & _is_of(curator, tab)
                connection.execute(delete(claims).where(done))
            free = wanted.keys() - set(_find_taken(connection, wanted, curator))
            granted = free - set(_find_outdated(connection, wanted))
            _put(connection, sorted(granted), curator, tab, clock)
            return frozenset(granted)

        return self._backend.write(work, WAIT_SECONDS)

    def release(self, *, curator: str, tab: str) -> None:
        """Give up all claims of a tab."""
        self._store.find_actor().check(Right.DECIDE, curator)
        self._backend.write(
            lambda connection: connection.execute(delete(claims).where(_is_of(curator, tab))),
            WAIT_SECONDS,
        )


def _clock(backend: Backend) -> ColumnElement[float]:
    return literal_column(_CLOCKS[backend.writer.dialect.name], Float(53))


def _is_live(clock: ColumnElement[float]) -> ColumnElement[bool]:
    """Return the condition for claims that hold; none lasts longer than a new one.

    So a clock that is set back does not make a claim hold for as long.
    """
    return claims.c.until.between(clock, clock + CLAIM_SECONDS)


def _is_of(curator: str, tab: str) -> ColumnElement[bool]:
    return (claims.c.curator == curator) & (claims.c.tab == tab)


def _find_taken(connection: Connection, wanted: Iterable[str], curator: str) -> Iterator[str]:
    query = select(claims.c.example_id).where(
        claims.c.example_id.in_(_IDS), claims.c.curator != curator
    )
    for some in chunks(wanted):
        yield from connection.scalars(query, {"ids": some})


def _find_outdated(connection: Connection, wanted: Mapping[str, int]) -> Iterator[str]:
    for some in chunks(wanted):
        for row in connection.execute(_REVISIONS, {"ids": some}):
            if row.revision > wanted[row.example_id]:
                yield row.example_id


def _put(
    connection: Connection, ids: list[str], curator: str, tab: str, clock: ColumnElement[float]
) -> None:
    if not ids:
        return
    for some in chunks(ids):
        connection.execute(_REMOVE, {"ids": some})
        rows: list[dict[str, Any]] = [
            {"example_id": each, "curator": curator, "tab": tab, "until": 0.0} for each in some
        ]
        connection.execute(_ADD, rows)
        connection.execute(
            update(claims).where(claims.c.example_id.in_(_IDS)).values(until=clock + CLAIM_SECONDS),
            {"ids": some},
        )
