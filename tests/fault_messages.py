"""Checks that a test of a numbered fault really meets the message that its marker promises."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import pytest

from curation.errors import ContentError, CurationError
from curation.report import Diagnosis
from devtools.fault_cases import OUTCOMES


class Message(NamedTuple):
    outcome: str
    text: str


class Messages:
    """What a person would have read during a test.

    Errors and diagnoses of this process are noted by themselves; what another process or a page
    says, a test adds.
    """

    def __init__(self) -> None:
        self.seen: list[Message] = []

    def add(self, outcome: str, text: str) -> None:
        self.seen.append(Message(outcome, " ".join(text.split())))

    def note_errors(self, patch: pytest.MonkeyPatch) -> None:
        make_error, check_diagnosis = CurationError.__init__, Diagnosis.__post_init__

        def note_error(error: CurationError, problem: str, remedy: str) -> None:
            make_error(error, problem, remedy)
            self.add("SKIP" if isinstance(error, ContentError) else "BLOCK", f"{problem} {remedy}")

        def note_diagnosis(found: Diagnosis) -> None:
            check_diagnosis(found)
            self.add(found.severity, f"{found.where}: {found.what} {found.fix}")

        patch.setattr(CurationError, "__init__", note_error)
        patch.setattr(Diagnosis, "__post_init__", note_diagnosis)

    def lack(self, outcome: str, says: str) -> bool:
        """Return whether no message of this outcome says this; HOLDS may come with any.

        In a promise, … stands for what differs from run to run.
        """
        words = re.compile(".*".join(map(re.escape, says.split("…"))), re.DOTALL)
        kinds = (outcome,) if outcome != "HOLDS" else tuple(OUTCOMES)
        return not any(words.search(text) for kind, text in self.seen if kind in kinds)


def promised(item: Any) -> list[Message]:
    """Return the messages that the markers of a test promise."""
    marks = item.iter_markers("fault")
    return [Message(mark.args[1], mark.kwargs["says"]) for mark in marks if mark.kwargs]
