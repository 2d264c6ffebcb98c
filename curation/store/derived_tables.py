"""The derived tables: kept in step with each write, compared with a replay, rebuilt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeVar

from sqlalchemy import Connection, Table, bindparam, delete, insert, select

from curation.store.entries import Decision
from curation.store.log_rows import light_steps, to_decision
from curation.store.replay import Settled, State, replay, settle
from curation.store.schema import examples, log, units, words

CHUNK = 500  # values in one IN list; SQLite once allowed 999
SILENCED = ("undone", "dropped")
X = TypeVar("X")

_HISTORY = (
    select(log, units.c.status)
    .join(units, units.c.op_id == log.c.op_id)
    .where(log.c.example_id.in_(bindparam("ids", expanding=True)))
    .order_by(log.c.seq)
)
_ADD_EXAMPLES, _ADD_WORDS = insert(examples), insert(words)
_FORGET_EXAMPLES = delete(examples).where(
    examples.c.example_id.in_(bindparam("ids", expanding=True))
)
_FORGET_WORDS = delete(words).where(words.c.example_id.in_(bindparam("ids", expanding=True)))


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
    """All that was said of some examples, and which units of it no longer count."""

    steps: dict[str, list[Decision]]
    silenced: set[str]

    def settled(self) -> dict[str, Settled[Decision]]:
        return {each: settle(steps, self.silenced) for each, steps in self.steps.items()}


def load_histories(connection: Connection, example_ids: Iterable[str]) -> Histories:
    """Return what the log says of some examples; the derived tables are not asked."""
    histories = Histories({each: [] for each in example_ids}, set())
    for some in chunks(histories.steps):
        for row in connection.execute(_HISTORY, {"ids": some}):
            histories.steps[row.example_id].append(to_decision(row))
            if row.status in SILENCED:
                histories.silenced.add(row.op_id)
    return histories


def forget_settled(connection: Connection, example_ids: Iterable[str]) -> None:
    """Remove what the derived tables say of some examples."""
    for some in chunks(example_ids):
        connection.execute(_FORGET_EXAMPLES, {"ids": some})
        connection.execute(_FORGET_WORDS, {"ids": some})


def store_settled(connection: Connection, settled: Mapping[str, Settled[Decision]]) -> None:
    """Put what stands for some examples into the derived tables, which say nothing of them."""
    for some in chunks(settled):
        rows = [example_row(each, settled[each]) for each in some]
        connection.execute(_ADD_EXAMPLES, rows)
        said = [row for each in some for row in word_rows(each, settled[each])]
        if said:
            connection.execute(_ADD_WORDS, said)


def example_row(example_id: str, settled: Settled[Any]) -> dict[str, Any]:
    in_force, resolution = settled.in_force(), settled.resolution
    return {
        "example_id": example_id,
        "revision": settled.revision,
        "in_force": in_force.seq if in_force else None,
        "resolution": resolution.seq if resolution else None,
        "disputed": settled.disputed,
    }


def word_rows(example_id: str, settled: Settled[Any]) -> list[dict[str, Any]]:
    return [
        {"example_id": example_id, "curator": curator, "seq": word.seq}
        for curator, word in settled.words.items()
    ]


def derived_rows(state: State[Any]) -> dict[Table, Iterator[dict[str, Any]]]:
    """Return the rows that each derived table should hold."""
    stacks = state.stacks
    return {
        units: (
            {
                "op_id": op,
                "seq": stacks.first[op],
                "size": stacks.size[op],
                "curator": stacks.whose[op],
                "status": status,
            }
            for op, status in stacks.status.items()
        ),
        examples: (example_row(each, it) for each, it in state.examples.items()),
        words: (row for each, it in state.examples.items() for row in word_rows(each, it)),
    }


def differences(connection: Connection) -> list[str]:
    """Return the names of derived tables that do not say what the log says."""
    wanted = derived_rows(replay(light_steps(connection)))
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
    """Write the derived tables anew from the log."""
    for table, rows in derived_rows(replay(light_steps(connection))).items():
        connection.execute(delete(table))
        for some in chunks(rows, 5_000):
            connection.execute(insert(table), some)
