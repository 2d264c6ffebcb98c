"""The tables: a log that only grows, and the state derived from it, kept for speed.

    log        every entry ever made, including audits; triggers refuse to change or remove a row
    units      one row per operation: can it be undone, redone, or neither
    examples   what stands for each example, and its revision
    words      the latest decision of each curator on each example
    datasets   the parts of each fingerprint that decisions were made against
    claims     which examples a curator has in front of them, so that nobody else gets them
    meta       which store this is (uuid) and which schema it has

`units`, `examples` and `words` can be rebuilt from `log` at any time. A claim lasts for minutes,
and nothing about it is logged or exported.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from enum import StrEnum
from typing import Any

from sqlalchemy import (
    DDL,
    BigInteger,
    Boolean,
    Column,
    Dialect,
    Float,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    event,
)
from sqlalchemy.types import TypeDecorator

from curation.store.actions import Action, AuditAction, ClassAction, IssueKind

# Characters that UTF-8 or PostgreSQL cannot hold, and the mark written before their code.
_MARK = "\x1a"
_UNSTORABLE = re.compile("[\x00\x1a\ud800-\udfff]")
_MARKED = re.compile("\x1a([0-9a-f]{4})")


def escape(text: str) -> str:
    """Return text that every database can hold; nearly all text stays as it is.

    >>> escape("caf\\u00e9"), unescape(escape("a\\x00b")) == "a\\x00b"
    ('café', True)
    """
    return _UNSTORABLE.sub(lambda match: f"{_MARK}{ord(match[0]):04x}", text)


def unescape(text: str) -> str:
    """Return the text that was passed to `escape`."""
    return _MARKED.sub(lambda match: chr(int(match[1], 16)), text) if _MARK in text else text


def _unescape_any(value: str | None) -> str | None:
    return value if value is None or _MARK not in value else unescape(value)


def _load_texts(value: str) -> tuple[str, ...]:
    return () if value == "[]" else tuple(json.loads(value))


class AnyText(TypeDecorator[str]):
    """Text that may hold NUL and lone surrogates, as file names and cells do."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        return None if value is None else escape(value)

    def result_processor(self, dialect: Dialect, coltype: object) -> Callable[[Any], Any]:
        return _unescape_any  # not process_result_value, which takes twice as long per cell


class Texts(TypeDecorator[tuple[str, ...]]):
    """A short list of texts, as JSON in plain ASCII."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: tuple[str, ...] | None, dialect: Dialect) -> str | None:
        return "[]" if not value else json.dumps(list(value))

    def result_processor(self, dialect: Dialect, coltype: object) -> Callable[[Any], Any]:
        return _load_texts


class Choice(TypeDecorator[StrEnum]):
    """An action or a kind of issue, stored as its value."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        return None if value is None else str(value)

    def result_processor(self, dialect: Dialect, coltype: object) -> Callable[[Any], Any]:
        return _CHOICES.__getitem__  # a lookup; calling the enum is many times slower


_ENUMS: tuple[type[StrEnum], ...] = (Action, ClassAction, AuditAction, IssueKind)
_CHOICES: dict[str | None, StrEnum | None] = {None: None}
_CHOICES |= {each.value: each for kind in _ENUMS for each in kind}

metadata = MetaData()
Seq = BigInteger().with_variant(Integer, "sqlite")

# Its columns are in the order of Decision's fields; `log_rows` relies on it.
log = Table(
    "log",
    metadata,
    Column("seq", Seq, primary_key=True, autoincrement=False),
    Column("op_id", AnyText, nullable=False),
    Column("part", Integer, nullable=False),
    Column("entry", Text, nullable=False),
    Column("example_id", AnyText),  # null for an entry about classes
    Column("content_hash", AnyText),
    Column("fingerprint", AnyText, nullable=False),
    Column("given", AnyText),
    Column("given_id", AnyText),
    Column("action", Choice, nullable=False),
    Column("label", AnyText),
    Column("label_id", AnyText),
    Column("labels", Texts, nullable=False),
    Column("label_ids", Texts, nullable=False),
    Column("kind", Choice),
    Column("note", AnyText, nullable=False),
    Column("curator", AnyText, nullable=False),
    Column("seconds", Float(53)),
    Column("revision", Seq),
    Column("time", Text, nullable=False),
    Column("target", AnyText),
    Column("other", AnyText),  # only for entries about classes
    Column("other_id", AnyText),
    Column("plan", Text),  # only for an audit that was drawn; JSON in plain ASCII
    Index("log_of_example", "example_id", "seq"),
)

units = Table(
    "units",
    metadata,
    Column("op_id", AnyText, primary_key=True),
    Column("seq", Seq, nullable=False),  # its entries are seq, seq + 1, ...
    Column("size", Integer, nullable=False),
    Column("curator", AnyText, nullable=False),
    Column("status", Text, nullable=False),
    Index("units_of_curator", "curator", "status", "seq"),
    sqlite_with_rowid=False,
)

examples = Table(
    "examples",
    metadata,
    Column("example_id", AnyText, primary_key=True),
    Column("revision", Seq, nullable=False),
    Column("in_force", Seq, key="current_seq"),  # the decision that counts
    Column("resolution", Seq),
    Column("disputed", Boolean, nullable=False),
    sqlite_with_rowid=False,
)
_few = examples.c.disputed
Index("examples_in_dispute", examples.c.revision, sqlite_where=_few, postgresql_where=_few)

curator_decisions = Table(
    "words",
    metadata,
    Column("example_id", AnyText, primary_key=True),
    Column("curator", AnyText, primary_key=True),
    Column("seq", Seq, nullable=False),
    sqlite_with_rowid=False,
)

datasets = Table(
    "datasets",
    metadata,
    Column("fingerprint", AnyText, primary_key=True),
    Column("parts", Text, nullable=False),
)

claims = Table(
    "claims",
    metadata,
    Column("example_id", AnyText, primary_key=True),
    Column("curator", AnyText, nullable=False),
    Column("tab", AnyText, nullable=False),
    Column("until", Float(53), nullable=False),  # seconds since 1970, on the database's clock
)

meta = Table(
    "meta",
    metadata,
    Column("key", Text, primary_key=True),
    Column("value", Text, nullable=False),
)

_SQLITE_GUARD = """CREATE TRIGGER log_refuses_{what} BEFORE {what} ON log
BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END"""

_POSTGRES_GUARD = """CREATE OR REPLACE FUNCTION curation_refuse() RETURNS trigger AS $$
BEGIN RAISE EXCEPTION 'the log is append-only'; END $$ LANGUAGE plpgsql;
CREATE TRIGGER log_refuses_change BEFORE UPDATE OR DELETE ON log
FOR EACH ROW EXECUTE FUNCTION curation_refuse()"""

_ddl: Callable[[str], Any] = DDL

for _statement, _dialect in (
    (_SQLITE_GUARD.format(what="UPDATE"), "sqlite"),
    (_SQLITE_GUARD.format(what="DELETE"), "sqlite"),
    (_POSTGRES_GUARD, "postgresql"),
):
    event.listen(log, "after_create", _ddl(_statement).execute_if(dialect=_dialect))
