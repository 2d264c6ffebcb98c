"""Tasks for Label Studio; tests/clients/test_label_studio.py imports them into the program."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET

import pytest


@pytest.fixture
def tasks(exported):
    found = json.loads((exported.out / "label_studio.json").read_text())
    return {each["data"]["id"]: each for each in found}


def test_label_studio_gets_tasks_with_predictions_and_annotations(tasks):
    assert tasks["e1"]["data"]["text"] == "text 1"
    prediction = tasks["e1"]["predictions"][0]
    assert prediction["result"][0]["value"] == {"choices": ["eel"]}
    assert [each["was_cancelled"] for each in tasks["e2"]["annotations"]] == [False, True]
    assert tasks["e5"]["annotations"][0]["result"][0]["value"] == {"choices": ["cat", "dog"]}


def test_who_said_what_is_part_of_the_result(small):
    small.decide(1, "relabel", "eel", note="long and wet", seconds=2.5).export(method="confusion")
    tasks = json.loads((small.out / "label_studio.json").read_text())
    (annotation,) = next(each["annotations"] for each in tasks if each["data"]["id"] == "e1")
    assert annotation["result"][0]["meta"] == {
        "curator": "ana",
        "action": "relabel",
        "note": "long and wet",
        "time": "2026-01-01T00:00:01+00:00",
    }
    assert annotation["lead_time"] == 2.5


def test_nothing_is_ground_truth_and_no_time_is_invented(tasks):
    every = [each for task in tasks.values() for each in task["annotations"]]
    assert len(every) == 5 and not any(each["ground_truth"] for each in every)
    assert not any("lead_time" in each for each in every)


def test_second_look_and_exclude_are_cancelled_and_keep_their_words(tasks):
    (waiting,) = tasks["e6"]["annotations"]
    assert waiting["was_cancelled"] and waiting["result"][0]["meta"]["action"] == "second look"
    assert tasks["e6"]["data"]["action"] == "second look"
    assert tasks["e2"]["annotations"][1]["result"][0]["meta"]["action"] == "exclude"


def test_labelling_interface_offers_every_class_and_fits_the_tasks(bench):
    bench.write("labels.csv", b"id,label\n0,<b>&'x'\n1,dog\n")
    bench.probs([0, 1], 2).export()
    view = ET.fromstring((bench.out / "label_studio.xml").read_text())
    assert view.find("Text").attrib == {"name": "text", "value": "$text"}
    choices = view.find("Choices")
    assert choices.attrib["toName"] == "text" and choices.attrib["choice"] == "multiple"
    assert [each.attrib["value"] for each in choices] == list(bench.dataset.class_names)
