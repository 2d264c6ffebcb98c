"""What the curator of a session decided, carried out: one example, or all that a grid means."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from curation.core.matrix import IntArray
from curation.errors import StoreError
from curation.review.message_check import MessageError, check_operation
from curation.review.operation_types import OperationAnswer
from curation.review.operations import MAX_OPERATIONS_PER_MESSAGE, Operation, carry_out
from curation.store import Action
from curation.ui.review.review_session import ReviewSession

_log = logging.getLogger(__name__)


def carry_out_all(
    session: ReviewSession,
    operations: Sequence[Operation],
    known: Mapping[str, OperationAnswer],
    rows: IntArray,
) -> dict[str, OperationAnswer]:
    """Do what the browser asks, and return an answer for each operation; see `operations`."""
    operations = operations[:MAX_OPERATIONS_PER_MESSAGE]
    refused = _refuse_unknown(operations)
    answers = carry_out(
        session.ledger,
        [each for each in operations if each["op_id"] not in refused],
        curator=session.curator,
        match=lambda operation: _list_decisions(session, operation, rows),
        known=known,
        judged=session.judged_key,
        blind=session.everyone,
    )
    return {**answers, **refused}


def _refuse_unknown(operations: Sequence[Operation]) -> dict[str, OperationAnswer]:
    """Return the answers to operations that do not fit the protocol."""
    refused: dict[str, OperationAnswer] = {}
    for operation in operations:
        try:
            check_operation(operation)
        except MessageError as error:
            _log.warning("refused an operation of Review: %s", error)
            refused[operation["op_id"]] = {
                "status": "refused",
                "problem": f"NOT saved: the page sent an invalid operation ({error}).",
                "remedy": "Reload the page and decide again.",
            }
    return refused


def _list_decisions(
    session: ReviewSession, operation: Operation, rows: IntArray
) -> list[dict[str, Any]]:
    """Return the decisions that one bulk operation stands for."""
    revisions: Mapping[str, int] = operation.get("revisions") or {}
    if operation.get("all"):
        if operation.get("match") != session.match_key(rows):
            raise StoreError(
                "NOT saved: the list changed before all that match could be decided.",
                "Look at the list again, then confirm the new number.",
            )
        # What somebody else has in front of them is left out; the browser says how many that were.
        free, _ = session.split_taken(session.find_matching(rows))
        if not len(free):
            raise StoreError(
                "NOT saved: all of them are in front of somebody else now.",
                "Look at the list again in a moment.",
            )
        ids = [session.id_of(row) for row in free]
        # What was decided after the curator was asked to confirm is a conflict.
        last = int(operation["last"])
        revisions = {each: min(session.ledger.state(each).revision, last) for each in ids}
    else:
        ids = [str(each) for each in operation["ids"]]
    return [
        _make_decision(session, operation, each) | {"revision": revisions.get(each, 0)}
        for each in ids
    ]


def _make_decision(session: ReviewSession, operation: Operation, example_id: str) -> dict[str, Any]:
    decision: dict[str, Any] = {
        "example_id": example_id,
        "action": operation["action"],
        "note": operation.get("note") or "",
        "kind": operation.get("kind"),
    }
    if operation["action"] in (Action.RELABEL, Action.AMBIGUOUS):
        given, suggested = session.labels_of(session.dataset.row_of[example_id])
        # As it was shown when the question was asked, whatever the settings are by now.
        suggested = int((operation.get("suggested") or {}).get(example_id, suggested))
        new_class = decision["new_class"] = operation.get("new_class")
        label = None if new_class is not None else operation.get("label", suggested)
        if operation["action"] == Action.AMBIGUOUS:
            decision["labels"] = [given] if label is None else [given, label]
            if label == given and "label" in operation:  # the class that all get, and this one has
                decision |= {"action": Action.KEEP, "labels": None}
        else:
            decision["label"] = label
    return decision
