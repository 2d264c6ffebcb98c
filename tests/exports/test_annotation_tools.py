from __future__ import annotations

import json

import pytest


@pytest.fixture
def told(small):
    small.decide(1, "relabel", "eel").decide(2, "keep", by="ana").decide(2, "exclude", by="bo")
    small.decide(5, "ambiguous", labels=["cat", "dog"]).decide(6, "needs_review")
    small.export(method="confusion")
    return small


def test_prodigy_gets_a_task_a_line_with_its_answer(told):
    tasks = [json.loads(line) for line in (told.out / "prodigy.jsonl").read_text().splitlines()]
    by_id = {each["meta"]["id"]: each for each in tasks}
    assert set(by_id) == {"e1", "e2", "e5", "e6"}
    assert (by_id["e1"]["text"], by_id["e1"]["label"]) == ("text 1", "eel")
    answers = {name: each["answer"] for name, each in by_id.items()}
    assert answers == {"e1": "accept", "e2": "reject", "e5": "ignore", "e6": "ignore"}


def test_prodigy_gets_the_suggestion_where_nobody_decided(small):
    small.export(method="confusion")
    tasks = [json.loads(line) for line in (small.out / "prodigy.jsonl").read_text().splitlines()]
    assert [each["label"] for each in tasks] == ["eel", "eel"]
    assert not any("answer" in each for each in tasks)


def test_argilla_gets_suggestions_and_every_curators_response(told):
    records = {each["id"]: each for each in json.loads((told.out / "argilla.json").read_text())}
    assert records["e1"]["label.suggestion"] == "eel"
    assert records["e1"]["label.suggestion.score"] == told.dataset.pred_probs[1, 2]
    assert records["e2"]["label.responses"] == ["cat", "cat"]
    assert records["e2"]["label.responses.users"] == ["ana", "bo"]
    assert records["e2"]["label.responses.status"] == ["submitted", "discarded"]


def test_label_studio_gets_tasks_with_predictions_and_annotations(told):
    tasks = json.loads((told.out / "label_studio.json").read_text())
    by_id = {each["data"]["id"]: each for each in tasks}
    assert by_id["e1"]["data"]["text"] == "text 1"
    prediction = by_id["e1"]["predictions"][0]
    assert prediction["result"][0]["value"] == {"choices": ["eel"]}
    assert [each["was_cancelled"] for each in by_id["e2"]["annotations"]] == [False, True]
    assert by_id["e5"]["annotations"][0]["result"][0]["value"] == {"choices": ["cat", "dog"]}
    assert by_id["e6"]["annotations"] == []


def test_pictures_are_named_by_their_file(bench):
    from PIL import Image

    for name in ("cat/1.png", "cat/2.png", "dog/1.png"):
        (bench.root / name).parent.mkdir(exist_ok=True)
        Image.new("RGB", (2, 2)).save(bench.root / name)
    bench.probs([0, 1, 1], 2).export(method="confusion")
    task = json.loads((bench.out / "prodigy.jsonl").read_text())
    assert task["image"] == "cat/2.png" and task["meta"]["suggested_label"] == "dog"


def test_nothing_flagged_is_an_empty_list(bench):
    bench.write("labels.csv", b"id,label\na,x\nb,y\n")
    bench.probs([0, 1], 2).export()
    assert json.loads((bench.out / "argilla.json").read_text()) == []
    assert (bench.out / "prodigy.jsonl").read_bytes() == b""
