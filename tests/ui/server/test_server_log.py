"""What is written to the log: details, the time, and no secrets (FAULTS 63)."""

from __future__ import annotations

import io
import logging

import pytest

from curation.ui.server import script_faults, server_log


@pytest.fixture
def written(monkeypatch):
    """Return what was written to the log by any library."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(logging.Formatter(server_log.FORMAT))
    monkeypatch.setattr(server_log, "_secrets", set())
    before = logging.getLogRecordFactory()
    kept = logging.getLogger("curation").handlers[:]
    logging.getLogger().addHandler(handler)
    server_log.set_up_log(["the-launch-token"])
    yield stream.getvalue
    logging.getLogger().removeHandler(handler)
    logging.getLogger("curation").handlers[:] = kept
    logging.setLogRecordFactory(before)


@pytest.mark.parametrize(
    "text, hidden",
    [
        ("postgresql+psycopg://ana:pa55@db/x", "pa55"),
        ("postgresql://:pa55@db/x", "pa55"),
        ("https://host/a?X-Amz-Signature=abcdef&x=1", "abcdef"),
        ("https://host/a?sig=abcdef%3D", "abcdef"),
        ("connection: host=db password=pa55 dbname=x", "pa55"),
        ("{'client_secret': 'abcdef', 'x': 1}", "abcdef"),
        ("Authorization: Bearer abcdef", "abcdef"),
        ("id_token=abcdef;", "abcdef"),
    ],
)
def test_secrets_are_recognised_by_their_place(text, hidden):
    told = server_log.redact(text)
    assert hidden not in told and server_log.HIDDEN in told
    assert told.split()[0][:3] == text[:3]  # the rest stays


@pytest.mark.parametrize(
    "text", ["data/tokens.csv, row 3: no label", "http://localhost:8501/Review", "a: b@c"]
)
def test_other_text_stays_as_it_is(text):
    assert server_log.redact(text) == text


@pytest.mark.fault(63, "HOLDS")
def test_messages_of_any_library_are_cleaned(written):
    logging.getLogger("some.library").error("cannot open %s", "http://x/?token=the-launch-token")
    assert "cannot open http://x/?token=[hidden]" in written()


@pytest.mark.fault(63, "HOLDS")
def test_tracebacks_are_cleaned_and_found_by_their_number(written):
    try:
        raise ValueError("the-launch-token and postgresql://ana:pa55@db/x")
    except ValueError as error:
        number = script_faults.log_fault("something failed", error)
    assert f"something failed ({number})" in written()
    assert "ValueError: [hidden] and postgresql://ana:[hidden]@db/x" in written()
    assert "pa55" not in written() and "the-launch-token" not in written()
    assert written()[:4].isdigit()  # the year
