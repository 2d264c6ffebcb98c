from __future__ import annotations

import json


def test_argilla_gets_suggestions_and_every_curators_response(exported):
    records = {each["id"]: each for each in json.loads((exported.out / "argilla.json").read_text())}
    assert records["e1"]["label.suggestion"] == "eel"
    assert records["e1"]["label.suggestion.score"] == exported.dataset.pred_probs[1, 2]
    assert records["e2"]["label.responses"] == ["cat", "cat"]
    assert records["e2"]["label.responses.users"] == ["ana", "bo"]
    assert records["e2"]["label.responses.status"] == ["submitted", "discarded"]
