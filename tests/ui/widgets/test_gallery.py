import numpy as np
import pytest
import streamlit as st

import curation
from curation.ui.widgets import gallery
from tests.small_set import write_images


@pytest.fixture
def dataset(tmp_path):
    yield curation.load(write_images(tmp_path, 12, 2, rng=np.random.default_rng(0)))
    st.cache_resource.clear()


def count_decoded(dataset, monkeypatch):
    kind, decoded = type(dataset.content), []
    decode = kind.image

    def image(content, row, *, size):
        decoded.append(row)
        return decode(content, row, size=size)

    monkeypatch.setattr(kind, "image", image)
    return decoded


def test_pictures_are_made_once_even_if_a_page_is_drawn_often(dataset, monkeypatch):
    decoded, drawn = count_decoded(dataset, monkeypatch), []
    monkeypatch.setattr(st, "html", drawn.append)
    tiles = [gallery.Tile(row, "cat → dog") for row in range(6)]
    for _ in range(3):
        gallery.show_gallery(dataset, tiles)
    assert sorted(decoded) == list(range(6))
    assert drawn[0] == drawn[1] == drawn[2] and drawn[0].count("data:image/png") == 6


def test_another_dataset_gets_its_own_pictures(dataset, tmp_path):
    other = curation.load(write_images(tmp_path / "b", 12, 2, rng=np.random.default_rng(1)))
    assert gallery.thumbnail(dataset, 0) != gallery.thumbnail(other, 0)


def test_a_picture_that_cannot_be_shown_says_why_each_time(dataset, monkeypatch):
    drawn = []
    monkeypatch.setattr(st, "html", drawn.append)
    (dataset.root / "images" / "00003.png").unlink()
    for _ in range(2):
        gallery.show_gallery(dataset, [gallery.Tile(3, "cat")])
    assert all("00003.png: missing.</div>" in each for each in drawn)


def test_a_tile_is_a_link_that_opens_its_example_whatever_its_id(dataset, monkeypatch):
    drawn = []
    monkeypatch.setattr(st, "html", drawn.append)
    dataset.ids[3] = 'a&b "c" <d>'
    gallery.show_gallery(dataset, [gallery.Tile(3, "cat")])
    assert 'href="Review?at=a%26b+%22c%22+%3Cd%3E"' in drawn[0]
    assert 'aria-label="Review a&amp;b &quot;c&quot; &lt;d&gt;"' in drawn[0]
