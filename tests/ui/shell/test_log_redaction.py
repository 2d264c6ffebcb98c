"""What goes into the server's log when something fails, and what never does."""

from __future__ import annotations

import io
import logging

import pytest

from curation.ui.shell.log_redaction import redact_logs

ADDRESS = "postgresql://ana:pony-7@host/decisions"
LINK = "https://bucket.example/cat.jpg?X-Amz-Credential=AKIA7&X-Amz-Signature=f00d7&size=3"


@pytest.fixture
def log(monkeypatch):
    """A logger whose entries are written as the server writes them."""
    before = logging.getLogRecordFactory()
    redact_logs()
    output = io.StringIO()
    logger = logging.Logger("test")
    logger.addHandler(logging.StreamHandler(output))
    logger.output = output
    yield logger
    logging.setLogRecordFactory(before)


@pytest.mark.fault(63, "HOLDS")
def test_an_error_is_logged_with_its_traceback_and_without_secrets(log):
    try:
        raise RuntimeError(f"no answer from {ADDRESS} for {LINK}") from ValueError("token=abc7")
    except RuntimeError as error:
        log.error("failed (%s): %s", "number 17", error, exc_info=error)
    log.warning(f"{{'password': 'pony-7', 'size': 3}} {ADDRESS}")
    written = log.output.getvalue()
    assert not any(secret in written for secret in ("pony-7", "AKIA7", "f00d7", "abc7"))
    assert "number 17" in written and "ValueError: token=***" in written
    assert "postgresql://ana:***@host/decisions" in written and "&size=3" in written
    assert "test_an_error_is_logged" in written and "'size': 3" in written


def test_values_that_a_formatter_needs_stay_what_they_are(log):
    """Web servers log an answer's status as a number."""
    log.handlers[0].setFormatter(logging.Formatter("%(args)r"))
    log.info("%s %d", "GET /?token=abc", 200)
    log.setLevel(logging.INFO)
    log.info("%s %d", "GET /?token=abc", 200)
    assert log.output.getvalue() == "('GET /?token=***', 200)\n" * 2
