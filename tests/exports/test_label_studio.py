from __future__ import annotations

import json


def test_label_studio_gets_tasks_with_predictions_and_annotations(exported):
    tasks = json.loads((exported.out / "label_studio.json").read_text())
    by_id = {each["data"]["id"]: each for each in tasks}
    assert by_id["e1"]["data"]["text"] == "text 1"
    prediction = by_id["e1"]["predictions"][0]
    assert prediction["result"][0]["value"] == {"choices": ["eel"]}
    assert [each["was_cancelled"] for each in by_id["e2"]["annotations"]] == [False, True]
    assert by_id["e5"]["annotations"][0]["result"][0]["value"] == {"choices": ["cat", "dog"]}
    assert by_id["e6"]["annotations"] == []
