"""What every test of a page starts from."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import streamlit as st

import curation.ui.shell.with_decisions  # noqa: F401
from tests.pages.visiting import save


@pytest.fixture(autouse=True)
def quiet_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Keep the user's own lists out of the way, wait for jobs, and let none last."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    monkeypatch.setattr("sys.argv", ["streamlit"])
    # a page runs as the main module; processes that other tests spawn would run it again
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])
    monkeypatch.setattr(sys.modules["curation.ui.shell.setup"], "PATIENCE", 30)
    monkeypatch.setattr(sys.modules["curation.ui.shell.decision_progress"], "PATIENCE", 30)
    monkeypatch.setattr(sys.modules["curation.ui.shell.with_decisions"], "PATIENCE", 30)
    monkeypatch.setattr(sys.modules["curation.ui.shell.chooser"], "WAIT_FOR_CARD", 30)
    yield
    st.cache_resource.clear()


@pytest.fixture
def pets(tmp_path: Path) -> Path:
    return save(tmp_path / "pets")
