from __future__ import annotations

import json

import pytest

from curation.exports.argilla import find_user_id


@pytest.fixture
def records(exported):
    return {each["id"]: each for each in json.loads((exported.out / "argilla.json").read_text())}


def test_argilla_gets_the_content_and_the_suggestion(exported, records):
    assert records["e1"]["fields"] == {"text": "text 1"}
    assert records["e1"]["suggestions"]["label"] == {
        "value": ["eel"],
        "score": [exported.dataset.pred_probs[1, 2]],
        "agent": "confident learning",
    }


def test_argilla_gets_every_curators_response(records):
    responses = records["e2"]["responses"]["label"]
    assert [each["value"] for each in responses] == [["cat"], ["cat"]]
    assert [each["user_id"] for each in responses] == [find_user_id("ana"), find_user_id("bo")]
    assert [each["status"] for each in responses] == ["submitted", "discarded"]
    assert records["e2"]["metadata"]["curators"] == ["ana", "bo"]


def test_argilla_gets_both_labels(records):
    (response,) = records["e5"]["responses"]["label"]
    assert (response["value"], response["status"]) == (["cat", "dog"], "submitted")


def test_argilla_gets_notes_as_metadata(small):
    small.decide(1, "relabel", "eel", note="long and wet").export(method="confusion")
    records = json.loads((small.out / "argilla.json").read_text())
    (said,) = (each["metadata"] for each in records if each["id"] == "e1")
    assert said == {
        "given_label": "dog",
        "curators": ["ana"],
        "actions": ["relabel"],
        "notes": ["long and wet"],
    }


@pytest.mark.client
def test_argillas_own_reader_gets_full_records(exported, records):
    """Argilla 2 reads a file with `Record.from_dict`, and sends what `api_model` returns."""
    argilla = pytest.importorskip("argilla", reason="python devtools/clients.py FOLDER")
    for each in records.values():
        record = argilla.Record.from_dict(each)
        assert record.fields == each["fields"] and record.metadata == each["metadata"]
        assert [s.value for s in record.suggestions] == [each["suggestions"]["label"]["value"]]
        read = [(r.value, str(r.user_id), r.status.value) for r in record.responses]
        assert read == [(r["value"], r["user_id"], r["status"]) for r in each["responses"]["label"]]
