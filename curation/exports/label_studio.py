"""label_studio.json: one task per example for Label Studio, and label_studio.xml to show them.

Every answer of a curator is an annotation. Who gave it, what it was, when and why is in the `meta`
of its result. An answer that gives no label, such as exclude or second look, is a cancelled
annotation that holds the given label. What counts for the example is also in the data of the task,
where the Data Manager shows it and filters by it. Nothing is marked as ground truth.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any
from xml.sax.saxutils import quoteattr

from curation.exports.tool_records import (
    AGENT,
    Annotation,
    ToolRecord,
    read_records,
    write_json_list,
)
from curation.review.cleaning_plan import Plan
from curation.store.actions import Action

LOCAL_FILES = "/data/local-files/?d="  # where Label Studio serves files of its own machine
LABELS = (Action.KEEP, Action.RELABEL, Action.AMBIGUOUS)  # answers that give a label

IMPORT_STEPS = """\
DATASET is the folder of your dataset, and `images` the folder of the pictures in it. The two lines
at the top and the second command are for pictures that are named by their paths; leave them out for
texts, and for exports with `picture_links` set to a URL or to `inline`. Label Studio does not serve
pictures that are directly in DATASET: use `inline` for these.

```sh
export LABEL_STUDIO_LOCAL_FILES_SERVING_ENABLED=true
export LABEL_STUDIO_LOCAL_FILES_DOCUMENT_ROOT=DATASET

label-studio start curation --init --label-config label_studio.xml --username ana@example.org \\
  --password PASSWORD --user-token TOKEN --enable-legacy-api-token

curl -X POST localhost:8080/api/storages/localfiles -H "Authorization: Token TOKEN" \\
  -d project=1 -d path=DATASET/images

curl -X POST localhost:8080/api/projects/1/import -H "Authorization: Token TOKEN" \\
  -F file=@label_studio.json
```"""


def write_label_studio(plan: Plan) -> Iterator[bytes]:
    """Yield tasks with the suggestion as prediction and each curator's answer as annotation."""
    records = read_records(plan, local=LOCAL_FILES)
    yield from write_json_list(_make_task(each) for each in records)


def write_label_config(plan: Plan) -> Iterator[bytes]:
    """Yield the labelling interface: the picture or text, and a choice of classes."""
    kind = "image" if plan.dataset.kind == "image" else "text"
    choices = "".join(f"    <Choice value={quoteattr(name)}/>\n" for name in plan.every_class.names)
    yield (
        "<View>\n"
        f'  <{kind.title()} name="{kind}" value="${kind}"/>\n'
        f'  <Choices name="label" toName="{kind}" choice="multiple" showInline="true">\n'
        f"{choices}  </Choices>\n</View>\n"
    ).encode()


def _make_task(record: ToolRecord) -> dict[str, Any]:
    to_name = next(iter(record.content))
    prediction = {
        "model_version": AGENT,
        "score": record.score,
        "result": [_make_result([record.suggested], to_name)],
    }
    return {
        "data": {
            "id": record.id,
            **record.content,
            "given_label": record.given,
            "suggested_label": record.suggested,
            **record.said,
        },
        "predictions": [prediction],
        "annotations": [_make_annotation(each, to_name) for each in record.answers],
    }


def _make_annotation(answer: Annotation, to_name: str) -> dict[str, Any]:
    decision = answer.decision
    meta = {
        "curator": decision.curator,
        "action": decision.action.word,
        "note": decision.note,
        "time": decision.time,
    }
    found = {
        "result": [{**_make_result(answer.choices, to_name), "meta": meta}],
        "was_cancelled": decision.action not in LABELS,
        "ground_truth": False,
    }
    return found if decision.seconds is None else {**found, "lead_time": decision.seconds}


def _make_result(labels: Sequence[str], to_name: str) -> dict[str, Any]:
    return {
        "from_name": "label",
        "to_name": to_name,
        "type": "choices",
        "value": {"choices": list(labels)},
    }
