"""What a caller may say, and the words for what it may not."""

from __future__ import annotations

from typing import Any

import pytest

from curation.errors import StoreError
from curation.store import Store, open_store
from devtools.store_dataset import StoreDataset


def test_a_missing_note_is_stored_as_an_empty_one(local_store: Store) -> None:
    note: Any = None
    assert local_store.decide("e0", "keep", curator="ana", note=note).note == ""


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"note": 5}, "the note is 5"),
        ({"op_id": 5}, "the op_id is 5"),
        ({"op_id": ""}, "the op_id is ''"),
        ({"revision": "x"}, "the revision is 'x'"),
        ({"revision": 1.5}, "the revision is 1.5"),
        ({"seconds": "x"}, "'x' seconds"),
        ({"seconds": [1]}, "[1] seconds"),
        ({"seconds": 10**400}, "seconds"),
    ],
)
def test_a_value_of_the_wrong_type_is_refused_with_a_message(
    local_store: Store, said: dict[str, Any], words: str
) -> None:
    with pytest.raises(StoreError) as caught:
        local_store.decide("e0", "keep", curator="ana", **said)
    assert words in caught.value.problem
    assert local_store.log() == []


def test_a_list_of_anything_but_decisions_is_refused(local_store: Store) -> None:
    decisions: Any = ["e0"]
    with pytest.raises(StoreError, match="'e0' is not a decision"):
        local_store.decide_many(decisions, curator="ana")


@pytest.mark.parametrize("action", ["rename", "merge"])
def test_a_class_cannot_lose_its_name(local_store: Store, action: str) -> None:
    other = "dog" if action == "merge" else None
    with pytest.raises(StoreError, match="a class needs a name"):
        local_store.decide_classes(action, "cat", other, into=" ", curator="ana")


def test_a_store_address_of_the_wrong_type_is_refused(dataset: StoreDataset) -> None:
    place: Any = 5
    with pytest.raises(StoreError, match=r"^Decisions cannot be kept in 5\."):
        open_store(dataset, place)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"new_class": " DOG "}, "'DOG' is not new; the dataset has the class 'dog'"),
        ({"new_class": ""}, "a new class needs a name"),
        ({"new_class": "z" * 201}, "has 201 characters"),
        ({"new_class": "a\x07b"}, "may not"),
        ({"new_class": "zebra", "label": "dog"}, "both a class and a new class"),
        ({"new_class": "zebra", "action": "keep"}, "keep takes no label"),
        ({}, "relabel needs a label"),
    ],
)
def test_a_new_class_is_refused_if_it_is_not_new_or_cannot_be_named(
    local_store: Store, said: dict[str, Any], words: str
) -> None:
    asked = {"action": "relabel", **said}
    with pytest.raises(StoreError) as caught:
        local_store.decide("e0", curator="ana", **asked)
    assert words in caught.value.problem
    assert local_store.log() == []
