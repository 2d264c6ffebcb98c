"""The store that all pages of a dataset share: one, also while it is replaced."""

from __future__ import annotations

import numpy as np
import pytest

import curation
from curation.errors import StoreError
from curation.store import open_store
from curation.ui.shell import page_store
from tests import small_set


@pytest.fixture
def dataset(tmp_path):
    return curation.load(small_set.write_texts(tmp_path, 30, 3, rng=np.random.default_rng(0)))


@pytest.fixture
def slot():
    slot = page_store._Slot()
    yield slot
    slot.close()


def fail(message):
    raise StoreError(message, "")


def test_a_store_that_another_visitor_has_just_opened_is_used_and_stays_open(
    dataset, slot, monkeypatch
):
    first, closed = slot.open(dataset, None), []
    second = open_store(dataset)
    monkeypatch.setattr(second, "close", lambda: closed.append("second"))

    def notice(ids):
        slot.store = second  # somebody else has noticed it at the same moment
        fail("the file was replaced")

    monkeypatch.setattr(first, "revisions", notice)
    assert slot.reopen(dataset, None) is second and not closed
    monkeypatch.undo()


def test_a_store_that_cannot_be_read_is_opened_again_by_the_next_visit(dataset, slot, monkeypatch):
    monkeypatch.setattr("curation.store.Store.revisions", lambda store, ids: fail("it is broken"))
    with pytest.raises(StoreError, match="it is broken"):
        slot.reopen(dataset, None)
    assert slot.store is None
    monkeypatch.undo()
    assert slot.reopen(dataset, None).log() == []
