"""A session on a real dashboard: decisions come back as pandas has them, and stay."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pandas as pd
import pytest

import curation
from curation.errors import CurationError
from curation.session import dashboard_process
from curation.session.dashboard_process import DashboardProcess
from curation.session.open_session import Session
from tests.session.conftest import open_data

ROOT = Path(__file__).parents[2]


class Closed:
    """No dashboard: decisions can be read without one."""

    url, running = "http://localhost:1", False


@pytest.fixture
def frame(memory):
    frame = pd.DataFrame({"text": memory.texts, "label": memory.codes})
    frame.index = [f"r{row}" for row in range(len(frame))]
    return frame


def decide(session, *answers):
    with curation.open_store(session.dataset) as store:
        for example, action, more in answers:
            store.decide(example, action, curator="ana", **more)


def test_dashboard_opens_and_closes_and_the_decisions_stay(memory, frame, capsys):
    names = ["cat", "dog", "eel"]
    with curation.open(frame, memory.probs, class_names=names, browser=False) as session:
        assert f"The dashboard is at {session.url}" in capsys.readouterr().out
        browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        with browser.open(session.url) as answer:
            assert answer.status == 200
        assert session.url in repr(session) and session.url in session._repr_html_()
        assert session.decisions().empty
        decide(session, ("r1", "relabel", {"label": "eel"}), ("r2", "exclude", {}))
        assert session.decisions()["action"].to_dict() == {"r1": "relabel", "r2": "exclude"}
    assert not session.running and "closed" in repr(session)
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen(session.url, timeout=2)
    session.close()  # again: nothing happens
    assert len(session.decisions()) == 2
    again = open_data(frame, memory.probs, class_names=names)
    assert len(Session(again, Closed()).decisions()) == 2


def test_dashboard_ends_with_the_program_that_opened_it(memory, tmp_path):
    folder = open_data(memory.texts, memory.probs, memory.labels).folder
    program = (
        "import os, sys; from pathlib import Path\n"
        "from curation.session.dashboard_process import DashboardProcess\n"
        "process = DashboardProcess(Path(sys.argv[1]))\n"
        "print(process._process.pid, flush=True); os._exit(1)"  # as if it were killed
    )
    command = [sys.executable, "-c", program, str(folder)]
    run = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    try:
        server = os.pidfd_open(int(run.stdout))
    except ProcessLookupError:
        return  # it has ended already
    try:
        assert select.select([server], [], [], 60)[0], "the dashboard still runs"
    finally:
        os.close(server)


def test_dashboard_that_cannot_start_says_why(monkeypatch, tmp_path):
    failing = (sys.executable, "-c", "print('the port is taken'); raise SystemExit(1)")
    monkeypatch.setattr(dashboard_process, "COMMAND", failing)
    with pytest.raises(CurationError, match="did not start:\nthe port is taken"):
        DashboardProcess(tmp_path)


@pytest.fixture
def session(memory, frame):
    prepared = open_data(frame, memory.probs, class_names=["cat", "dog", "eel"])
    session = Session(prepared, Closed())
    both = {"labels": ["cat", "eel"], "note": "a cat that swims"}
    decide(
        session,
        ("r1", "relabel", {"label": "eel"}),
        ("r2", "exclude", {}),
        ("r4", "ambiguous", both),
        ("r9", "keep", {}),
    )
    return session


def test_decisions_are_a_table_with_the_index_and_the_labels_of_the_data(session):
    table = session.decisions()
    assert table.index.tolist() == table["id"].tolist() == ["r1", "r2", "r4", "r9"]
    assert "text" not in table  # the data has it
    assert table["action"].tolist() == ["relabel", "exclude", "both", "keep"]
    assert table["given_label"].tolist() == [1, 2, 1, 0]  # numbers, as they were passed
    assert table.loc["r1", "corrected_label"] == 2 and table.loc["r4", "both_labels"] == [0, 2]
    assert table.loc["r4", ["curator", "note"]].tolist() == ["ana", "a cat that swims"]


def test_cleaned_labels_fit_the_data(session, frame):
    labels = session.cleaned_labels()
    assert labels.dtype == frame["label"].dtype and "r2" not in labels.index
    expected = frame["label"].drop("r2").copy()
    expected["r1"] = 2
    assert labels.equals(expected)


def test_cleaned_labels_take_the_options_of_an_export(session, frame):
    assert len(session.cleaned_labels(excluded="flag")) == len(frame)
    assert "r4" not in session.cleaned_labels(ambiguous="exclude").index
    with pytest.raises(curation.CurationError, match="no export option 'exclude'"):
        session.cleaned_labels(exclude="flag")


def test_class_that_a_merge_created_has_its_new_name(memory):
    session = Session(open_data(memory.texts, memory.probs, memory.labels), Closed())
    with curation.open_store(session.dataset) as store:
        store.decide_classes("merge", "cat", "dog", into="pet", curator="ana")
    assert set(session.cleaned_labels(apply_merges=True)) == {"pet", "eel"}
