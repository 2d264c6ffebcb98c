"""What five people said of 100 flagged digits, through load, decide and export."""

from __future__ import annotations

import csv
import json

import numpy as np
import pytest

import curation
from tests import shared_data


def verdict(votes):
    """Return what a majority of the five makes of an example.

    Guessed: take the suggestion. Given: keep. Neither: exclude, for no right label is known. No
    majority: it needs a second look.
    """
    most = max(votes, key=votes.get)
    if votes[most] < 3 or sorted(votes.values())[-2] == votes[most]:
        return "needs_review"
    return {"guessed": "relabel", "given": "keep", "neither": "exclude"}[most]


@pytest.mark.parametrize("form", ["csv", "npy"])
def test_the_cleaned_file_differs_in_exactly_the_rows_it_should(tmp_path, form):
    data = np.load(shared_data.find("mnist") / "mnist_test.npz")
    verdicts = json.loads((shared_data.find("mnist") / "verdicts.json").read_text())
    root = tmp_path / "mnist"
    root.mkdir()
    np.save(root / "probs.npy", data["pred_probs"])
    given = data["labels"]
    ids = [f"mnist-{row:05}" for row in range(len(given))]
    if form == "csv":
        rows = "".join(f"{i},{label}\r\n" for i, label in zip(ids, given, strict=True))
        (root / "labels.csv").write_bytes(f"id,label\r\n{rows}".encode())
    else:
        np.save(root / "labels.npy", given)
    dataset = curation.load(root)
    suggested = curation.analyze(dataset.labels, dataset.pred_probs).suggested_labels
    actions = {int(name[6:]): verdict(votes) for name, votes in verdicts.items()}
    with curation.open_store(dataset) as store:
        for row, action in actions.items():
            label = {"label": int(suggested[row])} if action == "relabel" else {}
            store.decide(dataset.ids[row], action, curator="five people", **label)
        exported = curation.export(dataset, store, tmp_path / "out")

    relabelled = {row for row, action in actions.items() if action == "relabel"}
    excluded = sorted(row for row, action in actions.items() if action == "exclude")
    assert len(relabelled) > 5 and excluded and len(actions) == 100
    expected = given.copy()
    expected[sorted(relabelled)] = suggested[sorted(relabelled)]
    if form == "npy":
        assert np.load(exported.labels).tolist() == np.delete(expected, excluded).tolist()
        return
    with exported.labels.open(newline="") as file:
        after = {row["id"]: int(row["label"]) for row in csv.DictReader(file)}
    assert set(ids) - set(after) == {ids[row] for row in excluded}
    assert {i for i in after if after[i] != given[int(i[6:])]} == {ids[row] for row in relabelled}
    assert exported.counts["labels_changed"] == len(relabelled)
    untouched = [row for row in range(len(ids)) if row not in relabelled and row not in excluded]
    before = (root / "labels.csv").read_bytes().split(b"\r\n")
    lines = set(exported.labels.read_bytes().split(b"\r\n"))
    assert all(before[row + 1] in lines for row in untouched)
