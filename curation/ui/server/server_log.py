"""The server's log: with the time, and without secrets, whoever writes to it.

A traceback can hold the address of a database with its password, or a link with its token. Every
record of this process passes `redact`, also those of Streamlit and of libraries.
"""

from __future__ import annotations

import logging
import re
import traceback
from collections.abc import Iterable
from typing import Any

HIDDEN = "[hidden]"
FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"

# ://user:password@host, and name=value or "name": "value" for names that hold secrets
_PASSWORD = re.compile(r"(://[^\s:/@'\"]*:)[^\s@/'\"]+(?=@)")
_NAMED = re.compile(
    r"(?i)(\b[\w.-]*(?:token|secret|password|passwd|signature|credential|api[_-]?key|cookie|sig|"
    r"authorization)['\"]?\s*[=:]\s*['\"]?(?:bearer\s+|basic\s+)?)([^\s'\"&;,)\]}]+)"
)
_secrets: set[str] = set()  # exact texts of this server


def set_up_log(secrets: Iterable[str] = ()) -> None:
    """Write the records of this package to standard error, and hide secrets in all records."""
    _secrets.update(each for each in secrets if each)
    logging.setLogRecordFactory(_make_record)
    log = logging.getLogger("curation")
    if not log.handlers:
        handler = logging.StreamHandler()
        handler.setFormatter(logging.Formatter(FORMAT))
        log.addHandler(handler)


def redact(text: str) -> str:
    """Return a text without passwords, tokens and other secrets.

    >>> redact("postgresql://ana:pa55@host/base and http://localhost/?token=abc&data=x")
    'postgresql://ana:[hidden]@host/base and http://localhost/?token=[hidden]&data=x'
    """
    for secret in _secrets:
        text = text.replace(secret, HIDDEN)
    return _NAMED.sub(rf"\1{HIDDEN}", _PASSWORD.sub(rf"\1{HIDDEN}", text))


class _Record(logging.LogRecord):
    """A record that never shows a secret, in its message or its traceback."""

    def getMessage(self) -> str:
        return redact(super().getMessage())


def _make_record(*given: Any, **more: Any) -> logging.LogRecord:
    record = _Record(*given, **more)
    if record.exc_info and record.exc_info[0] is not None:
        lines = traceback.format_exception(*record.exc_info)
        record.exc_text = redact("".join(lines).rstrip("\n"))
    return record
