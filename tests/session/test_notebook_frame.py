"""Which Jupyter server a kernel belongs to, and the frame that its notebook shows."""

from __future__ import annotations

import json

import pytest

import curation
from curation.errors import InputError
from curation.session import notebook_frame
from curation.session.notebook_frame import NO_NOTEBOOK, find_notebook_origins, write_frame
from curation.ui.server.addresses import check_framing


@pytest.fixture
def kernel(tmp_path, monkeypatch):
    """A kernel that process 4711 started; the function writes what that server says of itself."""
    monkeypatch.setenv("JPY_PARENT_PID", "4711")
    monkeypatch.setattr(notebook_frame, "_find_runtime_folder", lambda: tmp_path)

    def write(**server):
        (tmp_path / "jpserver-4711.json").write_text(json.dumps(server))

    return write


def test_the_server_that_started_the_kernel_is_found(kernel):
    kernel(port=8890, secure=False, url="http://localhost:8890/")
    assert find_notebook_origins() == ["http://localhost:8890", "http://127.0.0.1:8890"]


def test_a_server_with_a_certificate_is_not_offered_a_frame(kernel):
    kernel(port=8890, secure=True)
    assert find_notebook_origins() == []


@pytest.mark.parametrize("text", ["", "[]", '{"port": "8890; script-src *"}'])
def test_a_broken_file_of_the_server_gives_no_origin(kernel, tmp_path, text):
    (tmp_path / "jpserver-4711.json").write_text(text)
    assert find_notebook_origins() == []


def test_without_a_kernel_there_is_no_origin(monkeypatch):
    monkeypatch.delenv("JPY_PARENT_PID", raising=False)
    assert find_notebook_origins() == []


def test_the_frame_cannot_be_left_by_an_address():
    shown = write_frame('http://localhost:8501/?token=a"><script>', 600)
    assert 'token=a"' not in shown and 'height="600"' in shown


def test_inline_outside_of_jupyter_says_why_there_is_only_a_link(memory, capsys):
    with curation.open(
        memory.texts, memory.probs, memory.labels, browser=False, inline=True
    ) as session:
        assert "<iframe" not in session._repr_html_()
    assert NO_NOTEBOOK in capsys.readouterr().out


@pytest.mark.parametrize(
    "origin", ["http://evil.example:80", "http://localhost", "http://localhost:1 *", "*", "null"]
)
def test_only_servers_of_this_machine_may_be_named(origin):
    with pytest.raises(InputError, match="may not show it in a frame"):
        check_framing([origin], signs_in=False)


def test_where_people_sign_in_nobody_may_frame_it():
    with pytest.raises(InputError, match="leave --access out"):
        check_framing(["http://localhost:8888"], signs_in=True)
