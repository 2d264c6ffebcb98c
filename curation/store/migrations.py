"""The version of the schema: new stores get the newest, older ones are upgraded to it."""

from __future__ import annotations

import uuid
from collections.abc import Callable

from sqlalchemy import Connection, insert, select, text, update

from curation.errors import StoreError
from curation.store.schema import meta, metadata

HEAD = 3


def _add_plans(connection: Connection) -> None:
    """Give the log a place for the plan of an audit."""
    connection.execute(text("ALTER TABLE log ADD COLUMN plan TEXT"))


def _add_claims(connection: Connection) -> None:
    """Add a table of the examples that curators have in front of them."""
    connection.execute(
        text(
            "CREATE TABLE claims (example_id TEXT NOT NULL, curator TEXT NOT NULL, "
            "tab TEXT NOT NULL, until FLOAT NOT NULL, PRIMARY KEY (example_id))"
        )
    )


# From version v to v + 1, all in one transaction. Released steps are never edited. The first line
# of each docstring is shown to whoever upgrades a store.
MIGRATIONS: dict[int, Callable[[Connection], None]] = {1: _add_plans, 2: _add_claims}


def create(connection: Connection) -> None:
    """Create the tables of an empty store, in the newest version."""
    metadata.create_all(connection)
    rows = {"uuid": uuid.uuid4().hex, "schema": str(HEAD)}
    connection.execute(insert(meta), [{"key": key, "value": value} for key, value in rows.items()])


def read_meta(connection: Connection) -> dict[str, str]:
    """Return which store this is and which schema it has."""
    return {row.key: row.value for row in connection.execute(select(meta))}


def set_identity(connection: Connection, identity: str) -> None:
    """Make this the same store as the one it was copied from."""
    connection.execute(update(meta).where(meta.c.key == "uuid").values(value=identity))


def check_version(version: int, where: str) -> bool:
    """Return whether a store has to be upgraded; refuse one that a newer program wrote."""
    if version > HEAD:
        raise StoreError(
            f"{where} was written by a newer version of this program "
            f"(schema {version}; this one knows up to {HEAD}). It was not changed.",
            "Update the program: pip install --upgrade confident-curation.",
        )
    return version < HEAD


def describe_steps(version: int) -> tuple[str, ...]:
    """Return what an upgrade from this version changes, one sentence per step.

    >>> describe_steps(2), describe_steps(HEAD)
    (('Add a table of the examples that curators have in front of them.',), ())
    """
    steps = (MIGRATIONS[each] for each in range(version, HEAD))
    return tuple((step.__doc__ or step.__name__).splitlines()[0] for step in steps)


def migrate(connection: Connection) -> None:
    """Upgrade the store to the newest version, in the transaction of the caller."""
    version = int(read_meta(connection)["schema"])
    for step in range(version, HEAD):
        MIGRATIONS[step](connection)
    connection.execute(update(meta).where(meta.c.key == "schema").values(value=str(HEAD)))
