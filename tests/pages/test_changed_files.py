"""Files that change under a running page: it says so, shows nothing mixed, and loads them again."""

from __future__ import annotations

import os

import numpy as np
import pytest

import curation
from curation.ui.widgets.literal_text import in_markdown
from tests.pages.visiting import run, seen

CHANGED = "The files of this dataset have changed"
PAGES = [
    "overview.py", "pages/1_Noise.py", "pages/2_Overlap.py", "pages/3_Review.py",
    "pages/4_Export.py",
]  # fmt: skip


@pytest.mark.parametrize("page", PAGES)
def test_page_says_that_the_probabilities_were_saved_again_and_loads_them(pets, page):
    app = run(pets, page)
    assert CHANGED not in seen(app)
    probs = np.load(pets / "probs.npy")
    np.save(pets / "probs.npy", np.roll(probs, 1, axis=0))  # in place, with the same shape
    app.run()
    assert not app.exception
    assert CHANGED in seen(app)
    assert in_markdown("probs.npy was changed after it was loaded") in seen(app)
    app.button(key="load-again").click().run()
    assert CHANGED not in seen(app) and not app.exception


def test_page_survives_probabilities_that_are_cut_short(pets):
    app = run(pets)
    os.truncate(pets / "probs.npy", 300)
    assert CHANGED in seen(app.run())
    assert "the file is cut off" in seen(app.button(key="load-again").click().run())


@pytest.mark.fault(77, "HOLDS")
def test_page_says_that_the_labels_were_saved_again(pets):
    app = run(pets)
    np.save(pets / "labels.npy", np.load(pets / "labels.npy")[::-1])
    words = "labels.npy was changed, moved or deleted after it was loaded"
    assert in_markdown(words) in seen(app.run())


def test_fingerprint_is_of_the_file_that_was_loaded_or_there_is_none(pets):
    loaded, probs = curation.load(pets), np.load(pets / "probs.npy")
    expected = curation.load(pets).fingerprint
    np.save(pets / "new.npy", probs[::-1])
    os.replace(pets / "new.npy", pets / "probs.npy")
    assert loaded.fingerprint == expected  # replaced: the loaded file is still held
    loaded = curation.load(pets)
    np.save(pets / "probs.npy", probs)  # in place: what was loaded is gone
    with pytest.raises(curation.CurationError, match="probs.npy was changed after it was loaded"):
        _ = loaded.fingerprint
