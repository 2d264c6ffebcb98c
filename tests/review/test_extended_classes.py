"""The dataset's classes with those that curators added, and how each is written."""

from __future__ import annotations

import numpy as np
import pytest

from curation.class_names import AddedClass, make_added_id
from curation.review.extended_classes import ExtendedClasses, describe_adding
from tests.bench import Bench

ZEBRA = AddedClass(make_added_id("zebra"), "zebra")


def test_added_classes_follow_those_of_the_dataset(small: Bench) -> None:
    every = ExtendedClasses(small.dataset, (ZEBRA,))
    assert every.names == every.texts == ("cat", "dog", "eel", "zebra")
    assert (every.num_given, list(every.list_added())) == (3, [3])
    assert every.index["eel"] == 2 and every.index[ZEBRA.id] == 3


def test_a_class_that_the_dataset_has_by_now_is_its_own(small: Bench) -> None:
    assert ExtendedClasses(small.dataset, ()).index[make_added_id("EEL")] == 2


def test_an_added_class_named_like_an_index_is_not_that_index(tmp_path) -> None:
    bench = Bench(tmp_path).classes(("cat", "dog")).probs([0, 1], num_classes=2)
    np.save(bench.root / "labels.npy", np.array([0, 1]))
    every = ExtendedClasses(bench.dataset, (AddedClass(make_added_id("1"), "1"), ZEBRA))
    assert every.texts == ("0", "1", "2", "3")


def make_arrays(root, labels) -> Bench:
    bench = Bench(root).classes(("cat", "dog")).probs([0, 1, 0], num_classes=2)
    np.save(bench.root / "labels.npy", labels)
    return bench


def test_the_confirmation_says_what_the_label_file_gets(small: Bench, tmp_path) -> None:
    note, closed = describe_adding(small.dataset, ())
    assert note == "The cleaned labels.csv gets its name, and class_map.csv lists it."
    assert closed is None
    bench = make_arrays(tmp_path / "numbers", np.array([0, 1, 0]))
    assert "the next one, 3; class_map.csv" in describe_adding(bench.dataset, (ZEBRA,))[0]


@pytest.mark.parametrize(
    "labels", [np.array([False, True, False]), np.eye(2, dtype=int)[[0, 1, 0]]]
)
def test_an_array_without_room_for_another_class_takes_none(tmp_path, labels) -> None:
    bench = make_arrays(tmp_path / "full", labels)
    bench.overrides = {"labels_are": "onehot"} if labels.ndim == 2 else {}
    closed = describe_adding(bench.dataset, ())[1]
    assert closed is not None and closed.startswith("labels.npy holds")
