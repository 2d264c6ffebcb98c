"""Decisions in PostgreSQL, for teams and for more than one server.

Each writer locks the log, so sequence numbers have no gaps and become visible in order. If a
connection breaks during a COMMIT, nobody knows whether it was stored: the write is tried again with
the same op_id, which finds what was stored, or stores it once.
"""

from __future__ import annotations

from sqlalchemy import Connection, create_engine, event, inspect, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError

from curation.errors import NotSavedError, ReadOnlyError, StoreError
from curation.store import migrations
from curation.store.backend import WAIT_SECONDS, Backend, TryAgain, busy_error

CREATION_LOCK = 0x63757261  # any number, the same in every process
RETRYABLE_STATES = {"40001", "40P01", "53300", "55P03", "57P01", "57P02", "57P03", "57014"}


class PostgresBackend(Backend):
    """One PostgreSQL database, or one schema of it chosen by the URL's options."""

    def __init__(self, url: str, wait_seconds: float = WAIT_SECONDS) -> None:
        address = make_url(url)
        super().__init__(address.render_as_string(hide_password=True), wait_seconds)
        try:
            engine = create_engine(
                address, pool_size=5, max_overflow=15, pool_timeout=wait_seconds, pool_pre_ping=True
            )
        except ModuleNotFoundError as error:
            raise StoreError(
                f"{self.where} needs the package {error.name!r}, which is not installed.",
                'Install it with: pip install "confident-curation[postgres]".',
            ) from error
        event.listen(engine, "connect", self._prepare)
        self.writer = engine
        # All queries of one read see the same state, even if others write meanwhile.
        self.reader = engine.execution_options(isolation_level="REPEATABLE READ")
        try:
            self._open()
        except DBAPIError as error:
            engine.dispose()
            raise self._unreachable_error(error) from error
        except StoreError:
            engine.dispose()
            raise

    def _prepare(self, connection: object, record: object) -> None:
        """Wait at most wait_seconds for a lock, and always commit to disk."""
        with connection.cursor() as cursor:  # type: ignore[attr-defined]
            cursor.execute(f"SET lock_timeout = {int(self.wait_seconds * 1000)}")
            cursor.execute("SET synchronous_commit = on")
        connection.commit()  # type: ignore[attr-defined]

    def _open(self) -> None:
        with self.writer.begin() as connection:
            off = connection.scalar(text("SHOW transaction_read_only")) == "on"
            self.read_only = off
            if not off:
                connection.execute(text(f"SELECT pg_advisory_xact_lock({CREATION_LOCK})"))
            if not inspect(connection).has_table("meta"):
                if off:
                    raise ReadOnlyError(
                        f"{self.where} holds no store and is read-only.",
                        "Connect to the primary server.",
                    )
                migrations.create(connection)
            found = migrations.read_meta(connection)
            if migrations.check_version(int(found["schema"]), self.where):
                migrations.migrate(connection)
        self.identity = found["uuid"]

    def start_writing(self, connection: Connection) -> None:
        connection.execute(text("LOCK TABLE log IN EXCLUSIVE MODE"))

    def explain(self, error: DBAPIError) -> StoreError | TryAgain:
        state = getattr(error.orig, "sqlstate", None)
        if error.connection_invalidated or state is None or state.startswith("08"):
            return TryAgain(self._lost_error(error))
        if state in RETRYABLE_STATES:
            return TryAgain(busy_error(self.where, self.wait_seconds))
        if state == "53100":
            return NotSavedError(
                f"NOT saved: the disk of {self.where} is full.",
                "Free space on the database server, then try again; earlier decisions are safe.",
            )
        if state in ("25006", "42501"):
            return ReadOnlyError(
                f"NOT saved: {self.where} can only be read ({error.orig}).",
                "Ask for permission to write, or connect to the primary server.",
            )
        if state == "42P01":
            return StoreError(
                f"NOT saved: the tables of {self.where} are gone.",
                "Restore them from a backup, then open the dataset again.",
            )
        raise error

    def _lost_error(self, error: DBAPIError) -> NotSavedError:
        return NotSavedError(
            f"Probably NOT saved: the connection to {self.where} broke ({_first_line(error)}).",
            "Try again with the same op_id: a decision is never stored twice.",
        )

    def _unreachable_error(self, error: DBAPIError) -> StoreError:
        return StoreError(
            f"{self.where} cannot be opened: {_first_line(error)}.",
            "Check the address and the user, and that the server is running.",
        )


def _first_line(error: DBAPIError) -> str:
    return (str(error.orig).strip() or "no reason given").splitlines()[0].rstrip(".")
