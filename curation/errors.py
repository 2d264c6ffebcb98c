"""The errors a person may meet, each with what is wrong and what to do about it.

    CurationError            anything a person can mend; pages show problem, then remedy
    ├── InputError           arrays or files that cannot be analysed as they are
    └── StoreError           decisions that cannot be read or written
        ├── NotSavedError    this decision was not stored; nothing else changed
        ├── ConflictError    someone decided the example since it was shown
        └── ReadOnlyError    the store can be read but not written

Anything else that is raised is our own fault and keeps its traceback.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from curation.store.entries import Decision


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


class StoreError(CurationError):
    """The decisions cannot be read or written as they are."""


class NotSavedError(StoreError):
    """This decision was not stored; nothing else changed, and it may be tried again."""


class ReadOnlyError(StoreError):
    """The store can be read but not written."""


class ConflictError(StoreError):
    """The example was decided differently since it was shown; both answers are kept.

    `stored` is what stands, `attempted` what was refused and noted in the log, and `revision`
    the one to pass when deciding again with both in view.
    """

    def __init__(self, stored: Decision, attempted: Decision, revision: int) -> None:
        super().__init__(
            f"Example {attempted.example_id!r} changed since it was shown: {stored.curator!r} "
            f"said {stored.words}, {attempted.curator!r} says {attempted.words}.",
            "Both are on record and the first one stands. Look at it again and decide.",
        )
        self.stored = stored
        self.attempted = attempted
        self.revision = revision
