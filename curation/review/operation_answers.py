"""What the review page is told about its operations, and about what other curators said."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Literal

from curation.class_names import is_added
from curation.errors import StoreError
from curation.review.example_types import DisputedAnswer, DisputeState
from curation.review.extended_classes import list_named
from curation.review.ledger import Ledger
from curation.review.operation_types import (
    ConflictAnswer,
    DecisionSummary,
    FailedAnswer,
    OtherDecision,
    RefusedAnswer,
    RepeatedDecision,
    SavedAnswer,
)
from curation.roles import Right
from curation.store import ConflictError, Decision, Entry
from curation.store.entries import Answer
from curation.store.judged_dataset import DatasetLike


def answer_refused(problem: str, remedy: str) -> RefusedAnswer:
    """Return that an operation was not stored, and would not be if it were sent again."""
    return {"status": "refused", "problem": problem, "remedy": remedy}


def answer_failed(error: StoreError) -> FailedAnswer:
    """Return that the store could not be reached; the browser keeps sending the operation."""
    return {
        "status": "failed",
        "problem": error.problem,
        "remedy": error.remedy,
        "at": time.monotonic(),
    }


def may_settle(ledger: Ledger) -> bool:
    """Return whether whoever asks now may choose the answer that counts for everybody."""
    return ledger.store.find_actor().why_not(Right.SETTLE) is None


def answer_saved(
    entries: Sequence[Entry], status: Literal["saved", "undone"] = "saved"
) -> SavedAnswer:
    """Return what was stored, by the first of its entries."""
    first = entries[0]
    return {
        "status": status,
        "id": first.example_id,
        "count": len(entries),
        "revision": first.seq,
        "time": first.time,
        "op": first.op_id,
    }


def answer_outdated(error: ConflictError) -> RefusedAnswer:
    """Return that the answer a curator accepted no longer stands."""
    stored = error.stored
    return answer_refused(
        f"{error.attempted.example_id} was settled meanwhile: {stored.curator} said "
        f"{stored.summary}.",
        "Nothing was saved in your name. Look at it again if you disagree.",
    )


def describe_dispute(ledger: Ledger, example_id: str) -> DisputeState:
    """Return whether curators still differ on an example, and what counts now."""
    decision = ledger.current_decision(example_id)
    return {
        "disputed": bool(ledger.find_differing(example_id)),
        "revision": ledger.state(example_id).revision,
        "force": describe_other(ledger, decision) if decision else None,
    }


def describe_answers(ledger: Ledger, example_id: str) -> list[DisputedAnswer]:
    """Return the answers that differ on an example, each with who gave it and why."""
    found: dict[Answer, DisputedAnswer] = {}
    settles = may_settle(ledger)
    for decision in ledger.find_differing(example_id):
        empty: DisputedAnswer = {
            "answer": describe_other(ledger, decision),
            "reasons": [],
            "settles": settles,
        }
        answer = found.setdefault(decision.answer, empty)
        answer["reasons"].append((decision.curator, decision.note))
    return list(found.values())


def describe_other(ledger: Ledger, decision: Decision) -> OtherDecision:
    """Return a decision as the page shows it, and how to say the same."""
    again = repeat_decision(decision, ledger.store.dataset)
    return {**describe_decision(decision), "again": again}


def answer_conflict(ledger: Ledger, error: ConflictError) -> ConflictAnswer:
    """Return that somebody else decided meanwhile, with both answers."""
    return {
        "status": "conflict",
        "id": error.attempted.example_id,
        "theirs": describe_other(ledger, error.stored),
        "mine": describe_decision(error.attempted),
        "revision": error.revision,
        "settles": may_settle(ledger),
        "problem": error.problem,
        "remedy": error.remedy,
    }


def repeat_decision(decision: Decision, dataset: DatasetLike) -> RepeatedDecision | None:
    """Return the operation that repeats a decision; None if one of its classes no longer exists."""
    class_ids, said = dataset.class_ids, dict(list_named(decision))
    added = [each for each in said if is_added(each) and each not in class_ids]
    own = [each for each in said if each not in added]
    if not set(own) <= set(class_ids) or len(added) > 1:
        return None
    places = [class_ids.index(each) for each in own]
    is_one = decision.label_id is not None
    return {
        "action": decision.action,
        "label": places[0] if is_one and places else None,
        "new_class": said[added[0]] if added else None,
        "labels": None if is_one else places or None,
    }


def describe_decision(decision: Decision) -> DecisionSummary:
    """Return the parts of a decision that the page shows."""
    return {
        "id": decision.example_id,
        "action": decision.action,
        "label": decision.label,
        "labels": list(decision.labels),
        "kind": decision.kind,
        "note": decision.note,
        "curator": decision.curator,
        "time": decision.time,
        "taken_back": decision.entry == "undo",
    }
