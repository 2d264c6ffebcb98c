"""What one curator says, stored and read back, in both databases."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Any

import numpy as np
import pytest

from curation.errors import StoreError
from curation.store import Store
from devtools.store_dataset import StoreDataset
from tests.store.short_decisions import says

Opener = Callable[..., Store]


def test_a_decision_is_stored_with_all_its_details(store: Store, dataset: StoreDataset) -> None:
    stored = store.decide(
        "e0", "relabel", label="dog", curator="ana", kind="error", note="paws", seconds=2.5
    )
    assert store.current() == [stored] == store.log()
    assert (stored.seq, stored.entry, stored.given, stored.label) == (1, "decide", "cat", "dog")
    assert stored.content_hash == dataset.content.digest(0)
    assert stored.fingerprint == dataset.fingerprint
    assert (stored.kind, stored.note, stored.seconds) == ("error", "paws", 2.5)
    assert datetime.fromisoformat(stored.time).utcoffset().total_seconds() == 0  # type: ignore[union-attr]


def test_a_label_may_be_a_name_or_an_index(store: Store) -> None:
    for example, label in (("e0", "dog"), ("e2", 1), ("e4", np.int64(1))):
        assert store.decide(example, "relabel", label=label, curator="ana").label == "dog"


def test_every_action_is_stored(store: Store) -> None:
    store.decide("e0", "keep", curator="ana")
    store.decide("e1", "relabel", label="eel", curator="ana")
    store.decide("e2", "ambiguous", labels=["dog", "cat"], curator="ana")
    store.decide("e3", "exclude", curator="ana")
    store.decide("e4", "skip", curator="ana")
    store.decide("e5", "needs_review", curator="ana")
    assert says(store.current()) == [
        ("e0", "keep", None),
        ("e1", "relabel", "eel"),
        ("e2", "ambiguous", None),
        ("e3", "exclude", None),
        ("e4", "skip", None),
        ("e5", "needs_review", None),
    ]
    assert store.history("e2")[0].labels == ("cat", "dog")
    assert store.counts() == dict.fromkeys(
        ("keep", "relabel", "ambiguous", "exclude", "skip", "needs_review"), 1
    )


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("nope", "keep", {}), "NOT saved: the dataset has no example 'nope'"),
        (("e0", "burn", {}), "unknown action 'burn'. Use keep, relabel, ambiguous"),
        (("e0", "relabel", {}), "relabel needs a label"),
        (("e0", "keep", {"label": "dog"}), "keep takes no label"),
        (("e0", "keep", {"labels": ["dog"]}), "keep takes no `labels`"),
        (("e0", "ambiguous", {"labels": "dog"}), "`labels` is a single text"),
        (("e0", "relabel", {"label": "fox"}), "no class 'fox'. The classes are 'cat', 'dog'"),
        (("e0", "relabel", {"label": 3}), "3 is not the index of a class. Indices are 0 to 2"),
        (("e0", "relabel", {"label": -1}), "-1 is not the index of a class"),
        (("e0", "relabel", {"label": True}), "True is not the index of a class"),
        (("e0", "keep", {"kind": "odd"}), "unknown kind 'odd'. Use error, ontological"),
        (("e0", "keep", {"seconds": float("nan")}), "nan seconds"),
        (("e0", "keep", {"curator": " "}), "no curator was named"),
    ],
)
def test_what_cannot_be_stored_is_refused_with_a_message(
    local_store: Store, arguments: tuple[str, str, dict[str, Any]], words: str
) -> None:
    example, action, options = arguments
    with pytest.raises(StoreError) as error:
        local_store.decide(example, action, **{"curator": "ana", **options})
    assert words in str(error.value)
    assert local_store.log() == []


def test_a_name_that_two_classes_share_needs_the_class_id(
    dataset: StoreDataset, url: str, opened: Opener
) -> None:
    cranes = replace(
        dataset, class_names=("crane", "crane", "eel"), class_ids=("n1", "n2", "n3"), more={}
    )
    store = opened(cranes, url)
    with pytest.raises(StoreError) as error:
        store.decide("e0", "relabel", label="crane", curator="ana")
    assert "2 classes are called 'crane'" in error.value.problem
    assert "class id ('n1', 'n2') or its index (0, 1)" in error.value.remedy
    assert store.decide("e0", "relabel", label="n2", curator="ana").label_id == "n2"
    assert store.decide("e0", "relabel", label=1, curator="ana").label_id == "n2"


def test_the_same_operation_twice_is_one_decision(store: Store) -> None:
    first = store.decide("e0", "keep", curator="ana", op_id="click")
    assert store.decide("e0", "keep", curator="ana", op_id="click", seconds=9) == first
    assert store.log() == [first]


def test_an_op_id_with_other_content_is_refused(store: Store) -> None:
    store.decide("e0", "keep", curator="ana", op_id="click")
    for example, action in (("e1", "keep"), ("e0", "exclude")):
        with pytest.raises(StoreError, match="op_id 'click' was already used for something else"):
            store.decide(example, action, curator="ana", op_id="click")
    with pytest.raises(StoreError, match="already used"):
        store.undo(curator="ana", op_id="click")
    assert len(store.log()) == 1


def test_decisions_about_classes_are_stored_and_undone(store: Store) -> None:
    store.decide_classes("merge", "cat", "dog", into="pet", curator="ana", note="same here")
    merged = store.class_decisions()[0]
    assert (merged.given, merged.other, merged.into, merged.into_id) == ("cat", "dog", "pet", None)
    store.decide_classes("is_a", "cat", "eel", curator="ana")
    assert store.class_decisions()[1].into == "eel", "the parent, unless another is named"
    store.decide_classes("rename", "eel", into="Eel", curator="ana")
    store.decide_classes("distinct", "dog", "cat", curator="ana")
    assert [(each.action, each.into) for each in store.class_decisions()] == [
        ("is_a", "eel"),
        ("rename", "Eel"),
        ("distinct", None),  # replaces the merge of the same two
    ]
    taken = store.undo(curator="ana")
    assert taken is not None and (taken.action, taken.example_id) == ("distinct", None)
    assert [each.action for each in store.class_decisions()] == ["merge", "is_a", "rename"]
    assert store.current() == []


@pytest.mark.parametrize(
    ("arguments", "options", "words"),
    [
        (("merge", "cat", "dog"), {}, "merge needs the name of a class"),
        (("merge", "cat"), {"into": "x"}, "merge needs two classes"),
        (("merge", "cat", "cat"), {"into": "x"}, "both are 'cat'"),
        (("rename", "cat", "dog"), {"into": "x"}, "rename is about one class"),
        (("distinct", "cat", "dog"), {"into": "x"}, "keep their names"),
        (("is_a", "cat", "dog"), {"into": "eel"}, "'eel' is neither of the two"),
        (("split", "cat", "dog"), {}, "unknown action 'split'"),
        (("distinct", "cat", "fox"), {}, "no class 'fox'"),
    ],
)
def test_class_decisions_are_checked(
    local_store: Store, arguments: tuple[str, ...], options: dict[str, str], words: str
) -> None:
    with pytest.raises(StoreError, match=words):
        local_store.decide_classes(*arguments, curator="ana", **options)
    assert local_store.log() == []
