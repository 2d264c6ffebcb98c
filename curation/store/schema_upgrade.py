"""Upgrades of a store: what one would change, and carrying it out.

A file is created and upgraded by whatever opens it, after a copy was made. A PostgreSQL database
belongs to a team: only this changes its tables, and an app refuses a version it does not know.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, func, select
from sqlalchemy.exc import DBAPIError

from curation.store import migrations, postgres, sqlite_files
from curation.store.backend import WAIT_SECONDS
from curation.store.schema import log
from curation.store.sqlite import SQLiteBackend


@dataclass(frozen=True)
class UpgradePlan:
    """What a store is, and what an upgrade would change."""

    where: str  # without a password
    version: int | None  # of its schema; None if there is no store yet
    entries: int  # in its log

    @property
    def is_needed(self) -> bool:
        return self.version != migrations.HEAD

    def describe(self) -> list[str]:
        """Return what is there and what would be done, line by line."""
        if self.version is None:
            return [f"{self.where} holds no store yet. Its tables will be created."]
        found = f"{self.where} has schema {self.version} and {self.entries:,} log entries."
        if not self.is_needed:
            return [found, "Nothing has to be done: that is the newest schema."]
        steps = migrations.describe_steps(self.version)
        numbered = enumerate(steps, start=self.version + 1)
        return [found, "It will be upgraded:", *(f"  {to}. {step}" for to, step in numbered)]


def plan_file(path: Path) -> UpgradePlan:
    """Return what an upgrade of a SQLite file would do."""
    if not path.exists():
        return UpgradePlan(str(path), None, 0)
    found = sqlite_files.inspect(path)
    return UpgradePlan(str(path), found.version, sqlite_files.count_entries(path))


def upgrade_file(path: Path) -> Path | None:
    """Create or upgrade a SQLite file; return the path of the copy that was made before."""
    backend = SQLiteBackend(path.resolve(), WAIT_SECONDS)
    backend.close()
    return backend.kept_copy


def plan_postgres(url: str) -> UpgradePlan:
    """Return what an upgrade of a PostgreSQL database would do."""
    address = postgres.read_address(url)
    where = address.render_as_string(hide_password=True)
    engine = postgres.connect(address, WAIT_SECONDS)
    try:
        with engine.connect() as connection:
            version = postgres.read_version(connection)
            if version is not None:
                migrations.check_version(version, where)
            return UpgradePlan(where, version, 0 if version is None else _count(connection))
    except DBAPIError as error:
        raise postgres.unusable_error(error, address) from error
    finally:
        engine.dispose()


def _count(connection: Connection) -> int:
    return connection.scalar(select(func.count()).select_from(log)) or 0
