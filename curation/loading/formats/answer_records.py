"""Answers of a language model with the log-probabilities of tokens, as OpenAI writes them.

Chat completions, responses, the older completions, and the output of the Batch API. Only the first
token of an answer is read: it is where the model chooses the class.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from curation.loading.formats.record_form import Flattened, RecordForm

TOKENS = "top_logprobs"  # the column that holds what `read_cell` returns
CUSTOM_ID = "custom_id"
ROUNDING = 0.001  # by which the logarithm of a probability may be above 0
OBJECTS = ("chat.completion", "text_completion", "response")  # what an answer says that it is


class ModelAnswers(RecordForm):
    """One answer in each record, in the order in which they were asked for."""

    name = "openai"
    tool = "OpenAI's API"

    def fits(self, record: Any) -> bool:
        if not isinstance(record, dict):
            return False
        # questions with several choices have none of these
        return record.get("object") in OBJECTS or "logprobs" in (_find_choice(record) or {})

    def flatten(self, records: Sequence[Any], where: str) -> Flattened:
        return Flattened([{TOKENS: _write_cell(record)} for record in records])


class BatchAnswers(RecordForm):
    """The output of the Batch API: answers in any order, each with the id of its request."""

    name = "openai_batch"
    tool = "OpenAI's Batch API"

    def fits(self, record: Any) -> bool:
        return isinstance(record, dict) and CUSTOM_ID in record and "response" in record

    def flatten(self, records: Sequence[Any], where: str) -> Flattened:
        return Flattened([_read_request(record) for record in records])


def _read_request(record: Mapping[str, Any]) -> dict[str, Any]:
    body = (record["response"] or {}).get("body") or {}
    known = str(record[CUSTOM_ID])  # as id, too: it is found under either name in the labels
    return {"id": known, CUSTOM_ID: known, TOKENS: _write_cell(body)}


def _write_cell(answer: Mapping[str, Any]) -> str | None:
    """Return the tokens of an answer as the text of a cell; None if it has none."""
    choice = _find_choice(answer)
    found = None if choice is None else _find_tokens(choice)
    if choice is None or not found:
        return None
    token, tokens = found
    rest = _find_text(choice).removeprefix(token)
    return json.dumps({"goes_on": rest[:1].isalnum(), "tokens": tokens})


def read_cell(cell: str) -> tuple[dict[str, float], bool]:
    """Return the logarithm of each token's probability, and whether a word goes on after it.

    >>> read_cell('{"goes_on": false, "tokens": {"cat": -0.1, " dog": -2.5}}')
    ({'cat': -0.1, ' dog': -2.5}, False)
    """
    found = json.loads(cell)
    return found["tokens"], found["goes_on"]


def _find_choice(answer: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the first of the answers in a record, in any of the forms."""
    choices = answer.get("choices")
    if choices is None and answer.get("object") == "response":
        message = _first_object(answer.get("output"), "message")
        choices = None if message is None else message.get("content")
    first = _first_object(choices)
    return first if first is not None and {"message", "text"} & first.keys() else None


def _first_object(values: Any, kind: str | None = None) -> dict[str, Any] | None:
    """Return the first object of a list, or the first of a type; None if there is none."""
    found = [each for each in values if isinstance(each, dict)] if isinstance(values, list) else []
    return next((each for each in found if kind is None or each.get("type") == kind), None)


def _find_text(choice: Mapping[str, Any]) -> str:
    message = choice.get("message")
    return str((message or {}).get("content") or choice.get("text") or "")


def _find_tokens(choice: Mapping[str, Any]) -> tuple[str, dict[str, float]] | None:
    """Return the first token of an answer, and the tokens that it was chosen from."""
    logprobs = choice.get("logprobs")
    if isinstance(logprobs, dict) and "tokens" in logprobs:  # the older completions
        first = (logprobs.get("top_logprobs") or [None])[0]
        return (str(logprobs["tokens"][0]), _check(first)) if first else None
    content = logprobs.get("content") if isinstance(logprobs, dict) else logprobs
    if not content:
        return None
    tokens = {each["token"]: each["logprob"] for each in content[0].get("top_logprobs") or []}
    return str(content[0]["token"]), _check(tokens)


def _check(tokens: Mapping[str, Any]) -> dict[str, float]:
    """Return the tokens, if all of them have the logarithm of a probability."""
    for token, logprob in tokens.items():
        if type(logprob) not in (int, float) or logprob > ROUNDING:
            raise ValueError(f"the logprob of {token!r} is {logprob!r}")
    return dict(tokens)
