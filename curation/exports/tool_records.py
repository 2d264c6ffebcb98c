"""Flagged and decided examples as records for annotation tools.

Labels are class names; if two classes share a name, the id follows it. The suggestion of confident
learning is the prediction, and its score is the model's probability. Each curator's decision is an
answer.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from curation.errors import ContentError
from curation.exports.picture_addresses import link_picture
from curation.review.cleaning_plan import Plan, score_suggestions
from curation.store.actions import Action
from curation.store.entries import Decision
from curation.store.matching import find_misfit

AGENT = "confident learning"


@dataclass(frozen=True)
class Annotation:
    """What one curator decided, with classes by name."""

    decision: Decision
    choice: str  # the new label; the given one unless the example was relabelled
    choices: tuple[str, ...]  # both classes, or the one choice


@dataclass(frozen=True)
class ToolRecord:
    """One example, ready to be written for a tool."""

    id: str
    content: Mapping[str, str]  # {"text": ...} or {"image": ...}
    given: str
    suggested: str
    score: float
    outcome: Annotation | None  # the decision that counts
    answers: Sequence[Annotation]  # of each curator, if it still fits the example

    @property
    def said(self) -> dict[str, str]:
        """Return what was decided, by whom and why; empty texts if nothing was."""
        decision = self.outcome.decision if self.outcome else None
        return {
            "action": decision.action.word if decision else "",
            "curator": decision.curator if decision else "",
            "note": decision.note if decision else "",
        }


def read_records(plan: Plan, *, local: str = "") -> Iterator[ToolRecord]:
    """Yield the flagged examples, the most suspect first, then the others that were decided.

    `local` is what a tool wants before the path of a picture on its own machine.
    """
    dataset, every = plan.dataset, plan.every_class
    names, index = every.names, every.index
    rows = plan.tool_rows
    suggested = plan.findings.suggested_labels[rows]
    columns = (rows, dataset.ids[rows], dataset.labels[rows], suggested)
    scores = score_suggestions(dataset, plan.findings, rows).tolist()

    def annotate(decision: Decision, given: str) -> Annotation:
        new = decision.label_id if decision.action is Action.RELABEL else None
        choice = given if new is None else names[index[new]]
        several = tuple(names[index[each]] for each in decision.label_ids)
        return Annotation(decision, choice, several or (choice,))

    for row, example, label, likely, score in zip(
        *(each.tolist() for each in columns), scores, strict=True
    ):
        given, decision = names[label], plan.decision(row)
        decisions = plan.outcome.candidates.get(row, ())
        yield ToolRecord(
            id=str(example),
            content=_read_content(plan, row, local),
            given=given,
            suggested=names[likely],
            score=score,
            outcome=annotate(decision, given) if decision else None,
            answers=[annotate(each, given) for each in decisions if _fits(plan, each, index)],
        )


def _read_content(plan: Plan, row: int, local: str) -> dict[str, str]:
    dataset = plan.dataset
    if dataset.kind == "image":
        return {"image": link_picture(plan, row, local=local)}
    try:
        return {"text": dataset.content.text(row)}
    except ContentError:
        return {"text": str(dataset.ids[row])}


def _fits(plan: Plan, decision: Decision, index: Mapping[str, int]) -> bool:
    """Return whether a decision still fits the example."""
    dataset = plan.dataset
    same = decision.fingerprint == dataset.fingerprint
    return same or find_misfit(decision, dataset, index) is None


def write_json(value: Any) -> bytes:
    """Return a value as JSON on one line."""
    return json.dumps(value, allow_nan=False).encode()


def write_json_list(items: Iterator[dict[str, Any]]) -> Iterator[bytes]:
    """Yield a JSON list with one item per line, without keeping it all in memory.

    >>> b"".join(write_json_list(iter([{"a": 1}, {"a": 2}])))
    b'[\\n{"a": 1},\\n{"a": 2}\\n]\\n'
    """
    before = b"[\n"
    for item in items:
        yield before + write_json(item)
        before = b",\n"
    yield b"[]\n" if before == b"[\n" else b"\n]\n"
