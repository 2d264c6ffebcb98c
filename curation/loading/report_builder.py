"""How the loaders report what they find, and how they stop."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NotRequired, TypedDict, Unpack

from curation.errors import BlockedError
from curation.report import FIRST_ROWS, Diagnosis, Report, Severity, sort_worst_first


class Stop(Exception):
    """Nothing more can be read from this part; `load` raises a BlockedError for it."""

    def __init__(self, diagnosis: Diagnosis) -> None:
        super().__init__(diagnosis.what)
        self.diagnosis = diagnosis


class DiagnosisFields(TypedDict):
    """What a loader reports about a fault; it may pass any number of `first_rows`."""

    code: str
    where: str
    what: str
    why: str
    fix: str
    count: NotRequired[int]
    first_rows: NotRequired[Iterable[object]]
    override: NotRequired[Mapping[str, Any]]
    choices: NotRequired[Iterable[Mapping[str, Any]]]  # the first is the override


def stop(**fields: Unpack[DiagnosisFields]) -> Stop:
    """Return the exception to raise if reading cannot continue."""
    return Stop(_make_diagnosis(Severity.BLOCK, fields))


def _make_diagnosis(severity: Severity, fields: DiagnosisFields) -> Diagnosis:
    choices = tuple(fields.get("choices", ()))
    return Diagnosis(
        severity=severity,
        code=fields["code"],
        where=fields["where"],
        what=fields["what"],
        why=fields["why"],
        fix=fields["fix"],
        count=fields.get("count", 1),
        first_rows=_take_first(fields.get("first_rows", ())),
        override=fields.get("override", choices[0] if choices else {}),
        choices=choices,
    )


def _take_first(rows: Iterable[object]) -> tuple[str, ...]:
    """Return the first few rows, as text.

    >>> _take_first(range(100))
    ('0', '1', '2', '3', '4')
    """
    return tuple(str(row) for row, _ in zip(rows, range(FIRST_ROWS), strict=False))


def list_few(values: Iterable[object], *, most: int = FIRST_ROWS) -> str:
    """Return a few values in words, and how many more there are.

    >>> list_few(["a", "b", "c"], most=2)
    "'a', 'b' and 1 more"
    """
    every = list(values)
    shown = ", ".join(_shorten(each) for each in every[:most])
    return shown if len(every) <= most else f"{shown} and {len(every) - most} more"


def _shorten(value: object, longest: int = 80) -> str:
    text = repr(value)
    return text if len(text) <= longest else f"{text[:longest]}... ({len(text)} characters)"


class ReportBuilder:
    """The report under construction: what was found so far, and which checks passed."""

    def __init__(self) -> None:
        self.diagnoses: list[Diagnosis] = []
        self.passed: list[str] = []

    def add_block(self, **fields: Unpack[DiagnosisFields]) -> None:
        """Add a fault that blocks the dataset; the rest is still checked, and reported with it."""
        self.diagnoses.append(_make_diagnosis(Severity.BLOCK, fields))

    def add_warning(self, **fields: Unpack[DiagnosisFields]) -> None:
        """Add something that a person should know, but that does not stop the loading."""
        self.diagnoses.append(_make_diagnosis(Severity.WARN, fields))

    def add_auto_fix(self, **fields: Unpack[DiagnosisFields]) -> None:
        """Add a harmless fix or a choice that was made automatically."""
        self.diagnoses.append(_make_diagnosis(Severity.AUTO, fields))

    def add_passed(self, check: str) -> None:
        """Add a check that found nothing."""
        self.passed.append(check)

    def add_all(self, other: ReportBuilder) -> None:
        """Add everything from another builder."""
        self.diagnoses += other.diagnoses
        self.passed += other.passed

    @contextmanager
    def catch_stops(self) -> Iterator[None]:
        """Report a Stop instead of raising it, so that other parts are still checked."""
        try:
            yield
        except Stop as stopped:
            self.diagnoses.append(stopped.diagnosis)

    def build(self) -> Report:
        """Return everything found, worst first."""
        return Report(tuple(sort_worst_first(self.diagnoses)), tuple(self.passed))

    def stop_if_blocked(self) -> None:
        """Raise a BlockedError that names the first blocking fault, if there is one."""
        report = self.build()
        if not report.blocked:
            return
        blocks = report.of(Severity.BLOCK)
        others = len(blocks) - 1
        more = f" ({others} more {'fault' if others == 1 else 'faults'}: see the report.)"
        worst = blocks[0]
        raise BlockedError(f"{worst.where}: {worst.what}", worst.fix + more * bool(others), report)
