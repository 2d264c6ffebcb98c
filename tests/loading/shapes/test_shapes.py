"""Folders as people's tools write them open, or ask a question that offers every answer."""

from pathlib import Path

import numpy as np
import pytest

import curation
from curation.errors import BlockedError
from curation.exports.cleaned_labels import cleaned_name
from tests.bench import Bench
from tests.loading.shapes import load_shapes
from tests.loading.shapes.shape_list import Shape


@pytest.mark.parametrize("shape", load_shapes(), ids=lambda shape: shape.name)
def test_shape_gives_what_it_must(shape: Shape, tmp_path: Path):
    shape.make(tmp_path)
    place = tmp_path / shape.opens
    if shape.asks is not None:
        with pytest.raises(BlockedError) as caught:
            curation.load(place, **shape.overrides)
        asked = {each.code: each for each in caught.value.report.diagnoses}
        assert shape.asks in asked
        assert len(asked[shape.asks].choices) == shape.choices
        assert shape.says in asked[shape.asks].what + asked[shape.asks].fix
        return
    dataset = curation.load(place, **shape.overrides)
    assert (len(dataset), dataset.class_names, dataset.kind) == (
        shape.n, shape.classes, shape.kind,
    )  # fmt: skip
    codes = {each.code for each in dataset.report.diagnoses}
    assert shape.code is None or shape.code in codes
    assert "rows.misaligned" not in codes
    if shape.wrong is not None:
        likeliest = np.asarray(dataset.pred_probs).argmax(axis=1)
        assert np.flatnonzero(likeliest != dataset.labels).tolist() == list(shape.wrong)
    if shape.written is not None:
        assert cleaned_name(dataset) == f"cleaned_labels{shape.written}"


OPENED = [shape for shape in load_shapes() if shape.asks is None]


@pytest.mark.parametrize("shape", OPENED, ids=lambda shape: shape.name)
def test_settings_that_were_found_open_a_shape_again(shape: Shape, tmp_path: Path):
    shape.make(tmp_path)
    first = curation.load(tmp_path / shape.opens, **shape.overrides)
    again = curation.load(first.root, **first.settings)
    assert (again.kind, again.class_names) == (first.kind, first.class_names)
    assert again.ids.tolist() == first.ids.tolist()
    assert again.labels.tolist() == first.labels.tolist()
    assert np.array_equal(np.asarray(again.pred_probs), np.asarray(first.pred_probs))


@pytest.mark.parametrize("shape", OPENED, ids=lambda shape: shape.name)
def test_a_decision_on_any_shape_is_written(shape: Shape, bench: Bench):
    shape.make(bench.root)
    opened = bench.open(shape.opens, **shape.overrides)
    other = (int(opened.dataset.labels[5]) + 1) % len(opened.dataset.class_names)
    opened.relabel({5: other})
    assert opened.cleaned()


def test_there_are_at_least_two_hundred_shapes():
    assert len(load_shapes()) >= 200
