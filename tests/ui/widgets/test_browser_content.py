"""What the browser is sent of an example."""

from __future__ import annotations

import numpy as np
import pytest

import curation
from curation.ui.widgets.browser_content import (
    EXCERPT_CHARACTERS,
    MAX_TEXT_CHARACTERS,
    SCREEN_PIXELS,
    show,
)


def test_row_without_content_is_named_as_a_person_counts(tmp_path):
    labels = "id,label\nex0,cat\nex1,\nex2,dog\nex3,cat\nex4,dog\n"
    probs = "id,cat,dog\n" + "".join(
        f"ex{n},{p},{1 - p}\n" for n, p in enumerate((0.75, 0.5, 0.25, 0.75, 0.25))
    )
    (tmp_path / "labels.csv").write_text(labels)
    (tmp_path / "probs.csv").write_text(probs)
    dataset = curation.load(tmp_path)
    assert dataset.ids[1] == "ex2"  # the third row; the second has no label
    shown = show(dataset, 1, SCREEN_PIXELS)
    assert shown["text"] == "Row 3 of the label file, counted from 1 after any header"


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
