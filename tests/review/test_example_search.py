"""Examples that hold a text, wherever it stands."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import curation
from curation.loading.content.sources import ImageFiles, Texts
from curation.review import example_search
from curation.review.example_search import Search, find_matches


@pytest.mark.parametrize(
    ("text", "rows"),
    [("E6", [6]), ("text 1", [1]), ("south", [0, 2, 4, 6]), ("DOG", [3, 5, 7]), ("nowhere", [])],
)
def test_a_search_covers_id_text_class_and_other_columns_and_ignores_case(pets, text, rows):
    assert np.flatnonzero(find_matches(pets, Search(text))).tolist() == rows


def test_a_column_is_searched_alone_and_for_a_part_or_the_whole_of_a_cell(pets):
    assert np.flatnonzero(find_matches(pets, Search("NORTH", "shop"))).tolist() == [1, 3, 5, 7]
    assert not find_matches(pets, Search("e6", "shop")).any()
    assert not find_matches(pets, Search("Nort", "shop", is_whole=True)).any()
    assert not find_matches(pets, Search("north", "shop", is_whole=True)).any()
    whole = find_matches(pets, Search("North", "shop", is_whole=True))
    assert np.flatnonzero(whole).tolist() == [1, 3, 5, 7]


def test_pictures_are_found_by_their_path(pets):
    names = [f"shelf {row // 4}/{row}.png" for row in range(8)]
    object.__setattr__(pets, "content", ImageFiles(pets.root, names))
    assert np.flatnonzero(find_matches(pets, Search("Shelf 1/"))).tolist() == [4, 5, 6, 7]


@pytest.mark.fault(58, "HOLDS")
@settings(max_examples=60, deadline=None)
@given(
    texts=st.lists(st.none() | st.text(max_size=9), min_size=8, max_size=8),
    wanted=st.text(st.characters(max_codepoint=127), min_size=1, max_size=3).filter(
        lambda text: text == text.strip()
    ),
)
def test_any_text_is_searched_literally_even_half_characters(texts, wanted):
    dataset = _hold(texts)
    expected = [wanted.lower() in (each or "").lower() for each in texts]
    found = find_matches(dataset, Search(wanted))
    # Outside ASCII more than case may be ignored: "ß", "ſ" and the Kelvin sign have other cases.
    plain = [each is None or each.isascii() for each in texts]
    assert found[plain].tolist() == np.array(expected)[plain].tolist()


def _hold(texts):
    class Held:
        ids, labels, class_names = np.array([""] * 8, object), np.zeros(8, int), ("",)
        content, extras, kind = Texts(np.array(texts, object)), {}, "text"

        def __len__(self):
            return 8

    held = Held()
    held.class_names = ("é",)  # which no text in ASCII is part of
    return held


def test_half_a_character_in_a_text_does_not_stop_the_search():
    found = find_matches(_hold(["a\ud800B", *["x"] * 7]), Search("b"))
    assert found.tolist() == [True] + [False] * 7


def test_a_search_reports_its_progress_and_can_be_stopped(pets, monkeypatch):
    monkeypatch.setattr(example_search, "CHUNK", 3)
    told = []
    find_matches(pets, Search("e6"), progress=lambda stage, share: told.append((stage, share)))
    assert [stage for stage, _ in told[::3]] == [
        "Searching ids", "Searching texts", "Searching shop"
    ]  # fmt: skip
    assert [share for _, share in told] == sorted(share for _, share in told)

    def stop(stage, share):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        find_matches(pets, Search("e6"), progress=stop)


def test_the_whole_dataset_is_searched_and_not_only_its_first_chunk(tmp_path, monkeypatch):
    monkeypatch.setattr(example_search, "CHUNK", 2)
    lines = [f"e{row},{'cat' if row % 2 else 'dog'},word {row}\n" for row in range(7)]
    (tmp_path / "labels.csv").write_text("id,label,text\n" + "".join(lines))
    np.save(tmp_path / "probs.npy", np.tile([0.6, 0.4], (7, 1)))
    dataset = curation.load(tmp_path)
    assert np.flatnonzero(find_matches(dataset, Search("word 6"))).tolist() == [6]
