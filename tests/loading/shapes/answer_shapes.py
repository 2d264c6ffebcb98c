"""The answers of language models, with the log-probabilities of tokens, as OpenAI's API gives them.

The class is the first token of the answer.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from tests.loading.shapes.shape_list import (
    LABELS,
    NAMES,
    PROBS,
    TEXTS,
    N,
    save_probs,
    shape,
    write,
)  # fmt: skip

BATCH = [f"request-{k}" for k in range(N)]


def labels(at: Path, **more: Any) -> None:
    frame = pd.DataFrame({"text": TEXTS, "label": LABELS, **more})
    frame.to_csv(at / "labels.csv", index=False)


def lines(at: Path, name: str, rows: list[Any]) -> None:
    write(at, name, "".join(json.dumps(row) + "\n" for row in rows))


def list_tokens(k: int, *, most: int = 20, **more: float) -> list[dict[str, Any]]:
    """Return the likeliest tokens of an answer; `more` are tokens that are no classes."""
    share = 1 - sum(more.values())
    scores = {name: share * float(p) for name, p in zip(NAMES, PROBS[k], strict=True)} | more
    ranked = sorted(scores, key=lambda token: -scores[token])[:most]
    return [
        {"token": each, "logprob": float(np.log(scores[each])), "bytes": list(each.encode())}
        for each in ranked
    ]


def answer(tokens: list[dict[str, Any]], said: str | None = None) -> dict[str, Any]:
    content = [{**tokens[0], "top_logprobs": tokens}]
    choice = {
        "index": 0, "finish_reason": "stop",
        "message": {"role": "assistant", "content": said or tokens[0]["token"], "refusal": None},
        "logprobs": {"content": content, "refusal": None},
    }  # fmt: skip
    return {"id": "chatcmpl-1", "object": "chat.completion", "choices": [choice], "usage": {}}


def requests(order: list[int]) -> list[dict[str, Any]]:
    """Return the output file of the Batch API, whose lines are in any order."""
    return [
        {"id": f"batch_req_{k}", "custom_id": BATCH[k], "error": None,
         "response": {"status_code": 200, "request_id": "", "body": answer(list_tokens(k))}}
        for k in order
    ]  # fmt: skip


BACKWARDS = list(reversed(range(N)))


@shape("OpenAI, chat completions with top_logprobs", kind="text", code="probs.tokens")
def _(at: Path) -> None:
    labels(at)
    lines(at, "responses.jsonl", [answer(list_tokens(k)) for k in range(N)])


@shape("OpenAI, chat completions in one JSON array", kind="text", code="probs.tokens")
def _(at: Path) -> None:
    labels(at)
    write(at, "responses.json", json.dumps([answer(list_tokens(k)) for k in range(N)]))


@shape("OpenAI, a little of the probability on other tokens", kind="text", code="probs.tokens")
def _(at: Path) -> None:
    labels(at)
    rest = {"The": 0.02, " Cat": 0.01}
    lines(at, "responses.jsonl", [answer(list_tokens(k, **rest)) for k in range(N)])


@shape("OpenAI, much of the probability on other tokens", asks="probs.sums")
def _(at: Path) -> None:
    labels(at)
    lines(at, "responses.jsonl", [answer(list_tokens(k, The=0.3)) for k in range(N)])


@shape("OpenAI, the Responses API", kind="text", code="probs.tokens")
def _(at: Path) -> None:
    labels(at)
    rows = []
    for k in range(N):
        tokens = list_tokens(k)
        said = {
            "type": "output_text", "text": tokens[0]["token"],
            "logprobs": [{**tokens[0], "top_logprobs": tokens}],
        }  # fmt: skip
        thought = {"type": "reasoning", "summary": []}
        rows.append(
            {"object": "response", "output": [thought, {"type": "message", "content": [said]}]}
        )
    lines(at, "responses.jsonl", rows)


@shape("OpenAI, the older completions", kind="text", code="probs.tokens")
def _(at: Path) -> None:
    labels(at)
    rows = []
    for k in range(N):
        tokens = {f" {each['token']}": each["logprob"] for each in list_tokens(k)}
        first = next(iter(tokens))
        logprobs = {"tokens": [first], "token_logprobs": [tokens[first]], "top_logprobs": [tokens]}
        rows.append(
            {"object": "text_completion", "choices": [{"text": first, "logprobs": logprobs}]}
        )
    lines(at, "completions.jsonl", rows)


@shape("OpenAI, a batch joined by custom_id", kind="text", code="probs.joined")
def _(at: Path) -> None:
    labels(at, custom_id=BATCH)
    lines(at, "batch_output.jsonl", requests(BACKWARDS))


@shape("OpenAI, a batch joined by id", kind="text", code="probs.joined")
def _(at: Path) -> None:
    labels(at, id=BATCH)
    lines(at, "batch_output.jsonl", requests(BACKWARDS))


@shape("OpenAI, a batch without ids in the labels", asks="probs.unordered", says="custom_id")
def _(at: Path) -> None:
    labels(at)
    lines(at, "batch_output.jsonl", requests(BACKWARDS))


@shape("OpenAI, a batch in which a request failed", asks="probs.no_logprobs", says="1 of 36")
def _(at: Path) -> None:
    labels(at, custom_id=BATCH)
    rows = requests(BACKWARDS)
    rows[3] |= {"response": None, "error": {"code": "batch_expired", "message": ""}}
    lines(at, "batch_output.jsonl", rows)


@shape("OpenAI, two tokens for three classes", asks="probs.top_tokens", says="top_logprobs=20")
def _(at: Path) -> None:
    labels(at)
    lines(at, "responses.jsonl", [answer(list_tokens(k, most=2)) for k in range(N)])


@shape("OpenAI, without logprobs", asks="probs.no_logprobs", says="logprobs=True")
def _(at: Path) -> None:
    labels(at)
    rows = [answer(list_tokens(k)) for k in range(N)]
    for row in rows:
        row["choices"][0]["logprobs"] = None
    lines(at, "responses.jsonl", rows)


@shape("OpenAI, words of several tokens", asks="probs.top_tokens", says="single token")
def _(at: Path) -> None:
    labels(at)
    lines(at, "responses.jsonl", [answer(list_tokens(k), "catfish") if k == 5 else
                                  answer(list_tokens(k)) for k in range(N)])  # fmt: skip


@shape("questions with several choices are no answers of a model", kind="text")
def _(at: Path) -> None:
    choices = [{"label": name, "text": f"It is a {name}."} for name in NAMES]
    rows = [{"text": TEXTS[k], "choices": choices, "label": LABELS[k]} for k in range(N)]
    lines(at, "questions.jsonl", rows)
    save_probs(at)
