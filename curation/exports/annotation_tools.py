"""Flagged and decided examples for annotation tools: Prodigy, Argilla and Label Studio.

The labels are class names, told apart where two classes share one. The suggestion of confident
learning is the prediction, with the model's probability of it as its score; each curator's word
is an answer.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from curation.errors import ContentError
from curation.exports.csv_tables import axis_names
from curation.loading.content.sources import ImageFiles
from curation.review.plan import Plan
from curation.store.entries import Decision
from curation.store.matching import find_misfit

AGENT = "confident learning"
_PRODIGY = {"keep": "accept", "relabel": "accept", "exclude": "reject"}
_ARGILLA = {"keep": "submitted", "relabel": "submitted", "ambiguous": "submitted",
            "exclude": "discarded"}  # fmt: skip


@dataclass(frozen=True)
class Told:
    """One example as other tools are told of it."""

    row: int
    id: str
    content: Mapping[str, str]  # {"text": ...} or {"image": ...}
    given: str
    suggested: str
    score: float
    decision: Decision | None
    words: Sequence[Decision]


class Telling:
    """The examples that other tools are told of, one after the other."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan

    @cached_property
    def names(self) -> tuple[str, ...]:
        return axis_names(self.plan.dataset)

    @cached_property
    def index(self) -> Mapping[str, int]:
        return {each: place for place, each in enumerate(self.plan.dataset.class_ids)}

    def examples(self) -> Iterator[Told]:
        plan, findings, names = self.plan, self.plan.findings, self.names
        rows = plan.spoken_of
        columns = (
            rows,
            plan.dataset.ids[rows],
            plan.dataset.labels[rows],
            findings.suggested_labels[rows],
        )
        cells = zip(*(each.tolist() for each in columns), _read_scores(plan, rows), strict=True)
        for row, name, given, suggested, score in cells:
            words = plan.standing.words.get(row, ())
            yield Told(
                row=row,
                id=str(name),
                content=self._content(row),
                given=names[given],
                suggested=names[suggested],
                score=score,
                decision=plan.decision(row),
                words=[each for each in words if self._fits(each)],
            )

    def _content(self, row: int) -> dict[str, str]:
        content = self.plan.dataset.content
        if isinstance(content, ImageFiles):
            return {"image": str(content.names[row])}
        if content.kind == "image":  # inside an array or a Parquet cell: there is no path to it
            return {"image": str(self.plan.dataset.ids[row])}
        try:
            return {"text": content.text(row)}
        except ContentError:
            return {"text": str(self.plan.dataset.ids[row])}

    def _fits(self, decision: Decision) -> bool:
        """Tell whether a word is about the example as it is now."""
        dataset = self.plan.dataset
        same = decision.fingerprint == dataset.fingerprint
        return same or find_misfit(decision, dataset, self.index) is None

    def choice(self, decision: Decision, given: str) -> str:
        """Return the class that a decision says, by name."""
        if decision.action == "relabel" and decision.label_id is not None:
            return self.names[self.index[decision.label_id]]
        return given

    def choices(self, decision: Decision, given: str) -> list[str]:
        several = [self.names[self.index[each]] for each in decision.label_ids]
        return several or [self.choice(decision, given)]


def _read_scores(plan: Plan, rows: Any) -> list[float]:
    if not len(rows):
        return []
    suggested = plan.findings.suggested_labels[rows]
    return [float(each) for each in np.asarray(plan.dataset.pred_probs[rows, suggested])]


def prodigy(plan: Plan) -> Iterator[bytes]:
    """Yield prodigy.jsonl: the label that stands with its answer, or the suggestion to judge."""
    telling = Telling(plan)
    for told in telling.examples():
        decision = told.decision
        label = telling.choice(decision, told.given) if decision else told.suggested
        task: dict[str, Any] = {**told.content, "label": label}
        if decision is not None:
            task["answer"] = _PRODIGY.get(decision.action, "ignore")
        task["meta"] = {
            "id": told.id,
            "given_label": told.given,
            "suggested_label": told.suggested,
            "score": told.score,
            "action": decision.action if decision else "",
            "curator": decision.curator if decision else "",
            "note": decision.note if decision else "",
        }
        yield _json(task) + b"\n"


def argilla(plan: Plan) -> Iterator[bytes]:
    """Yield argilla.json: one record an example, with a response for each curator."""
    telling = Telling(plan)

    def records() -> Iterator[dict[str, Any]]:
        for told in telling.examples():
            yield {
                "id": told.id,
                **told.content,
                "given_label": told.given,
                "label.suggestion": told.suggested,
                "label.suggestion.score": told.score,
                "label.suggestion.agent": AGENT,
                "label.responses": [telling.choice(each, told.given) for each in told.words],
                "label.responses.users": [each.curator for each in told.words],
                "label.responses.status": [_ARGILLA.get(e.action, "draft") for e in told.words],
            }

    yield from _json_list(records())


def label_studio(plan: Plan) -> Iterator[bytes]:
    """Yield label_studio.json: tasks with the suggestion as prediction, decisions as annotations.

    An excluded example is a cancelled annotation. The labelling needs a Choices control called
    `label` for an object called `text` or `image`.
    """
    telling = Telling(plan)

    def tasks() -> Iterator[dict[str, Any]]:
        for told in telling.examples():
            to_name = next(iter(told.content))
            yield {
                "data": {"id": told.id, **told.content, "given_label": told.given},
                "predictions": [
                    {
                        "model_version": AGENT,
                        "score": told.score,
                        "result": [_choices([told.suggested], to_name)],
                    }
                ],
                "annotations": [
                    _annotation(telling, each, told.given, to_name)
                    for each in told.words
                    if each.action not in ("skip", "needs_review")
                ],
            }

    yield from _json_list(tasks())


def _annotation(telling: Telling, decision: Decision, given: str, to_name: str) -> dict[str, Any]:
    cancelled = decision.action == "exclude"
    choices = [] if cancelled else [_choices(telling.choices(decision, given), to_name)]
    said = {"curator": decision.curator, "action": decision.action, "note": decision.note}
    return {"result": choices, "was_cancelled": cancelled, "meta": said}


def _choices(labels: Sequence[str], to_name: str) -> dict[str, Any]:
    return {
        "from_name": "label",
        "to_name": to_name,
        "type": "choices",
        "value": {"choices": list(labels)},
    }


def _json(value: Any) -> bytes:
    return json.dumps(value, allow_nan=False).encode()


def _json_list(items: Iterator[dict[str, Any]]) -> Iterator[bytes]:
    """Yield a JSON list, an item a line, without holding it."""
    before = b"[\n"
    for item in items:
        yield before + _json(item)
        before = b",\n"
    yield b"[]\n" if before == b"[\n" else b"\n]\n"
