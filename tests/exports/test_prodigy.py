from __future__ import annotations

import json


def test_prodigy_gets_one_task_per_line_with_its_answer(exported):
    tasks = [json.loads(line) for line in (exported.out / "prodigy.jsonl").read_text().splitlines()]
    by_id = {each["meta"]["id"]: each for each in tasks}
    assert set(by_id) == {"e1", "e2", "e5", "e6"}
    assert (by_id["e1"]["text"], by_id["e1"]["label"]) == ("text 1", "eel")
    answers = {name: each["answer"] for name, each in by_id.items()}
    assert answers == {"e1": "accept", "e2": "ignore", "e5": "accept", "e6": "ignore"}
    assert by_id["e5"]["accept"] == ["cat", "dog"] and "label" not in by_id["e5"]
    assert [each["id"] for each in by_id["e5"]["options"]] == ["cat", "dog"]


def test_prodigy_gets_the_suggestion_where_nobody_decided(small):
    small.export(method="confusion")
    tasks = [json.loads(line) for line in (small.out / "prodigy.jsonl").read_text().splitlines()]
    assert [each["label"] for each in tasks] == ["eel", "eel"]
    assert not any("answer" in each for each in tasks)
