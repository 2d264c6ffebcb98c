"""The operations that the review page sends: each is stored once, in order, and answered.

The browser sends every operation again until it has seen the answer. Each has its own id, so
repeating it stores nothing new and gives the same answer.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, cast

from curation.class_names import make_added_id
from curation.dataset import Dataset
from curation.errors import FileChangedError, NotSavedError, ReadOnlyError, StoreError
from curation.review.extended_classes import describe_adding, find_known_class
from curation.review.ledger import Ledger
from curation.review.operation_answers import (
    answer_conflict,
    answer_failed,
    answer_outdated,
    answer_refused,
    answer_saved,
    may_settle,
)
from curation.review.operation_types import OperationAnswer
from curation.store import ConflictError
from curation.store.replay import STATEMENTS

Operation = Mapping[str, Any]  # a `protocol.Operation`, if the browser is honest
MAX_OPERATIONS_PER_MESSAGE = 500  # the browser sends the rest once these are answered
# How long a failure is reported before the next try. A busy store takes long to fail, and the
# browser asks again meanwhile: with a new try at once, the refusal would never be shown.
RETRY_SECONDS = 5.0

OTHER_DATA = (
    "NOT saved: the classes or the examples have changed since this was decided.",
    "Look at the example again, as it is now.",
)

# Returns the decisions that "all that match" means now.
Match = Callable[[Operation], Sequence[Mapping[str, Any]]]


def carry_out(
    ledger: Ledger,
    operations: Sequence[Operation],
    *,
    curator: str,
    match: Match,
    known: Mapping[str, OperationAnswer],
    judged: str = "",
    blind: bool = False,
) -> dict[str, OperationAnswer]:
    """Carry out operations in order and return the answer to each by its id.

    After the first that could not be saved, the rest wait: an undo must never undo something
    older because the decision it was meant for is not stored yet. `known` holds earlier answers.
    `judged` identifies the current classes and examples: what was decided about others, before the
    dataset was loaded again, is not stored about these. With `blind`, curators judge independently:
    another curator's decision is not a conflict.
    """
    answers: dict[str, OperationAnswer] = {}
    for operation in operations[:MAX_OPERATIONS_PER_MESSAGE]:
        op_id = str(operation["op_id"])
        before = known.get(op_id)
        if before is not None and not _is_due(before):
            answers[op_id] = before
        else:
            answers[op_id] = _attempt(ledger, operation, curator, match, judged, blind)
        if answers[op_id]["status"] == "failed":
            break
    if answers:
        ledger.catch_up()
    return answers


def _is_due(answer: OperationAnswer) -> bool:
    """Return whether a failed operation should be tried again now."""
    return bool(answer["status"] == "failed" and time.monotonic() - answer["at"] >= RETRY_SECONDS)


def _attempt(
    ledger: Ledger, operation: Operation, curator: str, match: Match, judged: str, blind: bool
) -> OperationAnswer:
    try:
        ledger.catch_up()
    except StoreError as error:  # it was not tried, so it can be tried again
        return answer_failed(error)
    earlier = ledger.unit(str(operation["op_id"]))
    if earlier and earlier[0].entry in STATEMENTS:  # only sent again, whatever has changed since
        return answer_saved(earlier)
    if operation.get("judged", judged) != judged:
        return answer_refused(*OTHER_DATA)
    try:
        _check_given(ledger, operation)
        if operation.get("new_class") is not None:
            operation = {**operation, "new_class": _name_new_class(ledger, operation)}
        if operation["do"] in ("undo", "redo"):
            return _undo_or_redo(ledger, operation, curator)
        if operation["do"] == "many":
            return _decide_many(ledger, operation, curator, match, blind)
        if operation["do"] not in ("decide", "resolve"):
            raise ValueError(operation["do"])
        revision = _find_revision(ledger, operation)
        if blind:
            revision = _own_revision(ledger, operation["id"], revision, curator)
        return _decide(ledger, operation, revision, curator)
    except ConflictError as error:
        if operation.get("accepts"):
            return answer_outdated(error)
        return answer_conflict(ledger, error)
    except (NotSavedError, ReadOnlyError) as error:
        return answer_failed(error)
    except StoreError as error:
        return answer_refused(error.problem, error.remedy)
    except FileChangedError as error:  # so it cannot be said which dataset was judged
        return answer_failed(NotSavedError(f"NOT saved: {error.problem}", error.remedy))
    except (LookupError, TypeError, ValueError) as error:
        return answer_refused(
            f"NOT saved: the page sent an invalid operation ({type(error).__name__}).",
            "Reload the page and decide again.",
        )


def _check_given(ledger: Ledger, operation: Operation) -> None:
    """Refuse a decision about an example whose given label was another one on screen."""
    given = operation.get("given")
    if given is None:
        return
    dataset = ledger.store.dataset
    seen = given if isinstance(given, Mapping) else {str(operation["id"]): given}
    for example_id, label in seen.items():
        now = int(dataset.labels[dataset.row_of[example_id]])
        if now != int(label):
            names = dataset.class_names
            raise StoreError(
                f"NOT saved: {example_id} was labelled {names[int(label)]!r} when you decided, "
                f"and is {names[now]!r} now.",
                "The label file has changed. Look at the example again.",
            )


def _name_new_class(ledger: Ledger, operation: Operation) -> str:
    """Return the name of the class that an operation adds, or chooses if it was added already.

    A name that a class of the dataset has is refused, even if only a rename gave it that name.
    """
    name, dataset = str(operation["new_class"]), cast(Dataset, ledger.store.dataset)
    added = ledger.added_classes()
    for each in added:
        if each.id == make_added_id(name):
            return each.name
    closed = describe_adding(dataset, added)[1]
    if closed is not None:
        raise StoreError(f"NOT saved: {closed}.", "Choose one of the dataset's classes.")
    known = find_known_class(name, dataset, ledger.class_map().names)
    if known is not None:
        raise StoreError(
            f"NOT saved: {name!r} is not new; there is the class {known!r}.",
            "Choose that class, or type another name.",
        )
    return name


def _find_revision(ledger: Ledger, operation: Operation) -> int | None:
    """Return the revision that the curator had seen.

    `base` is their earlier operation on the example that was not answered yet. If it is stored, its
    revision is the one they had seen.
    """
    for entry in ledger.unit(str(operation.get("base"))):
        if entry.example_id == operation["id"] and entry.entry != "conflict":
            return entry.seq
    revision: int | None = operation.get("revision")
    return revision


def _decide(
    ledger: Ledger, operation: Operation, revision: int | None, curator: str
) -> OperationAnswer:
    # Whoever sees that others differ settles the example for all of them, if they may. Without
    # that right, theirs is one more answer, and the example waits for a lead.
    resolves = operation["do"] == "resolve" and may_settle(ledger)
    save = ledger.store.resolve if resolves else ledger.store.decide
    if resolves and operation.get("accepts"):
        save = partial(ledger.store.resolve, record_late=False)
    decision = save(
        operation["id"],
        operation["action"],
        curator=curator,
        label=operation.get("label"),
        new_class=operation.get("new_class"),
        labels=operation.get("labels"),
        kind=operation.get("kind"),
        note=operation.get("note") or "",
        seconds=operation.get("seconds"),
        revision=revision,
        op_id=operation["op_id"],
    )
    return answer_saved([decision])


def _own_revision(
    ledger: Ledger, example_id: object, revision: int | None, curator: str
) -> int | None:
    """Return the revision to check if curators judge blindly: only that of their own decision."""
    last = ledger.state(str(example_id)).last
    return revision if last is not None and last.curator == curator else None


def _decide_many(
    ledger: Ledger, operation: Operation, curator: str, match: Match, blind: bool
) -> OperationAnswer:
    asked = list(match(operation))
    confirmed = operation.get("count", len(asked))
    fewer = operation.get("all") and len(asked) < confirmed  # others have some in front of them
    if confirmed != len(asked) and not fewer:
        raise StoreError(
            f"NOT saved: you confirmed {operation['count']:,}, but {len(asked):,} match now.",
            "Look at the list again, then confirm the new number.",
        )
    if blind:
        asked = [
            {**each, "revision": _own_revision(ledger, each["example_id"], revision, curator)}
            for each in asked
            for revision in [each.get("revision")]
        ]
    try:
        stored = ledger.store.decide_many(asked, curator=curator, op_id=operation["op_id"])
    except ConflictError as error:
        raise StoreError(
            f"NOT saved: none of the {len(asked):,}. {error.stored.curator} decided "
            f"{error.attempted.example_id} meanwhile.",
            "Look at the list again and decide the rest.",
        ) from error
    return answer_saved(stored)


def _undo_or_redo(ledger: Ledger, operation: Operation, curator: str) -> OperationAnswer:
    is_undo = operation["do"] == "undo"
    change = ledger.store.undo if is_undo else ledger.store.redo
    taken = change(curator=curator, op_id=operation["op_id"], expect=str(operation["expect"]))
    if taken is None:
        return answer_refused(f"Nothing is left to {operation['do']}.", "")
    return answer_saved(taken.entries, "undone" if is_undo else "saved")
