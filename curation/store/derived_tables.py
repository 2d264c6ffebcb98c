"""The derived tables: updated with each write, compared with a replay, rebuilt if they differ."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeVar

from sqlalchemy import Connection, Table, bindparam, delete, insert, select

from curation.store.entries import Decision
from curation.store.log_rows import read_light_entries, to_decision
from curation.store.replay import WITHDRAWN, ExampleState, LogState, replay, replay_example
from curation.store.schema import curator_decisions, examples, log, units

CHUNK = 500  # values in one IN list; older versions of SQLite allow 999
X = TypeVar("X")

_HISTORY = (
    select(log, units.c.status)
    .join(units, units.c.op_id == log.c.op_id)
    .where(log.c.example_id.in_(bindparam("ids", expanding=True)))
    .order_by(log.c.seq)
)
_ADD_EXAMPLES, _ADD_CURATOR_ROWS = insert(examples), insert(curator_decisions)
_DELETE_EXAMPLES = delete(examples).where(
    examples.c.example_id.in_(bindparam("ids", expanding=True))
)
_DELETE_CURATOR_ROWS = delete(curator_decisions).where(
    curator_decisions.c.example_id.in_(bindparam("ids", expanding=True))
)


def chunks(values: Iterable[X], size: int = CHUNK) -> Iterator[list[X]]:
    """Yield values in lists of at most size.

    >>> list(chunks("abc", 2))
    [['a', 'b'], ['c']]
    """
    rest = iter(values)
    while chunk := list(islice(rest, size)):
        yield chunk


@dataclass
class Histories:
    """All entries about some examples, and which units of them no longer count."""

    entries: dict[str, list[Decision]]
    withdrawn: set[str]

    def states(self) -> dict[str, ExampleState[Decision]]:
        """Return what stands for each of these examples."""
        return {each: replay_example(it, self.withdrawn) for each, it in self.entries.items()}


def load_histories(connection: Connection, example_ids: Iterable[str]) -> Histories:
    """Return what the log says about some examples, without using the derived tables."""
    histories = Histories({each: [] for each in example_ids}, set())
    for some in chunks(histories.entries):
        for row in connection.execute(_HISTORY, {"ids": some}):
            histories.entries[row.example_id].append(to_decision(row))
            if row.status in WITHDRAWN:
                histories.withdrawn.add(row.op_id)
    return histories


def delete_states(connection: Connection, example_ids: Iterable[str]) -> None:
    """Remove some examples from the derived tables."""
    for some in chunks(example_ids):
        connection.execute(_DELETE_EXAMPLES, {"ids": some})
        connection.execute(_DELETE_CURATOR_ROWS, {"ids": some})


def insert_states(connection: Connection, states: Mapping[str, ExampleState[Decision]]) -> None:
    """Add what stands for some examples to the derived tables, which must not hold them yet."""
    for some in chunks(states):
        connection.execute(_ADD_EXAMPLES, [example_row(each, states[each]) for each in some])
        rows = [row for each in some for row in curator_rows(each, states[each])]
        if rows:
            connection.execute(_ADD_CURATOR_ROWS, rows)


def example_row(example_id: str, state: ExampleState[Any]) -> dict[str, Any]:
    current, resolution = state.current(), state.resolution
    return {
        "example_id": example_id,
        "revision": state.revision,
        "current_seq": current.seq if current else None,
        "resolution": resolution.seq if resolution else None,
        "disputed": state.disputed,
    }


def curator_rows(example_id: str, state: ExampleState[Any]) -> list[dict[str, Any]]:
    return [
        {"example_id": example_id, "curator": curator, "seq": decision.seq}
        for curator, decision in state.by_curator.items()
    ]


def derived_rows(state: LogState[Any]) -> dict[Table, Iterator[dict[str, Any]]]:
    """Return the rows that each derived table should hold."""
    stacks = state.stacks
    return {
        units: (
            {
                "op_id": op,
                "seq": stacks.first_seq[op],
                "size": stacks.size[op],
                "curator": stacks.curator[op],
                "status": status,
            }
            for op, status in stacks.status.items()
        ),
        examples: (example_row(each, it) for each, it in state.examples.items()),
        curator_decisions: (
            row for each, it in state.examples.items() for row in curator_rows(each, it)
        ),
    }


def find_differences(connection: Connection) -> list[str]:
    """Return the names of derived tables that differ from what the log leads to."""
    wanted = derived_rows(replay(read_light_entries(connection)))
    return [table.name for table, rows in wanted.items() if not _same(connection, table, rows)]


def _same(connection: Connection, table: Table, rows: Iterator[dict[str, Any]]) -> bool:
    found = set(map(tuple, connection.execute(select(table)).all()))
    for row in rows:
        try:
            found.remove(tuple(row.values()))
        except KeyError:
            return False
    return not found


def rebuild(connection: Connection) -> None:
    """Empty the derived tables and fill them again from the log."""
    for table, rows in derived_rows(replay(read_light_entries(connection))).items():
        connection.execute(delete(table))
        for some in chunks(rows, 5_000):
            connection.execute(insert(table), some)
