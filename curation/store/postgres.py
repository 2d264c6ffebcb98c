"""Decisions in PostgreSQL, for teams and for more than one server.

Each writer locks the log, so sequence numbers have no gaps and become visible in order. If a
connection breaks during a COMMIT, nobody knows whether it was stored: the write is tried again with
the same op_id, which finds what was stored, or stores it once.

An app neither creates nor changes tables, so that its role needs no right to do so; `upgrade` does,
for `curate store upgrade`.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, inspect, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError

from curation.errors import NotSavedError, ReadOnlyError, StoreError
from curation.store import migrations
from curation.store.backend import WAIT_SECONDS, Backend, TryAgain, busy_error

LOCK_LOG = "LOCK TABLE log IN EXCLUSIVE MODE"
UPGRADE_LOCK = 0x63757261  # any number, the same in every process
RETRYABLE_STATES = {"40001", "40P01", "53300", "55P03", "57P01", "57P02", "57P03", "57014"}
# How soon a connection to a server that has vanished is noticed; the address may say otherwise.
CONNECTION_DEFAULTS = {
    "connect_timeout": 10,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 25_000,  # milliseconds until data that was sent must be acknowledged
}
# What an app's role may do. UPDATE on the log is needed to lock it; a trigger refuses to update it.
RIGHTS = {
    "meta": "SELECT",
    "datasets": "SELECT, INSERT",
    "log": "SELECT, INSERT, UPDATE",
    "units": "SELECT, INSERT, UPDATE, DELETE",
    "examples": "SELECT, INSERT, UPDATE, DELETE",
    "words": "SELECT, INSERT, UPDATE, DELETE",
    "claims": "SELECT, INSERT, UPDATE, DELETE",
}


class PostgresBackend(Backend):
    """One PostgreSQL database, or one schema of it chosen by the URL's options."""

    def __init__(self, url: str, wait_seconds: float = WAIT_SECONDS) -> None:
        address = read_address(url)
        super().__init__(address.render_as_string(hide_password=True), wait_seconds)
        self.writer = connect(address, wait_seconds)
        # All queries of one read see the same state, even if others write meanwhile.
        self.reader = self.writer.execution_options(isolation_level="REPEATABLE READ")
        try:
            with self.writer.begin() as connection:
                self.read_only = is_read_only(connection)
                version = read_version(connection)
                if version is None and self.read_only:
                    raise ReadOnlyError(
                        f"{self.where} holds no store and is read-only.",
                        "Connect to the primary server.",
                    )
                check_version(version, address)
                self.identity = migrations.read_meta(connection)["uuid"]
        except DBAPIError as error:
            self.writer.dispose()
            raise unusable_error(error, address) from error
        except StoreError:
            self.writer.dispose()
            raise

    def start_writing(self, connection: Connection) -> None:
        connection.execute(text(LOCK_LOG))

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


def read_address(url: str) -> URL:
    """Return an address; one that names no driver gets the one that is installed with us."""
    address = make_url(url)
    plain = address.drivername == "postgresql"
    return address.set(drivername="postgresql+psycopg") if plain else address


def connect(address: URL, wait_seconds: float) -> Engine:
    """Return an engine whose connections wait as long for a lock, and always commit to disk."""
    try:
        engine = create_engine(
            address,
            pool_size=5,
            max_overflow=15,
            pool_timeout=wait_seconds,
            pool_pre_ping=True,
            connect_args={k: v for k, v in CONNECTION_DEFAULTS.items() if k not in address.query},
        )
    except ModuleNotFoundError as error:
        raise StoreError(
            f"{_shown(address)} needs the package {error.name!r}, which is not installed.",
            'Install it with: pip install "confident-curation[postgres]".',
        ) from error

    def prepare(connection: Any, record: object) -> None:
        with connection.cursor() as cursor:
            cursor.execute(f"SET lock_timeout = {int(wait_seconds * 1000)}")
            cursor.execute("SET synchronous_commit = on")
        connection.commit()

    event.listen(engine, "connect", prepare)
    return engine


