"""Queries of the store; each function runs one or two of them, with an index."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Select, func, or_, select

from curation.store.actions import Action
from curation.store.curator_agreement import Disagreement
from curation.store.derived_tables import Histories, chunks, load_histories
from curation.store.entries import ClassDecision, Decision, Entry
from curation.store.log_rows import to_class_decision, to_decision, to_entry
from curation.store.replay import Policy, find_latest_class_decisions
from curation.store.schema import curator_decisions, datasets, examples, log, units

OPINIONS = [action for action in Action if action.is_opinion]


@dataclass(frozen=True)
class Progress:
    """How many examples one curator has decided, what they said by action, and the time it took."""

    curator: str
    decided: int
    actions: Mapping[str, int]
    seconds: float
    last: str  # UTC


def read_log(connection: Connection, after: int = 0) -> list[Entry]:
    """Return the entries after a sequence number, in order."""
    query = select(log).where(log.c.seq > after).order_by(log.c.seq)
    return [to_entry(row) for row in connection.execute(query).all()]


def read_history(connection: Connection, example_id: str) -> list[Decision]:
    """Return every entry about one example, in order."""
    query = select(log).where(log.c.example_id == example_id).order_by(log.c.seq)
    return _decisions(connection, query)


def read_current(connection: Connection) -> list[Decision]:
    """Return the decision that counts for each example, in the order they were made."""
    counting = select(examples.c.current_seq).where(examples.c.current_seq.is_not(None))
    return _decisions(connection, select(log).where(log.c.seq.in_(counting)).order_by(log.c.seq))


def read_current_decision(connection: Connection, example_id: str) -> Decision | None:
    found = _decisions(connection, _select_current(log).where(examples.c.example_id == example_id))
    return found[0] if found else None


def read_by_policy(connection: Connection, policy: Policy) -> tuple[list[Decision], list[str]]:
    """Return the decisions that a policy counts, and the examples it leaves out.

    Only for disputed examples can the result differ from the policy `latest`.
    """
    latest = {each.example_id: each for each in read_current(connection)}
    left_out = []
    for example_id, state in read_disputed(connection).states().items():
        chosen = state.current(policy)
        if chosen is None:
            left_out.append(example_id)
            del latest[example_id]
        else:
            latest[example_id] = chosen
    return sorted(latest.values(), key=lambda each: each.seq), left_out


def read_disputed(connection: Connection) -> Histories:
    """Return all entries about the examples on which curators differ."""
    query = select(examples.c.example_id).where(examples.c.disputed).order_by(examples.c.revision)
    return load_histories(connection, list(connection.scalars(query)))


def read_disagreements(connection: Connection) -> list[Disagreement]:
    """Return the examples whose competing decisions or late attempts differ."""
    late = select(log.c.example_id).where(log.c.entry == "conflict", log.c.example_id.is_not(None))
    disputed = select(examples.c.example_id).where(
        or_(examples.c.disputed, examples.c.example_id.in_(late))
    )
    ordered = disputed.order_by(examples.c.revision)
    histories = load_histories(connection, list(connection.scalars(ordered)))
    found = []
    for example_id, state in histories.states().items():
        answers = state.find_differing()
        if answers:
            candidates = tuple(state.candidates())
            found.append(Disagreement(example_id, candidates, answers[len(candidates) :]))
    return found


def read_by_curator(connection: Connection) -> dict[str, dict[str, Decision]]:
    """Return each curator's decision on each example, by curator; skips are left out."""
    query = (
        select(log)
        .join(curator_decisions, curator_decisions.c.seq == log.c.seq)
        .where(log.c.action.in_(OPINIONS))
    )
    found: dict[str, dict[str, Decision]] = defaultdict(dict)
    for decision in _decisions(connection, query):
        found[decision.curator][decision.example_id] = decision
    return dict(found)


def read_class_decisions(connection: Connection) -> list[ClassDecision]:
    """Return the decision that counts for each class or pair, in the order they were made."""
    query = (
        select(log)
        .join(units, units.c.op_id == log.c.op_id)
        .where(log.c.example_id.is_(None), units.c.status == "active")
        .order_by(log.c.seq)
    )
    return find_latest_class_decisions(map(to_class_decision, connection.execute(query)))


def count_units_after(connection: Connection, curator: str, seq: int) -> int:
    """Return how many units of a curator after a sequence number are not undone."""
    later = (units.c.curator == curator) & (units.c.seq > seq) & (units.c.status == "active")
    return connection.scalar(select(func.count()).select_from(units).where(later)) or 0


def read_counts(connection: Connection) -> dict[str, int]:
    """Return how many decisions count, by action."""
    query = _select_current(log.c.action, func.count()).group_by(log.c.action)
    return {action: count for action, count in connection.execute(query)}


def read_progress(connection: Connection) -> list[Progress]:
    query = (
        select(log.c.curator, log.c.action, func.count(), func.sum(log.c.seconds))
        .add_columns(func.max(log.c.seq))
        .join(curator_decisions, curator_decisions.c.seq == log.c.seq)
        .group_by(log.c.curator, log.c.action)
    )
    rows: dict[str, list[tuple[str, int, float, int]]] = defaultdict(list)
    for curator, action, count, seconds, last in connection.execute(query):
        rows[curator].append((action, count, seconds or 0.0, last))
    return [_progress(connection, curator, rows[curator]) for curator in sorted(rows)]


def _progress(
    connection: Connection, curator: str, rows: list[tuple[str, int, float, int]]
) -> Progress:
    last = max(seq for *_, seq in rows)
    return Progress(
        curator=curator,
        decided=sum(count for action, count, _, _ in rows if Action(action).is_final),
        actions={action: count for action, count, _, _ in rows},
        seconds=sum(seconds for _, _, seconds, _ in rows),
        last=connection.scalar(select(log.c.time).where(log.c.seq == last)) or "",
    )


def read_revisions(connection: Connection, example_ids: Iterable[str]) -> dict[str, int]:
    """Return the revision of each example; 0 if it has no entry."""
    found = dict.fromkeys(example_ids, 0)
    for some in chunks(list(found)):
        query = select(examples.c.example_id, examples.c.revision)
        for example_id, revision in connection.execute(
            query.where(examples.c.example_id.in_(some))
        ):
            found[example_id] = revision
    return found


def read_fingerprints(connection: Connection) -> dict[str, dict[str, str]]:
    """Return the parts of every fingerprint that decisions were made against."""
    return {row.fingerprint: json.loads(row.parts) for row in connection.execute(select(datasets))}


def read_current_fingerprints(connection: Connection) -> set[str]:
    """Return the fingerprints of the decisions that count."""
    return set(connection.scalars(_select_current(log.c.fingerprint).distinct()))


def _select_current(*columns: Any) -> Select[Any]:
    return select(*columns).join(examples, examples.c.current_seq == log.c.seq)


def _decisions(connection: Connection, query: Select[Any]) -> list[Decision]:
    return [to_decision(row) for row in connection.execute(query).all()]
