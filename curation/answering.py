"""What the review page asks for, done in the store: each operation once, in order, answered.

The browser sends everything it has not yet seen answered, again and again. Each operation has an
id of its own, so doing it again stores nothing new and gives the same answer.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from curation.errors import ConflictError, NotSavedError, ReadOnlyError, StoreError
from curation.ledger import Ledger
from curation.store import Decision, Entry

Operation = Mapping[str, Any]
Answer = dict[str, Any]
MOST = 500  # operations in one message; the browser sends the rest once these are answered
# Seconds in which a failure stands without another try. A busy store takes long to refuse, and the
# browser asks again meanwhile: trying at once would keep the refusal from ever being shown.
RESPITE = 5.0

# The rows that "all that match" means now, and how many the curator was told.
Match = Callable[[Operation], Sequence[Mapping[str, Any]]]


def carry_out(
    ledger: Ledger,
    operations: Sequence[Operation],
    *,
    curator: str,
    match: Match,
    known: Mapping[str, Answer],
    blind: bool = False,
) -> dict[str, Answer]:
    """Do what was asked, in order, and return an answer for each operation by its id.

    After the first that could not be saved the rest waits: an undo must never take back
    something older because the decision it was meant for is not there yet. `known` holds earlier
    answers. With `blind`, curators judge on their own: another's word is no conflict.
    """
    answers: dict[str, Answer] = {}
    for operation in operations[:MOST]:
        op_id = str(operation["op_id"])
        before = known.get(op_id)
        if before is not None and not _is_due(before):
            answers[op_id] = before
        else:
            answers[op_id] = _attempt(ledger, operation, answers, known, curator, match, blind)
        if answers[op_id]["status"] == "failed":
            break
    if answers:
        ledger.catch_up()
    return answers


def _is_due(answer: Answer) -> bool:
    """Tell whether what was answered so is to be tried again."""
    return bool(answer["status"] == "failed" and time.monotonic() - answer["at"] >= RESPITE)


def _attempt(
    ledger: Ledger,
    operation: Operation,
    answers: Mapping[str, Answer],
    known: Mapping[str, Answer],
    curator: str,
    match: Match,
    blind: bool,
) -> Answer:
    try:
        if operation["do"] in ("undo", "redo"):
            return _step_back(ledger, operation, curator)
        if operation["do"] == "many":
            return _decide_many(ledger, operation, curator, match)
        if operation["do"] != "decide":
            raise ValueError(operation["do"])
        base = answers.get(operation.get("base", "")) or known.get(operation.get("base", "")) or {}
        revision = base.get("revision", operation.get("revision"))
        if blind:
            revision = _own_revision(ledger, operation, revision, curator)
        return _decide(ledger, operation, revision, curator)
    except ConflictError as error:
        return _conflict(ledger, error)
    except (NotSavedError, ReadOnlyError) as error:
        said = {"problem": error.problem, "remedy": error.remedy}
        return {"status": "failed", "at": time.monotonic(), **said}
    except StoreError as error:
        return {"status": "refused", "problem": error.problem, "remedy": error.remedy}
    except (KeyError, TypeError, ValueError) as error:
        return {
            "status": "refused",
            "problem": f"NOT saved: the page sent something odd ({type(error).__name__}).",
            "remedy": "Reload the page and decide again.",
        }


def _decide(ledger: Ledger, operation: Operation, revision: int | None, curator: str) -> Answer:
    decision = ledger.store.decide(
        operation["id"],
        operation["action"],
        curator=curator,
        label=operation.get("label"),
        labels=operation.get("labels"),
        kind=operation.get("kind"),
        note=operation.get("note") or "",
        seconds=operation.get("seconds"),
        revision=revision,
        op_id=operation["op_id"],
    )
    return _saved([decision])


def _own_revision(
    ledger: Ledger, operation: Operation, revision: int | None, curator: str
) -> int | None:
    """Return the revision to check against where curators judge blindly: only one's own word."""
    ledger.catch_up()
    last = ledger.settled(str(operation["id"])).last
    return revision if last is not None and last.curator == curator else None


def _decide_many(ledger: Ledger, operation: Operation, curator: str, match: Match) -> Answer:
    ledger.catch_up()
    earlier = ledger.unit(operation["op_id"])
    if earlier:  # what "all that match" meant then, it no longer means now
        return _saved(earlier)
    asked = match(operation)
    if operation.get("count") not in (None, len(asked)):
        raise StoreError(
            f"NOT saved: you confirmed {operation['count']:,}, but {len(asked):,} match now.",
            "Look at the list again, then confirm the new number.",
        )
    return _saved(ledger.store.decide_many(asked, curator=curator, op_id=operation["op_id"]))


def _step_back(ledger: Ledger, operation: Operation, curator: str) -> Answer:
    # Under the lock, so that another tab cannot slip a decision in between look and undo.
    with ledger.lock:
        ledger.catch_up()
        repeated = bool(ledger.unit(operation["op_id"]))
        expected = operation.get("expect")
        if operation["do"] == "undo" and not repeated and ledger.top(curator) != expected:
            return {
                "status": "refused",
                "problem": "NOT undone: that is not your latest decision any more.",
                "remedy": "The list of latest decisions is up to date now; undo again.",
            }
        step = ledger.store.undo if operation["do"] == "undo" else ledger.store.redo
        taken = step(curator=curator, op_id=operation["op_id"])
    if taken is None:
        return {"status": "refused", "problem": "Nothing is left to undo.", "remedy": ""}
    answer = _saved(taken.entries)
    return answer | {"status": "undone" if operation["do"] == "undo" else "saved"}


def _saved(entries: Sequence[Entry]) -> Answer:
    first = entries[0]
    return {
        "status": "saved",
        "id": first.example_id,
        "count": len(entries),
        "revision": first.seq,
        "time": first.time,
        "op": first.op_id,
    }


def _conflict(ledger: Ledger, error: ConflictError) -> Answer:
    ids = ledger.store.dataset.class_ids
    theirs = error.stored
    again = {  # what to send to say the same as they did
        "action": theirs.action,
        "label": None if theirs.label_id is None else ids.index(theirs.label_id),
        "labels": [ids.index(each) for each in theirs.label_ids] or None,
    }
    return {
        "status": "conflict",
        "id": error.attempted.example_id,
        "theirs": say(theirs) | {"again": again},
        "mine": say(error.attempted),
        "revision": error.revision,
        "problem": error.problem,
        "remedy": error.remedy,
    }


def say(decision: Decision) -> dict[str, Any]:
    """Return a decision in the few words that the page shows."""
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
