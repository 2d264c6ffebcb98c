"""The version of the schema: new stores get the newest, older ones are upgraded to it."""

from __future__ import annotations

import uuid
from collections.abc import Callable

from sqlalchemy import Connection, insert, select, text, update

from curation.errors import StoreError
from curation.store.schema import meta, metadata

HEAD = 2


def _add_plans(connection: Connection) -> None:
    """Give the log a place for the plan of an audit."""
    connection.execute(text("ALTER TABLE log ADD COLUMN plan TEXT"))


# From version v to v + 1. Released steps are never edited; each runs in one transaction.
MIGRATIONS: dict[int, Callable[[Connection], None]] = {1: _add_plans}


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


def migrate(connection: Connection) -> None:
    """Upgrade the store to the newest version, in the transaction of the caller."""
    version = int(read_meta(connection)["schema"])
    for step in range(version, HEAD):
        MIGRATIONS[step](connection)
    connection.execute(update(meta).where(meta.c.key == "schema").values(value=str(HEAD)))
