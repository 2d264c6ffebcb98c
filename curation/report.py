"""What the doctor found: one report, the same in the command, on the pages and in the exports."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from curation.diagnosis_codes import CODES
from curation.diagnosis_codes import Severity as Severity

FIRST_ROWS = 5  # how many places a diagnosis names; enough to go and look, few enough to read


@dataclass(frozen=True, kw_only=True)
class Diagnosis:
    """One thing the doctor found: what, where, how many, why it matters, and one fix.

    `code` is a stable short name for programs ("probs.logits"), one of `diagnosis_codes.CODES`.
    `why` is one plain sentence, and `fix` one thing to do; for an AUTO, what to do if that is not
    what was meant. Both are required. `override`, if there is one, is the option to pass to
    `load` (or to write in curation.toml) to apply the fix; it is never applied unless asked for.
    """

    severity: Severity
    code: str
    where: str
    what: str
    why: str
    fix: str
    count: int = 1
    first_rows: tuple[str, ...] = ()
    override: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("code", "what", "why", "fix"):  # `where` may be any file name
            if not getattr(self, name).strip():
                raise ValueError(f"diagnosis {self.code!r} does not say its {name!r}")
        if self.code not in CODES:
            raise ValueError(f"diagnosis {self.code!r} is not in the list of codes")
        if self.severity not in CODES[self.code].severities:
            raise ValueError(f"diagnosis {self.code!r} is never of severity {self.severity}")


def sort_worst_first(diagnoses: Iterable[Diagnosis]) -> list[Diagnosis]:
    """Return diagnoses by severity, worst first; those of one severity keep their order."""
    return sorted(diagnoses, key=lambda each: list(Severity).index(each.severity))


@dataclass(frozen=True)
class Report:
    """Everything the doctor found in one dataset, worst first, and which checks it passed."""

    diagnoses: tuple[Diagnosis, ...] = ()
    passed: tuple[str, ...] = ()

    @property
    def blocked(self) -> bool:
        """Return whether something must be fixed before the dataset can be loaded."""
        return any(each.severity is Severity.BLOCK for each in self.diagnoses)

    def of(self, severity: Severity) -> tuple[Diagnosis, ...]:
        """Return the diagnoses of one severity."""
        return tuple(each for each in self.diagnoses if each.severity is severity)

    @property
    def names_rows(self) -> bool:
        """Return whether rows are named by number, so that readers need to know how they count."""
        return any(place.startswith("row ") for each in self.diagnoses for place in each.first_rows)

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain values, ready for JSON."""
        return {
            "blocked": self.blocked,
            "diagnoses": [asdict(each) for each in self.diagnoses],
            "passed": list(self.passed),
        }
