"""`curate` starts the dashboard on the demo or on a dataset, with the store that was named."""

import json
import sys
from pathlib import Path

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
    monkeypatch.chdir(Path.cwd())  # and back again at the end
    monkeypatch.delenv("STREAMLIT_SERVER_ADDRESS", raising=False)
    return seen


def test_without_a_path_it_opens_the_demo(started):
    here = Path.cwd()
    assert main([]) == 0
    assert Path.cwd() == find_dashboard()  # Streamlit reads the settings of the working folder
    assert started[:3] == ["streamlit", "run", str(find_dashboard() / "app.py")]
    assert started[started.index("--") + 1 :] == ["--folder", str(here)]
    assert "--server.address=localhost" in started
    assert not any("server.port" in each for each in started)  # so Streamlit looks for a free one


def test_path_and_store_reach_the_dashboard(started, tmp_path):
    named = ["--store", "postgresql+psycopg://host/base"]
    main([str(tmp_path), *named, "--no-browser", "--port", "8600"])
    place = started.index("--")
    assert started[place + 3 :] == ["--data", str(tmp_path), *named]
    assert "--server.headless=true" in started and "--server.port=8600" in started


def test_missing_path_is_reported_before_anything_starts(started, tmp_path, capsys):
    assert main([str(tmp_path / "nowhere")]) == 2
    assert "There is no file or folder" in capsys.readouterr().err and not started


def test_store_without_a_dataset_is_refused(started, capsys):
    assert main(["--store", "decisions.db"]) == 2
    assert "--store was given without a dataset." in capsys.readouterr().err


def test_store_is_found_from_where_the_command_was_run(started, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    main([".", "--store", "decisions.db"])
    assert started[-4:] == ["--data", str(tmp_path), "--store", str(tmp_path / "decisions.db")]


@pytest.mark.parametrize("way", ["flag", "environment"])
@pytest.mark.parametrize("address", ["0.0.0.0", "::", "192.0.2.7", "example.org"])
def test_address_that_others_can_reach_is_refused(started, monkeypatch, capsys, way, address):
    if way == "environment":
        monkeypatch.setenv("STREAMLIT_SERVER_ADDRESS", address)
    assert main(["--host", address] if way == "flag" else []) == 2
    told = capsys.readouterr().err
    assert f"{address} can be reached by other machines, and nobody has to sign in." in told
    assert "ssh -L" in told and "let people sign in, with --access" in told and not started


@pytest.mark.parametrize("address", ["localhost", "127.0.0.1", "::1"])
def test_address_of_this_machine_is_used(started, address):
    assert main(["--host", address]) == 0
    assert f"--server.address={address}" in started


@pytest.mark.parametrize("command", ["open .", "backup --out x", "export . --out x"])
def test_password_on_the_command_line_is_refused(started, capsys, command):
    assert main([*command.split(), "--store", "postgresql+psycopg://ana:secret@host/base"]) == 2
    told = capsys.readouterr().err
    assert "PGPASSWORD" in told and "secret" not in told and not started


def test_flags_that_say_how_to_read_the_data_reach_the_dashboard(started, tmp_path):
    flags = ["--label-column", "y", "--prob-columns", "a", "b", "--shift-labels", "-1"]
    main([str(tmp_path), *flags])
    given = json.loads(started[started.index("--fix") + 1])
    assert given == {"label_column": "y", "prob_columns": ["a", "b"], "shift_labels": -1}


def test_flags_without_a_dataset_are_refused(started, capsys):
    assert main(["--label-column", "y"]) == 2
    assert "--label-column was given without a dataset." in capsys.readouterr().err


def test_open_takes_every_flag_that_check_takes():
    from curation.cli import build_parser
    from curation.loading.overrides import HELP

    for command in ("open", "check"):
        options = vars(build_parser().parse_args([command, "path"]))
        assert set(HELP) <= set(options), command
