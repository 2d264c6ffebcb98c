"""`curate` starts the dashboard on the demo or on a dataset, with the store that was named."""

import sys

import pytest

from curation.cli import main
from curation.paths import find_dashboard


@pytest.fixture
def started(monkeypatch):
    """What Streamlit was started with."""
    from streamlit.web import cli

    seen = []
    monkeypatch.setattr(cli, "main", lambda **_: seen.extend(sys.argv))
    monkeypatch.setattr(sys, "argv", ["curate"])
    return seen


def test_without_a_path_it_opens_the_demo(started):
    assert main([]) == 0
    assert started[:3] == ["streamlit", "run", str(find_dashboard() / "app.py")]
    assert "--" not in started
    assert not any("server.port" in each for each in started)  # so Streamlit looks for a free one


def test_path_and_store_reach_the_dashboard(started, tmp_path):
    named = ["--store", "postgresql+psycopg://host/base"]
    main([str(tmp_path), *named, "--no-browser", "--port", "8600"])
    place = started.index("--")
    assert started[place + 1 :] == ["--data", str(tmp_path), *named]
    assert "--server.headless=true" in started and "--server.port=8600" in started


def test_path_that_is_not_there_is_told_before_anything_starts(started, tmp_path, capsys):
    assert main([str(tmp_path / "nowhere")]) == 2
    assert "There is nothing at" in capsys.readouterr().err and not started


def test_store_without_a_dataset_is_refused(started, capsys):
    assert main(["--store", "decisions.db"]) == 2
    assert "--store was given without a dataset." in capsys.readouterr().err
