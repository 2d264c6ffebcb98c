"""A dataset with labels alone: a button makes the probabilities, and then it opens."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from curation.ui.shell import jobs
from tests.modelling.conftest import write_texts
from tests.pages.visiting import run, seen

NONE_YET = "This dataset has labels, but no probabilities yet"


@pytest.fixture
def texts(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return write_texts(tmp_path / "pets")


def finish(app):
    """Wait until the probabilities are made or refused, then show the page again."""
    for found in jobs.all_jobs()._jobs["probs"].values():
        found.future.exception(60)
    return app.run()


def test_two_clicks_lead_from_labels_to_the_first_issue(texts):
    app = run(texts)
    assert NONE_YET in seen(app)
    assert "cannot be opened" not in seen(app)
    finish(app.button(key="make-probs").click().run())
    app.run()
    assert not app.exception
    assert "look wrong" in seen(app) and NONE_YET not in seen(app)
    assert " · probabilities made by Curation" in seen(app) and "fix was made" not in seen(app)
    assert ":gray[**Note:**] The probabilities were made by Curation with 4 folds" in seen(app)
    assert (texts / "probs.npz").exists()
    review = run(texts, "pages/3_Review.py")  # the second click
    assert not review.exception and NONE_YET not in seen(review)


def test_every_page_offers_the_button(texts):
    for page in ("pages/1_Noise.py", "pages/3_Review.py", "pages/4_Export.py"):
        app = run(texts, page)
        assert NONE_YET in seen(app) and app.button(key="make-probs")


def test_progress_is_shown_and_can_be_cancelled(texts, monkeypatch):
    begun, ended, never = threading.Event(), threading.Event(), threading.Event()

    def work(data, *, progress, **options):
        try:
            while not never.wait(0.01):
                progress("Fold 2 of 4 (about 3 minutes left)", 0.4)
                begun.set()
        finally:
            ended.set()

    monkeypatch.setattr("curation.make_probs", work)
    monkeypatch.setattr("curation.ui.shell.unavailable_page.rerun_if_waiting", lambda: None)
    app = run(texts)
    app.button(key="make-probs").click().run()
    assert begun.wait(30)
    app.run()
    assert app.button(key="cancel-probs") and "Fold 2 of 4 (about 3 minutes left)" in seen(app)
    assert app.button(key="make-probs").disabled
    app.button(key="cancel-probs").click().run()
    assert not app.button(key="make-probs").disabled
    assert ended.wait(30)


def test_a_class_with_one_example_is_named_and_can_be_allowed(texts):
    path = texts / "texts.csv"
    path.write_text(path.read_text() + "e90,yak *bold*,alone on the hill\n")
    app = finish(run(texts).button(key="make-probs").click().run())
    assert "has only one example" in seen(app) and NONE_YET in seen(app)
    finish(app.button(key="make-probs").click().run())
    app.run()
    assert NONE_YET not in seen(app) and not app.exception


def test_labels_with_nothing_to_learn_from_say_so(tmp_path):
    root = tmp_path / "bare"
    root.mkdir()
    np.save(root / "labels.npy", np.arange(20) % 2)
    app = finish(run(root).button(key="make-probs").click().run())
    assert "There is nothing to learn from" in seen(app)
    assert app.button(key="make-probs") and not app.exception


def test_labels_that_cannot_be_read_are_named(texts):
    (texts / "classes.txt").write_text("cat\ndog\n")
    app = finish(run(texts).button(key="make-probs").click().run())
    assert "eel" in seen(app) and not app.exception


def test_a_fault_of_ours_shows_no_traceback(texts, monkeypatch):
    def fail(data, **options):
        raise RuntimeError("secret detail")

    monkeypatch.setattr("curation.make_probs", fail)
    app = finish(run(texts).button(key="make-probs").click().run())
    assert "Something went wrong on our side" in seen(app)
    assert "secret detail" not in seen(app) and not app.exception


def test_columns_that_could_be_the_probabilities_are_offered_next_to_the_button(tmp_path):
    rows = "".join(f"{k},{k % 2},0.{3 + 4 * (k % 2)},0.{7 - 4 * (k % 2)}\n" for k in range(20))
    (tmp_path / "data.csv").write_text("id,label,ham,spam\n" + rows)
    app = run(tmp_path)
    assert NONE_YET in seen(app) and app.button(key="make-probs")
    assert "has the columns" in seen(app)
    [offer] = [each for each in app.button if each.label.startswith("Read the probabilities from")]
    offer.click().run()
    app.run()
    assert not app.exception and NONE_YET not in seen(app)


def test_file_that_is_not_read_is_named_next_to_the_button(tmp_path):
    (tmp_path / "labels.csv").write_text("id,label\n" + "".join(f"{k},{k % 2}\n" for k in range(9)))
    (tmp_path / "probs.pt").write_bytes(b"PK")
    assert "torch.load" in seen(run(tmp_path))
