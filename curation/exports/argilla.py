"""argilla.json: one record per example for Argilla 2, with a response from each curator.

`dataset.records.from_json` reads it into a dataset that has a field called `text` or `image` and
a multi-label question called `label`: an example that shows both classes has two labels. A
curator's id follows from the name, so that a user can be created with it; the names, actions and
notes are in the record's metadata, in the order of the responses.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import Any

from curation.exports.tool_records import (
    AGENT,
    Annotation,
    ToolRecord,
    read_records,
    write_json_list,
)
from curation.review.cleaning_plan import Plan
from curation.store.actions import Action

QUESTION = "label"
STATUSES = {  # others: draft
    Action.KEEP: "submitted",
    Action.RELABEL: "submitted",
    Action.AMBIGUOUS: "submitted",
    Action.EXCLUDE: "discarded",
}
CURATORS = uuid.UUID("9f6a2f0e-5a1b-5d0c-8a3e-0c1f2d3e4b5a")  # the namespace of curators' ids

IMPORT_STEPS = """\
Pictures are read from the folder of the dataset, unless `picture_links` is a URL or `inline`.

```python
import json
import argilla as rg

client = rg.Argilla(api_url="...", api_key="...")
records = json.load(open("argilla.json"))
users = {}
labels = set()
for record in records:
    labels.update(record["suggestions"]["label"]["value"])
    for name, response in zip(record["metadata"]["curators"], record["responses"]["label"]):
        users[name] = response["user_id"]
        labels.update(response["value"])
for name, user_id in users.items():
    rg.User(username=name, id=user_id, password="change-this", role="annotator").create()

settings = rg.Settings(
    fields=[rg.TextField("text")],  # for pictures: rg.ImageField("image")
    questions=[rg.MultiLabelQuestion("label", labels=sorted(labels))],
)
dataset = rg.Dataset("curation", settings=settings).create()
dataset.records.from_json("argilla.json")
```"""


def write_argilla(plan: Plan) -> Iterator[bytes]:
    """Yield a list of records, each with the suggestion and every curator's response."""
    yield from write_json_list(_make_item(each) for each in read_records(plan))


def find_user_id(curator: str) -> str:
    """Return the id of a curator in Argilla: always the same for the same name.

    >>> find_user_id("ana") == find_user_id("ana") != find_user_id("bo")
    True
    """
    return str(uuid.uuid5(CURATORS, curator))


def _make_item(record: ToolRecord) -> dict[str, Any]:
    decisions = [each.decision for each in record.answers]
    return {
        "id": record.id,
        "fields": dict(record.content),
        "metadata": {
            "given_label": record.given,
            "curators": [each.curator for each in decisions],
            "actions": [each.action.word for each in decisions],
            "notes": [each.note for each in decisions],
        },
        "suggestions": {
            QUESTION: {"value": [record.suggested], "score": [record.score], "agent": AGENT}
        },
        "responses": {QUESTION: [_make_response(each) for each in record.answers]},
    }


def _make_response(answer: Annotation) -> dict[str, Any]:
    decision = answer.decision
    return {
        "value": list(answer.choices),
        "user_id": find_user_id(decision.curator),
        "status": STATUSES.get(decision.action, "draft"),
    }
