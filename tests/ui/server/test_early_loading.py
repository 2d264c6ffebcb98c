"""The command's dataset is loaded while the server starts, before any page asks for it."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from curation.errors import InputError
from curation.ui.server.early_loading import load_early
from curation.ui.shell.cache import identify
from curation.ui.shell.jobs import all_jobs
from curation.ui.shell.opening import Source
from tests import small_set


def load(monkeypatch, data):
    """Load as the server does when it starts; return the source once that has ended."""
    monkeypatch.setattr(sys, "argv", ["app.py", "--data", str(data)])
    load_early().join()
    return Source(str(data))


def test_a_page_finds_the_dataset_loaded_and_analysed(monkeypatch, tmp_path):
    data = small_set.write_texts(tmp_path / "set", 60, 6, rng=np.random.default_rng(5))
    source = load(monkeypatch, data)
    dataset = all_jobs().find(("load", source)).future.result(0)
    analysed = all_jobs().find(("analyse", source, identify(dataset), "mean", "argmax"))
    assert len(analysed.future.result(60).labels) == len(dataset) == 60


def test_a_dataset_that_cannot_be_loaded_does_not_stop_the_server(monkeypatch, tmp_path):
    source = load(monkeypatch, tmp_path / "nowhere")
    with pytest.raises(InputError, match="nowhere"):
        all_jobs().find(("load", source)).future.result(0)
