"""What every test of a page starts from."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import streamlit as st
from streamlit.components.v2 import manifest_scanner

from curation.roles import OWNER
from curation.ui.server import tickets
from curation.ui.shell import curator_name, dataset_chooser, jobs, visitor
from tests import small_set
from tests.pages.visiting import save


@pytest.fixture(scope="session", autouse=True)
def components_found_once() -> Iterator[None]:
    """Look once for components in other packages; AppTest would read them all at every run."""
    with pytest.MonkeyPatch.context() as patch:
        found = cache(manifest_scanner.scan_component_manifests)
        patch.setattr(manifest_scanner, "scan_component_manifests", found)
        yield


@pytest.fixture(autouse=True)
def quiet_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Keep the user's own lists out of the way, wait for jobs, and let none last."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr("sys.argv", ["streamlit"])
    # a page runs as the main module; processes that other tests spawn would run it again
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])
    monkeypatch.setattr(jobs, "WAIT_SECONDS", 30)
    monkeypatch.setattr(dataset_chooser, "CARD_WAIT_SECONDS", 30)
    monkeypatch.setattr(curator_name, "_remembered_curator", lambda: "")  # no browser, no cookie
    monkeypatch.setattr(visitor, "find_ticket", lambda: tickets.issue(OWNER))  # no server, no gate
    yield
    st.cache_resource.clear()


@pytest.fixture
def pets(tmp_path: Path) -> Path:
    return save(tmp_path / "pets")


@pytest.fixture(scope="module")
def flagged_texts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Ninety texts, of which thirty are flagged."""
    root = tmp_path_factory.mktemp("review") / "set"
    return small_set.write_texts(root, 90, 30, rng=np.random.default_rng(5))
