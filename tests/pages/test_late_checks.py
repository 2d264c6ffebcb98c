"""Checks that read every picture go on beside the open page."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from curation.loading import content_checks
from curation.report import Checks
from curation.ui.shell import polling
from tests.pages.visiting import run, seen
from tests.small_set import write_images


@pytest.fixture
def pictures(tmp_path, monkeypatch):
    """Sixty pictures, one of them missing, that are checked late."""
    monkeypatch.setattr(content_checks, "CHECKED_AT_ONCE", 0)
    folder = write_images(tmp_path / "pictures", 60, 6, rng=np.random.default_rng(1))
    (folder / "images/00003.png").unlink()
    return folder


def test_the_page_opens_before_the_pictures_are_checked_and_the_report_grows(pictures):
    go_on, finish = threading.Event(), Checks.finish
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Checks, "finish", lambda checks: go_on.wait(30) and finish(checks))
        patch.setattr(polling, "rerun_if_waiting", lambda: None)
        app = run(pictures)
    assert not app.exception
    assert "no warnings so far · still checking the pictures" in seen(app)
    assert "1 of 60 pictures is missing" not in seen(app)
    go_on.set()
    app = run(pictures)
    assert "1 of 60 pictures is missing" in seen(app) and "still checking" not in seen(app)


def test_the_page_runs_again_until_the_pictures_are_checked(pictures):
    app = run(pictures)
    assert not app.exception
    assert "1 of 60 pictures is missing" in seen(app) and "still checking" not in seen(app)


def test_a_check_that_fails_is_said_and_not_tried_again_and_again(pictures, monkeypatch):
    asked = []

    def fail(checks):
        asked.append(1)
        raise OSError("the disk is gone")

    monkeypatch.setattr(Checks, "finish", fail)
    app = run(pictures)
    assert not app.exception
    assert "the pictures could not be checked" in seen(app) and asked == [1]
