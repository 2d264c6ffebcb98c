"""The exports of labelling tools, as their current versions write them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.ipc

from tests.loading.shapes.shape_list import (
    GIVEN,
    LABELS,
    LABELS_2,
    NAMES,
    P_SPAM,
    PROBS,
    TEXTS,
    N,
    csv,
    save_probs,
    shape,
    write,
)  # fmt: skip

TIME = "2026-03-01T09:30:00.000000Z"
ANA, BO, CLEO = (f"{each}1111111-1111-4111-8111-111111111111" for each in "123")


def dump(at: Path, name: str, value: Any) -> None:
    write(at, name, json.dumps(value, indent=2, ensure_ascii=False))


def lines(at: Path, name: str, rows: list[Any]) -> None:
    write(at, name, "".join(json.dumps(row) + "\n" for row in rows))


# --- doccano


@shape("doccano JSONL", kind="text", written=".jsonl")
def _(at: Path) -> None:
    rows = zip(TEXTS, LABELS, strict=True)
    lines(at, "admin.jsonl", [
        {"id": 100 + k, "text": text, "label": [label], "Comments": []}
        for k, (text, label) in enumerate(rows)
    ])  # fmt: skip
    save_probs(at)


@shape("doccano JSON", kind="text", written=".json")
def _(at: Path) -> None:
    rows = enumerate(zip(TEXTS, LABELS, strict=True))
    dump(at, "all.json", [{"id": k, "text": t, "label": [y], "Comments": []} for k, (t, y) in rows])
    save_probs(at)


@shape("doccano 1.0 JSONL, whose text is called data", kind="text", written=".jsonl")
def _(at: Path) -> None:
    rows = enumerate(zip(TEXTS, LABELS, strict=True))
    lines(at, "all.jsonl", [{"id": k, "data": t, "label": [y]} for k, (t, y) in rows])
    save_probs(at)


@shape("doccano before 1.0, with annotations by number", kind="text", classes=("0", "1", "2"))
def _(at: Path) -> None:
    rows = enumerate(zip(TEXTS, GIVEN.tolist(), strict=True))
    lines(at, "project.jsonl", [
        {"id": k, "text": t, "annotations": [{"label": y, "user": 1}], "meta": {}}
        for k, (t, y) in rows
    ])  # fmt: skip
    save_probs(at)


@shape("doccano with two labels for one text", asks="labels.lists")
def _(at: Path) -> None:
    rows = [{"id": k, "text": TEXTS[k], "label": [LABELS[k]]} for k in range(N)]
    rows[5]["label"] = ["cat", "dog"]
    lines(at, "all.jsonl", rows)
    save_probs(at)


@shape("doccano spans", asks="labels.lists")
def _(at: Path) -> None:
    lines(
        at, "all.jsonl", [{"id": k, "text": TEXTS[k], "label": [[0, 4, "PER"]]} for k in range(N)]
    )
    save_probs(at)


# --- Prodigy


def prodigy(k: int, **more: Any) -> dict[str, Any]:
    return {
        "text": TEXTS[k], "_input_hash": 1000 + k, "_task_hash": -2000 - k, **more,
        "_timestamp": 1700000000 + k,
    }  # fmt: skip


@shape("Prodigy textcat, text and label", kind="text", written=".jsonl")
def _(at: Path) -> None:
    lines(at, "annotations.jsonl", [prodigy(k, label=LABELS[k], answer="accept") for k in range(N)])
    save_probs(at)


@shape("Prodigy choice, with options and accept", kind="text", written=".jsonl")
def _(at: Path) -> None:
    options = [{"id": name, "text": name} for name in NAMES]
    lines(at, "pets.jsonl", [
        prodigy(k, options=options, accept=[LABELS[k]], answer="accept", _view_id="choice",
                config={"choice_style": "single"})
        for k in range(N)
    ])  # fmt: skip
    save_probs(at)


@shape(
    "Prodigy choice, with two ignored", kind="text", n=N - 2, wrong=None, code="labels.unlabelled"
)
def _(at: Path) -> None:
    rows = [prodigy(k, accept=[LABELS[k]], answer="accept") for k in range(N)]
    for k in (0, 1):
        rows[k] |= {"accept": [], "answer": "ignore"}
    lines(at, "pets.jsonl", rows)
    save_probs(at)


@shape("Prodigy binary, one label accepted or rejected", asks="labels.rejected", choices=1)
def _(at: Path) -> None:
    answers = ["reject", "accept"]
    lines(at, "spam.jsonl", [prodigy(k, label="SPAM", answer=answers[k % 2]) for k in range(N)])
    np.save(at / "probs.npy", np.stack([1 - P_SPAM, P_SPAM], axis=1))


# --- Label Studio


def session(k: int, person: str) -> dict[str, Any]:
    """Return what one of three people said, as Prodigy saves it: a line for each of them."""
    third = person == "tess" and k % 5 == 0
    label = NAMES[(GIVEN[k] + 1) % 3] if third else LABELS[k]
    options = [{"id": name, "text": name} for name in NAMES]
    hashes = {"_input_hash": 1000 + k, "_task_hash": 2000 + k, "_session_id": f"pets-{person}"}
    said = {"accept": [label], "answer": "accept", "_annotator_id": f"pets-{person}"}
    return prodigy(k, options=options, **hashes, **said)


PEOPLE = ("ana", "bo", "tess")


@shape("Prodigy, a line per annotator", asks="labels.annotators", choices=4)
def _(at: Path) -> None:
    lines(at, "annotations.jsonl", [session(k, who) for k in range(N) for who in PEOPLE])
    save_probs(at)


@shape(
    "Prodigy, what most annotators say", kind="text", code="labels.majority", written=".csv",
    overrides={"majority_of": [f"accept of pets-{who}" for who in PEOPLE]},
)  # fmt: skip
def _(at: Path) -> None:
    lines(at, "annotations.jsonl", [session(k, who) for k in range(N) for who in PEOPLE])
    save_probs(at)


@shape(
    "crowd workers, a row for each task, worker and label", code="table.tool_export",
    overrides={"label_column": "label of w1"}, written=".csv",
)  # fmt: skip
def _(at: Path) -> None:
    rows = [(k, f"w{w}", LABELS[k] if w < 3 else NAMES[0]) for w in (1, 2, 3) for k in range(N)]
    write(at, "crowd.csv", csv("task,worker,label", *zip(*rows, strict=True)))
    save_probs(at)


@shape("Mechanical Turk's results", asks="labels.annotators", choices=3)
def _(at: Path) -> None:
    rows = [(f"H{k}", f"W{w}", f"t{k}", LABELS[k]) for k in range(N) for w in (1, 2)]
    header = "HITId,WorkerId,Input.text,Answer.category.label"
    write(at, "Batch_results.csv", csv(header, *zip(*rows, strict=True)))
    save_probs(at)


def task(k: int, said: dict[Any, str], data: dict[str, Any] | None = None) -> dict[str, Any]:
    annotations = [
        {
            "id": 10 * k + place, "completed_by": person, "was_cancelled": False,
            "ground_truth": False, "created_at": TIME, "updated_at": TIME, "lead_time": 2.5,
            "prediction": {}, "result_count": 1, "task": k + 1, "project": 1,
            "result": [{"value": {"choices": [label]}, "id": f"r{k}", "from_name": "animal",
                        "to_name": "text", "type": "choices", "origin": "manual"}],
        }
        for place, (person, label) in enumerate(said.items())
    ]  # fmt: skip
    return {
        "id": k + 1, "annotations": annotations, "file_upload": "1a2b-x.csv", "drafts": [],
        "predictions": [], "data": data or {"text": TEXTS[k]}, "meta": {}, "created_at": TIME,
        "updated_at": TIME, "inner_id": k + 1, "total_annotations": len(said),
        "cancelled_annotations": 0, "total_predictions": 0, "comment_count": 0, "project": 1,
    }  # fmt: skip


@shape("Label Studio JSON", kind="text", code="table.tool_export", written=".csv")
def _(at: Path) -> None:
    name = "project-3-at-2026-03-01-09-30-1a2b3c4d.json"
    dump(at, name, [task(k, {1: LABELS[k]}) for k in range(N)])
    save_probs(at)


def other(label: str) -> str:
    return NAMES[(NAMES.index(label) + 1) % 3]


def three(k: int) -> dict[Any, str]:
    """Return what three people said: the third is wrong about every fifth."""
    return {1: LABELS[k], 2: LABELS[k], 3: other(LABELS[k]) if k % 5 == 0 else LABELS[k]}


@shape("Label Studio JSON, three annotators", asks="labels.annotators", choices=4)
def _(at: Path) -> None:
    dump(at, "project-3.json", [task(k, three(k)) for k in range(N)])
    save_probs(at)


@shape("Label Studio JSON without names, three annotators", asks="labels.annotators", choices=4)
def _(at: Path) -> None:
    tasks = [task(k, three(k)) for k in range(N)]
    for annotation in (each for row in tasks for each in row["annotations"]):
        del annotation["completed_by"]
    dump(at, "project-3.json", tasks)
    save_probs(at)


@shape(
    "Label Studio JSON, what most annotators say", kind="text", code="labels.majority",
    overrides={"majority_of": ["label of 1", "label of 2", "label of 3"]}, written=".csv",
)  # fmt: skip
def _(at: Path) -> None:
    dump(at, "project-3.json", [task(k, three(k)) for k in range(N)])
    save_probs(at)


@shape("Label Studio JSON-MIN", kind="text", written=".json")
def _(at: Path) -> None:
    dump(at, "project-3-min.json", [minimal(k, 1, LABELS[k]) for k in range(N)])
    save_probs(at)


def minimal(k: int, person: int, label: str) -> dict[str, Any]:
    return {
        "text": TEXTS[k], "id": k + 1, "animal": label, "annotator": person,
        "annotation_id": 10 * k + person, "created_at": TIME, "updated_at": TIME, "lead_time": 2.5,
    }  # fmt: skip


@shape("Label Studio CSV", kind="text", written=".csv")
def _(at: Path) -> None:
    header = (
        '"annotation_id","annotator","created_at","id","lead_time","animal","text","updated_at"'
    )
    texts = [f'"{text}"' for text in TEXTS]
    times = [f'"{TIME}"'] * N
    write(at, "project-3.csv", csv(
        header, range(N), ['"1"'] * N, times, range(1, N + 1), [2.5] * N, LABELS, texts, times
    ))  # fmt: skip
    save_probs(at)


@shape("Label Studio CSV, two annotators", asks="labels.annotators", choices=3)
def _(at: Path) -> None:
    rows = [
        (10 * k + who, who, TIME, k + 1, 2.5, LABELS[k], f"t{k}", TIME)
        for k in range(N)
        for who in (1, 2)
    ]
    header = "annotation_id,annotator,created_at,id,lead_time,animal,text,updated_at"
    write(at, "project-3.csv", csv(header, *zip(*rows, strict=True)))
    save_probs(at)


@shape("Label Studio boxes", asks="labels.none")
def _(at: Path) -> None:
    tasks = [task(k, {1: "x"}) for k in range(N)]
    for each in tasks:
        each["annotations"][0]["result"][0] |= {
            "type": "rectanglelabels", "value": {"x": 1, "rectanglelabels": ["cat"]},
        }  # fmt: skip
    dump(at, "project-3.json", tasks)
    save_probs(at)


@shape("Label Studio, two questions", asks="table.label_columns", choices=2)
def _(at: Path) -> None:
    tasks = [task(k, {1: LABELS[k]}) for k in range(N)]
    for each in tasks:
        result = dict(each["annotations"][0]["result"][0])
        each["annotations"][0]["result"].append(
            result | {"from_name": "mood", "value": {"choices": ["calm"]}}
        )
    dump(at, "project-3.json", tasks)
    save_probs(at)


# --- Argilla


def record(k: int, *people: str) -> dict[str, Any]:
    return {
        "id": f"r{k}", "fields": {"text": TEXTS[k]}, "metadata": {"source": "web"},
        "suggestions": {"animal": {"value": "cat", "score": 0.5, "agent": "bert"}},
        "responses": {"animal": [{"value": LABELS[k], "user_id": each} for each in people]},
        "vectors": {}, "status": "completed", "_server_id": None,
    }  # fmt: skip


@shape("Argilla 2, records.to_json", kind="text", code="table.tool_export", written=".csv")
def _(at: Path) -> None:
    dump(at, "records.json", [record(k, ANA) for k in range(N)])
    save_probs(at)


@shape("Argilla 2, to_disk with its settings", kind="text")
def _(at: Path) -> None:
    dump(at, "records.json", [record(k, ANA) for k in range(N)])
    dump(at, ".argilla/settings.json", {"fields": [], "questions": []})
    dump(at, ".argilla/dataset.json", {"name": "pets"})
    save_probs(at)


@shape("Argilla 2, two annotators", asks="labels.annotators", choices=3)
def _(at: Path) -> None:
    dump(at, "records.json", [record(k, ANA, BO) for k in range(N)])
    save_probs(at)


def flat(k: int) -> dict[str, Any]:
    return {
        "id": f"r{k}", "status": "completed", "_server_id": None, "text": TEXTS[k],
        "animal.responses": [LABELS[k]], "animal.responses.users": [ANA],
        "animal.responses.status": ["submitted"], "animal.suggestion": "cat",
        "animal.suggestion.score": 0.5, "animal.suggestion.agent": "bert",
    }  # fmt: skip


@shape("Argilla 2, to_list(flatten=True)", kind="text")
def _(at: Path) -> None:
    dump(at, "argilla.json", [flat(k) for k in range(N)])
    save_probs(at)


@shape("Argilla 2, records.to_datasets().save_to_disk", kind="text", written=".csv")
def _(at: Path) -> None:
    save_to_disk(at, pa.Table.from_pylist([flat(k) for k in range(N)]))
    save_probs(at)


@shape("Argilla 1, records with predictions", kind="text")
def _(at: Path) -> None:
    lines(at, "pets.jsonl", [
        {
            "text": TEXTS[k], "inputs": {"text": TEXTS[k]}, "prediction_agent": "bert",
            "prediction": scored(k),
            "annotation": LABELS[k], "annotation_agent": "ana", "vectors": None,
            "multi_label": False, "explanation": None, "id": f"r{k}", "metadata": None,
            "status": "Validated", "event_timestamp": None, "metrics": None,
        }
        for k in range(N)
    ])  # fmt: skip


@shape("Argilla 1, feedback records", kind="text")
def _(at: Path) -> None:
    dump(at, "feedback.json", [
        {
            "fields": {"text": TEXTS[k]}, "metadata": {}, "external_id": f"r{k}",
            "responses": [{"user_id": ANA, "status": "submitted",
                           "values": {"animal": {"value": LABELS[k]}}}],
            "suggestions": [],
        }
        for k in range(N)
    ])  # fmt: skip
    save_probs(at)


# --- Hugging Face


def save_to_disk(
    at: Path, table: pa.Table, names: tuple[str, ...] | None = None, shards: int = 1
) -> None:
    """Write a table as `Dataset.save_to_disk` does: Arrow streams, and two files about them."""
    at.mkdir(parents=True, exist_ok=True)
    kinds = {c: {"dtype": "string", "_type": "Value"} for c in table.column_names}
    if names is not None:
        kinds["label"] = {"names": list(names), "_type": "ClassLabel"}
    info = {"info": {"features": kinds}}
    table = table.replace_schema_metadata({"huggingface": json.dumps(info)})
    files = [f"data-{k:05}-of-{shards:05}.arrow" for k in range(shards)]
    step = -(-len(table) // shards)
    for place, name in enumerate(files):
        with pa.ipc.new_stream(at / name, table.schema) as stream:
            stream.write_table(table.slice(place * step, step))
    dump(
        at,
        "dataset_info.json",
        {"citation": "", "description": "", "features": kinds, "homepage": "", "license": ""},
    )
    dump(at, "state.json", {
        "_data_files": [{"filename": name} for name in files], "_fingerprint": "3f4f361a70437307",
        "_format_columns": None, "_format_kwargs": {}, "_format_type": None,
        "_output_all_columns": False, "_split": None,
    })  # fmt: skip


def table() -> pa.Table:
    return pa.table({"text": TEXTS, "label": pa.array(GIVEN.tolist(), pa.int64())})


@shape("datasets, save_to_disk", kind="text", written=".csv")
def _(at: Path) -> None:
    save_to_disk(at, table(), NAMES)
    save_probs(at)


@shape("datasets, save_to_disk in three shards", kind="text", code="labels.shards")
def _(at: Path) -> None:
    save_to_disk(at, table(), NAMES, shards=3)
    save_probs(at)


@shape("datasets, a DatasetDict of which one split fits", kind="text", code="folder.split_chosen")
def _(at: Path) -> None:
    save_to_disk(at / "train", table(), NAMES)
    save_to_disk(at / "test", table().slice(0, 9), NAMES)
    dump(at, "dataset_dict.json", {"splits": ["train", "test"]})
    save_probs(at)


def scored(k: int) -> list[dict[str, Any]]:
    order = np.argsort(-PROBS[k])
    return [{"label": NAMES[j], "score": float(PROBS[k, j])} for j in order]


@shape("pipeline output, top_k=None", kind="text")
def _(at: Path) -> None:
    write(at, "labels.csv", csv("text,label", [f'"{t}"' for t in TEXTS], LABELS))
    dump(at, "predictions.json", [scored(k) for k in range(N)])


@shape("pipeline output as JSONL, under any name", kind="text")
def _(at: Path) -> None:
    write(at, "labels.csv", csv("text,label", [f'"{t}"' for t in TEXTS], LABELS))
    lines(at, "bert.jsonl", [scored(k) for k in range(N)])


@shape("pipeline output of two classes, the likeliest only", classes=("ham", "spam"))
def _(at: Path) -> None:
    write(at, "labels.csv", csv("label", LABELS_2))
    dump(at, "predictions.json", [
        {"label": "spam", "score": p} if p >= 0.5 else {"label": "ham", "score": 1 - p}
        for p in P_SPAM.tolist()
    ])  # fmt: skip


@shape("pipeline output of three classes, the likeliest only", asks="probs.top_one")
def _(at: Path) -> None:
    write(at, "labels.csv", csv("label", LABELS))
    dump(at, "predictions.json", [scored(k)[0] for k in range(N)])


@shape("pipeline output next to the labels, in one JSONL", kind="text")
def _(at: Path) -> None:
    lines(
        at,
        "out.jsonl",
        [{"text": TEXTS[k], "label": LABELS[k], "prediction": scored(k)} for k in range(N)],
    )


@shape("pipeline output as LABEL_0, with labels by number", classes=("0", "1"))
def _(at: Path) -> None:
    write(at, "labels.csv", csv("label", np.where(np.array(LABELS_2) == "spam", 1, 0)))
    dump(at, "predictions.json", [
        [{"label": "LABEL_0", "score": 1 - p}, {"label": "LABEL_1", "score": p}]
        for p in P_SPAM.tolist()
    ])  # fmt: skip


@shape("config.json with id2label", code=None)
def _(at: Path) -> None:
    np.save(at / "labels.npy", GIVEN)
    save_probs(at)
    dump(at, "config.json", {
        "architectures": ["BertForSequenceClassification"], "hidden_size": 768,
        "id2label": {str(k): name for k, name in enumerate(NAMES)},
        "label2id": {name: k for k, name in enumerate(NAMES)},
    })  # fmt: skip
