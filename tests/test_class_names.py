"""A text means the same class on every page, in the store and in a file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import curation
from curation.class_names import distinct_names, find_class, find_named_class, match_classes
from curation.dataset import Dataset
from curation.errors import StoreError
from curation.store import drafts
from tests.small_set import write_texts

TEXTS = st.lists(st.text(max_size=3), min_size=1, max_size=5, unique=True)


def _load_small_set(folder: Path) -> Dataset:
    return curation.load(write_texts(folder, 12, 1, rng=np.random.default_rng(0)))


def test_class_in_a_link_is_found_by_index_then_id_then_name():
    names, ids = ("1", "dog"), ("n1", "dog2")
    assert find_class("1", names, ids) == 1  # as our pages link, whatever the classes are called
    assert find_class("n1", names, ids) == 0
    assert find_class("dog", names, ids) == 1
    assert [find_class(each, names, ids) for each in ("2", "", "cat")] == [None, None, None]


def test_class_in_a_link_is_never_guessed():
    names = ("cat", "dog", "dog", "7")
    ids = ("n0", "n1", "n2", "n3")
    assert find_class("7", names, ids) is None  # a number is an index, and there is no eighth class
    assert find_class("dog", names, ids) is None
    assert find_class("", names, ids) is None


def test_number_in_a_link_is_an_index_and_never_an_id():
    assert find_class("90", ("cat", "dog"), ("1", "90")) is None
    assert find_class("1", ("cat", "dog"), ("1", "90")) == 1
    assert find_class("1234567890", ("cat", "dog"), ("1", "1234567890")) == 1  # too long to count


def test_name_shared_by_two_classes_is_found_as_it_is_shown():
    names, ids = ("cat", "dog", "dog"), ("n0", "n1", "n2")
    assert distinct_names(names, ids) == ("cat", "dog (n1)", "dog (n2)")
    assert [find_class(each, names, ids) for each in ("dog (n1)", "dog (n2)")] == [1, 2]


def test_id_counts_more_than_the_name_of_another_class():
    assert find_class("dog", ("dog", "cat"), ("cat", "dog")) == 1
    assert find_named_class("dog", ("dog", "cat"), ("cat", "dog")) == 1
    assert match_classes("dog", ("dog", "cat"), ("cat", "dog")) == [1, 0]


def test_digits_of_other_scripts_are_no_index():
    assert find_class("\u0661", ("cat", "dog"), ("cat", "dog")) is None
    assert find_class("\u00b2", ("cat", "dog"), ("cat", "dog")) is None


@given(TEXTS)
def test_every_class_is_found_by_its_index_and_by_its_id(ids):
    names = ["same"] * len(ids)
    for index, class_id in enumerate(ids):
        assert find_class(str(index), names, ids) == index
        assert find_named_class(class_id, names, ids) == index


def test_every_dataset_finds_its_classes_this_way(tmp_path):
    dataset = _load_small_set(tmp_path)
    for index, name in enumerate(dataset.class_names):
        assert dataset.find_class(str(index)) == dataset.find_class(name) == index
    assert dataset.find_class("none of them") is None


def test_store_refuses_a_text_that_is_the_id_of_one_class_and_the_name_of_another(tmp_path):
    dataset = _load_small_set(tmp_path)
    first, second = dataset.class_names[:2]
    odd = replace(dataset, class_ids=(second, first, *dataset.class_ids[2:]))
    with pytest.raises(StoreError, match="is the id of one class and the name of another") as error:
        drafts.find_class(odd, first)
    assert "Give its index instead (1, 0)." in error.value.remedy
