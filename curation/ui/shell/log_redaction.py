"""Keeps passwords, tokens and signatures out of the server's log, whoever writes to it."""

from __future__ import annotations

import logging
import re
from typing import Any

HIDDEN = "***"
SECRETS = (
    # the password in an address, as in postgresql://ana:password@host
    re.compile(r"(://[^\s:/@]*:)[^\s@]+(?=@)"),
    # a value that is called a secret, as in ?token=… or password: …
    re.compile(
        r"((?:password|passwd|pwd|token|secret|signature|\bsig|credential)[\"']?\s*[=:]\s*[\"']?)"
        r"[^\s&\"',;)]+",
        re.IGNORECASE,
    ),
)


def hide_secrets(text: str) -> str:
    """Return a text with everything that looks like a secret hidden.

    >>> hide_secrets("no answer from postgresql://ana:pony@host/db?token=abc&x=1")
    'no answer from postgresql://ana:***@host/db?token=***&x=1'
    """
    for pattern in SECRETS:
        text = pattern.sub(rf"\g<1>{HIDDEN}", text)
    return text


class RedactedRecord(logging.LogRecord):
    """An entry of the log, in whose message, values and traceback secrets are hidden."""

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self.msg = _redact(self.msg)
        if isinstance(self.args, tuple):
            self.args = tuple(map(_redact, self.args))
        if self.exc_info and self.exc_info[0] is not None:
            traceback = logging.Formatter().formatException(self.exc_info)
            self.exc_text = hide_secrets(traceback)  # formatters use it as it is


def redact_logs() -> None:
    """Hide secrets in all entries from now on."""
    logging.setLogRecordFactory(RedactedRecord)


def _redact(value: Any) -> Any:
    return hide_secrets(str(value)) if isinstance(value, str | BaseException) else value
