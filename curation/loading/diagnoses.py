"""Where the loaders write down what they found, and how they stop."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NotRequired, TypedDict, Unpack

from curation.errors import BlockedError
from curation.report import FIRST_ROWS, Diagnosis, Report, Severity

_WORST_FIRST = (Severity.BLOCK, Severity.WARN, Severity.AUTO)


class Stop(Exception):
    """Nothing more can be read from this part; `load` turns it into a BlockedError."""

    def __init__(self, diagnosis: Diagnosis) -> None:
        super().__init__(diagnosis.what)
        self.diagnosis = diagnosis


class DiagnosisFields(TypedDict):
    """What a loader says of a fault; of `first_rows` any number may be passed."""

    code: str
    where: str
    what: str
    why: str
    fix: str
    count: NotRequired[int]
    first_rows: NotRequired[Iterable[object]]
    override: NotRequired[Mapping[str, Any]]


def diagnose(severity: Severity, fields: DiagnosisFields) -> Diagnosis:
    """Return a diagnosis that names the first few rows."""
    return Diagnosis(
        severity=severity,
        code=fields["code"],
        where=fields["where"],
        what=fields["what"],
        why=fields["why"],
        fix=fields["fix"],
        count=fields.get("count", 1),
        first_rows=first(fields.get("first_rows", ())),
        override=fields.get("override", {}),
    )


def stop(**fields: Unpack[DiagnosisFields]) -> Stop:
    """Return the exception to raise where reading cannot go on."""
    return Stop(diagnose(Severity.BLOCK, fields))


def first(rows: Iterable[object]) -> tuple[str, ...]:
    """Return the first few places, as text.

    >>> first(range(100))
    ('0', '1', '2', '3', '4')
    """
    return tuple(str(row) for row, _ in zip(rows, range(FIRST_ROWS), strict=False))


def listing(values: Iterable[object], *, most: int = FIRST_ROWS) -> str:
    """Return a few values in words, saying how many more there are.

    >>> listing(["a", "b", "c"], most=2)
    "'a', 'b' and 1 more"
    """
    every = list(values)
    shown = ", ".join(_short(each) for each in every[:most])
    return shown if len(every) <= most else f"{shown} and {len(every) - most} more"


def _short(value: object, longest: int = 80) -> str:
    text = repr(value)
    return text if len(text) <= longest else f"{text[:longest]}... ({len(text)} characters)"


class Notes:
    """What was found so far: diagnoses of any severity, and the checks that passed."""

    def __init__(self) -> None:
        self.diagnoses: list[Diagnosis] = []
        self.passed: list[str] = []

    def block(self, **fields: Unpack[DiagnosisFields]) -> None:
        """Write down a fault that stops the loading in the end, not the looking now."""
        self.diagnoses.append(diagnose(Severity.BLOCK, fields))

    def warn(self, **fields: Unpack[DiagnosisFields]) -> None:
        self.diagnoses.append(diagnose(Severity.WARN, fields))

    def auto(self, **fields: Unpack[DiagnosisFields]) -> None:
        self.diagnoses.append(diagnose(Severity.AUTO, fields))

    def ok(self, check: str) -> None:
        """Write down a check that found nothing."""
        self.passed.append(check)

    def extend(self, others: Notes) -> None:
        """Take over what was written down elsewhere."""
        self.diagnoses += others.diagnoses
        self.passed += others.passed

    @contextmanager
    def gathering(self) -> Iterator[None]:
        """Write down a Stop instead of passing it on, so that other parts are looked at too."""
        try:
            yield
        except Stop as stopped:
            self.diagnoses.append(stopped.diagnosis)

    def report(self) -> Report:
        """Return everything found, worst first."""
        ordered = sorted(self.diagnoses, key=lambda each: _WORST_FIRST.index(each.severity))
        return Report(tuple(ordered), tuple(self.passed))

    def stop_if_blocked(self) -> None:
        """Raise a BlockedError naming the first fault if there is any."""
        report = self.report()
        if not report.blocked:
            return
        blocks = report.of(Severity.BLOCK)
        others = len(blocks) - 1
        more = f" ({others} more {'fault' if others == 1 else 'faults'}: see the report.)"
        worst = blocks[0]
        raise BlockedError(f"{worst.where}: {worst.what}", worst.fix + more * bool(others), report)
