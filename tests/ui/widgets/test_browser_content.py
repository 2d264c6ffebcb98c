"""What the browser is sent of an example."""

from __future__ import annotations

import uuid

import numpy as np
import pytest
import streamlit as st

import curation
from curation.storage import mirror, storage_health
from curation.ui.widgets import browser_content
from curation.ui.widgets.browser_content import (
    EXCERPT_CHARACTERS,
    MAX_TEXT_CHARACTERS,
    SCREEN_PIXELS,
    show,
    show_many,
)
from tests import small_set


def test_example_without_content_is_called_by_its_id_and_its_row_as_a_person_counts(tmp_path):
    labels = "id,label\nex0,cat\nex1,\nex2,dog\nex3,cat\nex4,dog\n"
    probs = "id,cat,dog\n" + "".join(
        f"ex{n},{p},{1 - p}\n" for n, p in enumerate((0.75, 0.5, 0.25, 0.75, 0.25))
    )
    (tmp_path / "labels.csv").write_text(labels)
    (tmp_path / "probs.csv").write_text(probs)
    dataset = curation.load(tmp_path)
    assert dataset.ids[1] == "ex2"  # the third row; the second has no label
    shown = show(dataset, 1, SCREEN_PIXELS)
    assert shown == {"kind": "index", "text": "ex2", "row": 3}


@pytest.mark.fault(37, "HOLDS")
def test_a_text_of_a_million_characters_is_cut_and_its_length_is_sent(tmp_path):
    texts = ["short", "x" * 1_000_000, "short", "short"]
    rows = "".join(
        f"{label},{text}\n" for label, text in zip(["dog", "cat"] * 2, texts, strict=True)
    )
    (tmp_path / "labels.csv").write_text(f"label,text\n{rows}")
    np.save(tmp_path / "probs.npy", np.array([[0.3, 0.7], [0.7, 0.3]] * 2))
    dataset = curation.load(tmp_path)
    whole, excerpt = show(dataset, 1, SCREEN_PIXELS), show(dataset, 1, 200)
    assert (len(whole["text"]), whole["length"]) == (MAX_TEXT_CHARACTERS, 1_000_000)
    assert (len(excerpt["text"]), excerpt["length"]) == (EXCERPT_CHARACTERS, 1_000_000)
    assert len(dataset.content.text(1)) == 1_000_000


def test_a_picture_that_could_not_be_prepared_is_tried_again(tmp_path, monkeypatch):
    folder = small_set.write_images(tmp_path / "set", 12, 3, rng=np.random.default_rng(1))
    dataset = curation.load(folder)
    with monkeypatch.context() as context:
        context.setattr(browser_content, "encode_picture", lambda *given, **more: [][0])
        with pytest.raises(IndexError):
            show_many(dataset, [0], SCREEN_PIXELS, 5)
    assert show_many(dataset, [0], SCREEN_PIXELS, 5)[0]["kind"] == "image"


@pytest.fixture
def remote(storage, tmp_path, monkeypatch):
    """A dataset of pictures in a storage that is silent now, and is left alone then."""
    monkeypatch.setattr(mirror, "PICTURE_SECONDS", 0.3)
    monkeypatch.setattr(storage_health, "FIRST_PAUSE", 600.0)
    rng = np.random.default_rng(1)
    folder = small_set.write_images(tmp_path / "set", 12, 3, size=8, rng=rng)
    address = storage.put_folder(folder, f"b{uuid.uuid4().hex[:12]}", "set")
    dataset = curation.load(address)
    storage.silent = True
    yield dataset
    st.cache_resource.clear()


def test_pictures_that_storage_does_not_give_are_left_out_and_asked_for_again(storage, remote):
    assert show_many(remote, [0, 1, 2], 96, wait_seconds=5) == {}
    storage.silent = False
    remote.content.mirror._health._silent_until = 0.0  # the pause is over
    assert show_many(remote, [0], 96, wait_seconds=5)[0]["kind"] == "image"
    assert set(show_many(remote, [0, 1, 2], 96, wait_seconds=5)) == {0, 1, 2}


def test_words_stand_in_for_the_pictures_of_examples_to_decide(storage, remote, monkeypatch):
    monkeypatch.setattr(browser_content, "STORAGE_WAIT_SECONDS", 0.01)
    at_once = show_many(remote, [0, 1], SCREEN_PIXELS, wait_seconds=0, stand_in=True)
    assert at_once == {0: browser_content.FETCHING}  # nobody waits for a storage that hangs
    monkeypatch.setattr(browser_content, "STORAGE_WAIT_SECONDS", 5)
    later = show_many(remote, [0, 1], SCREEN_PIXELS, wait_seconds=5, stand_in=True)
    assert [later[row]["kind"] for row in (0, 1)] == ["waiting", "waiting"]
    assert "is asked again every few seconds" in later[0]["remedy"]
