"""What the doctor found: the same report for the command line, the pages and the exports."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from curation.diagnosis_codes import CODES
from curation.diagnosis_codes import Severity as Severity

FIRST_ROWS = 5  # how many rows a diagnosis names
MADE_PROBS = "probs.made"
NOTES = (MADE_PROBS,)  # codes that report no fix


@dataclass(frozen=True, kw_only=True)
class Diagnosis:
    """One thing the doctor found: what, where, how many, why it matters, and one fix.

    An `override` is never applied unless you pass it to `load` or write it into curation.toml.
    Where several answers are possible, `choices` has the override of each. docs/doctor.md lists
    every code.
    """

    severity: Severity  # BLOCK, WARN or AUTO: how much it matters
    code: str  # a stable short name for programs, such as "probs.logits"
    where: str  # the file, and the row or column if it is only one
    what: str  # what is wrong, with the value found
    why: str  # why it matters, in one sentence
    fix: str  # one thing to do; for an AUTO, what to do if the automatic choice is wrong
    count: int = 1  # how many rows, classes or files are affected
    first_rows: tuple[str, ...] = ()  # the first few of them, by id or row number
    override: Mapping[str, Any] = field(default_factory=dict)  # option of `load` that fixes it
    choices: tuple[Mapping[str, Any], ...] = ()  # if several could: each of them, `override` first

    def __post_init__(self) -> None:
        for name in ("code", "what", "why", "fix"):  # `where` may be any file name
            if not getattr(self, name).strip():
                raise ValueError(f"diagnosis {self.code!r} has no {name!r}")
        if self.code not in CODES:
            raise ValueError(
                f"diagnosis {self.code!r} is not in the list of codes: add it to CODES in "
                "curation/diagnosis_codes.py"
            )
        if self.severity not in CODES[self.code].severities:
            raise ValueError(
                f"diagnosis {self.code!r} is never of severity {self.severity}: add that in "
                "curation/diagnosis_codes.py"
            )

    @property
    def offers(self) -> tuple[Mapping[str, Any], ...]:
        """Return every override that answers it, the likeliest first."""
        return self.choices or ((self.override,) if self.override else ())


def sort_worst_first(diagnoses: Iterable[Diagnosis]) -> list[Diagnosis]:
    """Return diagnoses by severity, worst first, otherwise in the same order."""
    return sorted(diagnoses, key=lambda each: list(Severity).index(each.severity))


@dataclass(frozen=True)
class Report:
    """Everything the doctor found in one dataset, worst first, and which checks it passed."""

    diagnoses: tuple[Diagnosis, ...] = ()  # what was found, worst first
    passed: tuple[str, ...] = ()  # the checks that found nothing, one sentence each
    seen: tuple[str, ...] = ()  # if blocked: the files found, such as "b.npy (1797 x 64)"

    @property
    def blocked(self) -> bool:
        """Return whether something must be fixed before the dataset can be loaded."""
        return any(each.severity is Severity.BLOCK for each in self.diagnoses)

    def of(self, severity: Severity) -> tuple[Diagnosis, ...]:
        """Return the diagnoses of one severity."""
        return tuple(each for each in self.diagnoses if each.severity is severity)

    @property
    def fixes(self) -> tuple[Diagnosis, ...]:
        """Return the harmless fixes that were made."""
        return tuple(each for each in self.of(Severity.AUTO) if each.code not in NOTES)

    @property
    def notes(self) -> tuple[Diagnosis, ...]:
        """Return what is only good to know: nothing was wrong, and nothing was changed."""
        return tuple(each for each in self.of(Severity.AUTO) if each.code in NOTES)

    @property
    def names_rows(self) -> bool:
        """Return whether rows are named by number, which needs a note on how rows are counted."""
        return any(place.startswith("row ") for each in self.diagnoses for place in each.first_rows)

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain values, ready for JSON."""
        return {
            "blocked": self.blocked,
            "diagnoses": [asdict(each) for each in self.diagnoses],
            "passed": list(self.passed),
            "found": list(self.seen),
        }


class Checks:
    """What the doctor found so far, and the checks that take long and are still to be made.

    The long ones are made once, by whoever asks for the complete report first; others wait.
    """

    def __init__(self, early: Report, complete: Callable[[], Report] | None = None) -> None:
        """Begin with an early report; `complete` makes the remaining checks."""
        self._report = early
        self._complete = complete
        self._lock = threading.Lock()

    @property
    def done(self) -> bool:
        """Return whether every check was made."""
        return self._complete is None

    @property
    def latest(self) -> Report:
        """Return what was found so far; never waits."""
        return self._report

    def extend(self, add: Callable[[Report], Report]) -> Checks:
        """Return these checks with something added to the early and to the complete report."""
        if self.done:
            return Checks(add(self.latest))
        return Checks(add(self.latest), lambda: add(self.finish()))

    def finish(self) -> Report:
        """Return the complete report, after the remaining checks."""
        with self._lock:
            if self._complete is not None:
                self._report = self._complete()
                self._complete = None
            return self._report
