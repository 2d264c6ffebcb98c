"""The errors a person may meet, each with what is wrong and what to do about it.

    CurationError            anything a person can mend; pages show problem, then remedy
    ├── InputError           arrays or files that cannot be analysed as they are
    │   └── BlockedError     the doctor stopped the loading; carries the whole report
    └── StoreError           decisions that cannot be read or written
        ├── NotSavedError    this decision was not stored; nothing else changed
        ├── ConflictError    someone decided the example since it was shown
        └── ReadOnlyError    the store can be read but not written

Anything else that is raised is our own fault and keeps its traceback.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from curation.report import Report


class CurationError(Exception):
    """A problem in words, with a remedy; the base of every error a person can mend."""

    def __init__(self, problem: str, remedy: str) -> None:
        super().__init__(problem, remedy)
        self.problem = problem
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.problem} {self.remedy}"


class InputError(CurationError):
    """The input cannot be analysed as it is."""


class BlockedError(InputError):
    """The doctor found something a person has to mend first; `report` holds all it found."""

    def __init__(self, problem: str, remedy: str, report: Report) -> None:
        super().__init__(problem, remedy)
        self.args = (problem, remedy, report)
        self.report = report