def is_read_only(connection: Connection) -> bool:
    """Return whether the server takes no writes, as a standby does."""
    return str(connection.scalar(text("SHOW transaction_read_only"))) == "on"


def read_version(connection: Connection) -> int | None:
    """Return the version of the store in this database; None if there is no store."""
    if not inspect(connection).has_table("meta"):
        return None
    return int(migrations.read_meta(connection)["schema"])


def check_version(version: int | None, address: URL) -> None:
    """Refuse a database without a store of the version that this program needs."""
    command = f"curate store upgrade --store '{_named(address)}'"
    if version is None:
        raise StoreError(
            f"{_shown(address)} holds no store of decisions yet.",
            f"Create it, as a user who may create tables: {command}",
        )
    if migrations.check_version(version, _shown(address)):
        raise StoreError(
            f"{_shown(address)} has an older schema ({version}; this program needs "
            f"{migrations.HEAD}). It was not changed.",
            f"Stop every dashboard that uses it, make a backup, then run: {command}",
        )


def upgrade(url: str, role: str | None = None, wait_seconds: float = WAIT_SECONDS) -> int | None:
    """Create or upgrade the tables, and let a role use them; return the version found before.

    If two do this at once, one waits for the other and then finds nothing left to do.
    """
    address = read_address(url)
    engine = connect(address, wait_seconds)
    try:
        with engine.begin() as connection:
            connection.execute(text("SET LOCAL lock_timeout = 0"))
            connection.execute(text(f"SELECT pg_advisory_xact_lock({UPGRADE_LOCK})"))
            connection.execute(text(f"SET LOCAL lock_timeout = {int(wait_seconds * 1000)}"))
            version = read_version(connection)
            if version is None:
                migrations.create(connection)
            elif migrations.check_version(version, _shown(address)):
                connection.execute(text(LOCK_LOG))
                migrations.migrate(connection)
            if role is not None:
                _grant(connection, role)
        return version
    except DBAPIError as error:
        raise unusable_error(error, address) from error
    finally:
        engine.dispose()


def _grant(connection: Connection, role: str) -> None:
    """Let a role do what an app does, and nothing else."""
    quote = connection.dialect.identifier_preparer.quote_identifier
    schema = quote(str(connection.scalar(text("SELECT current_schema()"))))
    connection.exec_driver_sql(f"GRANT USAGE ON SCHEMA {schema} TO {quote(role)}")
    for table, rights in RIGHTS.items():
        connection.exec_driver_sql(f"GRANT {rights} ON {schema}.{table} TO {quote(role)}")


def unusable_error(error: DBAPIError, address: URL) -> StoreError:
    """Return the error for a database that cannot be opened or upgraded."""
    state, where = getattr(error.orig, "sqlstate", None), _shown(address)
    if state == "55P03":
        return StoreError(
            f"{where} was not upgraded: it is in use.",
            "Stop every dashboard that uses it, then try again.",
        )
    if state == "25006":
        return ReadOnlyError(f"{where} is read-only.", "Connect to the primary server.")
    if state == "42501":
        return StoreError(
            f"{where} does not allow {address.username!r} what is needed ({_first_line(error)}).",
            f"As the owner of its tables, run: curate store upgrade --store ADDRESS "
            f"--grant {address.username}",
        )
    return StoreError(
        f"{where} cannot be opened: {_first_line(error)}.",
        "Check the address and the user, and that the server is running.",
    )


def _shown(address: URL) -> str:
    return address.render_as_string(hide_password=True)


def _named(address: URL) -> str:
    """Return an address as it may be typed: without the password."""
    return URL.create(
        address.drivername, address.username, None, address.host, address.port, address.database,
        address.query,
    ).render_as_string(hide_password=False)  # fmt: skip


def _first_line(error: DBAPIError) -> str:
    return (str(error.orig).strip() or "no reason given").splitlines()[0].rstrip(".")
