"""The errors that users see, each with what is wrong and what to do about it.

    CurationError            anything a person can fix; pages show problem, then remedy
    ├── InputError           arrays or files that cannot be analysed as they are
    │   ├── BlockedError     the doctor stopped the loading; carries the whole report
    │   ├── StorageError     object storage that cannot be read
    │   │   └── NoAnswerError  a storage that does not answer, or not in time
    │   └── FileChangedError a file of a loaded dataset is no longer what was loaded
    ├── ContentError         one example cannot be shown; it can still be decided
    └── StoreError           decisions that cannot be read or written
        ├── NotSavedError    this decision was not stored; nothing else changed
        ├── ConflictError    someone decided the example since it was shown (see store.entries)
        ├── NotAllowedError  this person may not do this (see roles)
        └── ReadOnlyError    the store can be read but not written

Anything else that is raised is a bug in this package and keeps its traceback.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from curation.report import Report


class CurationError(Exception):
    """A problem and its remedy, in words; the base of every error that a person can fix."""

    problem: str  # what is wrong and where, with the value found
    remedy: str  # what to do about it

    def __init__(self, problem: str, remedy: str) -> None:
        super().__init__(problem, remedy)
        self.problem = problem
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.problem} {self.remedy}"


class InputError(CurationError):
    """The input cannot be analysed as it is."""


class BlockedError(InputError):
    """The doctor found something that a person must fix first; `report` has everything found."""

    def __init__(self, problem: str, remedy: str, report: Report) -> None:
        super().__init__(problem, remedy)
        self.args = (problem, remedy, report)
        self.report = report

    @property
    def found(self) -> str:
        """Return which files were seen, as a sentence; "" if there are none."""
        return f"Found: {', '.join(self.report.seen)}." if self.report.seen else ""

    def __str__(self) -> str:
        return f"{super().__str__()} {self.found}".rstrip()


class StorageError(InputError):
    """Object storage cannot be read: the address, the rights or the cache are wrong.

    What a library says is never part of it: that may hold credentials.
    """


class NoAnswerError(StorageError):
    """A storage does not answer, or not in time; it may be tried again."""


class FileChangedError(InputError):
    """A file of a loaded dataset was changed, replaced or removed; `name` is the file."""

    def __init__(self, name: str, how: str) -> None:
        super().__init__(
            f"{name} {how} after it was loaded.",
            "Load the dataset again, once the file is completely written.",
        )
        self.args = (name, how)
        self.name = name


Fault = Literal[
    "missing",
    "empty",
    "corrupt",
    "not allowed",
    "too large",
    "outside",
    "unreadable",
    "waiting",
    "none",
]


class ContentError(CurationError):
    """One example's picture or text cannot be shown; the example can still be decided.

    `reason` is short enough to be shown instead of the picture. `fault` is the kind of reason, for
    counting. `name` is the file or row, if known.
    """

    def __init__(self, reason: str, remedy: str, fault: Fault = "corrupt", name: str = "") -> None:
        super().__init__(f"{name}: {reason}." if name else f"{reason}.", remedy)
        self.reason = reason
        self.fault = fault
        self.name = name

    def named(self, name: str) -> ContentError:
        """Return the same error for a named file or row."""
        return ContentError(self.reason, self.remedy, self.fault, name)


class StoreError(CurationError):
    """The decisions cannot be read or written as they are."""


class NotSavedError(StoreError):
    """This decision was not stored. Nothing else changed, and it can be tried again."""


class NotAllowedError(StoreError):
    """This person may not do this. Nothing changed."""


class ReadOnlyError(StoreError):
    """The store can be read but not written."""
