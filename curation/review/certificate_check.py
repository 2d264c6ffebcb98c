"""Checks whether a certificate is true: makes it again from the dataset and the log."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curation.analysis.findings import Findings
from curation.dataset import Dataset
from curation.errors import InputError
from curation.review.audits import find_audits
from curation.review.certificate import VERSION, certify, hash_log
from curation.store.entries import Entry

TOLERANCE = 1e-4  # of figures, relative: sums may differ in the last digits between machines
NEEDED = ("certificate_version", "sentence", "confidence", "dataset", "audit", "figures", "log")


@dataclass(frozen=True)
class Verification:
    """The result of making a certificate again."""

    sentence: str
    problems: tuple[str, ...]  # none if it is true
    added: int  # later entries of the log, which do not count

    @property
    def is_true(self) -> bool:
        return not self.problems


def read_certificate(path: Path) -> dict[str, Any]:
    """Return the content of a certificate.json; refuse a file that is not one."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is not JSON"
        raise InputError(
            f"{path.name} cannot be read: {reason}.", "Pass an unchanged certificate.json."
        ) from error
    missing = [key for key in NEEDED if key not in content] if isinstance(content, dict) else NEEDED
    if missing or not isinstance(content.get("audit"), dict):
        raise InputError(
            f"{path.name} certifies nothing: it has no {missing[0] if missing else 'audit'}.",
            "Pass the certificate.json of an audit.",
        )
    if content["certificate_version"] != VERSION:
        raise InputError(
            f"{path.name} has layout {content['certificate_version']!r}, this version knows "
            f"{VERSION}.",
            "Check it with the version that made it.",
        )
    return dict(content)


def verify(
    certificate: Mapping[str, Any], dataset: Dataset, findings: Findings, log: Sequence[Entry]
) -> Verification:
    """Return whether a certificate follows from a dataset and a log, and if not, why."""
    last = int(certificate["log"]["last"])
    then = [entry for entry in log if entry.seq <= last]
    problems = [*_compare_data(certificate, dataset), *_compare_log(certificate, then)]
    problems += _compare_audit(certificate, then)
    again = certify(dataset, findings, then, confidence=float(certificate["confidence"]))
    if again.judged is None:
        problems.append(f"It cannot be made again: {again.sentence}")
    else:
        problems += _compare_figures(certificate, again.content)
        problems += _compare_rest(certificate, again.content, bool(problems))
    return Verification(str(certificate["sentence"]), tuple(problems), len(log) - len(then))


def _compare_data(certificate: Mapping[str, Any], dataset: Dataset) -> list[str]:
    if certificate["dataset"].get("fingerprint") == dataset.fingerprint:
        return []
    then, now = dict(certificate["dataset"].get("parts", {})), dataset.fingerprint_parts
    changed = sorted(name for name in {*then, *now} if then.get(name) != now.get(name))
    what = " and the ".join(changed) or "fingerprint"
    return [f"The data was changed: the {what} of this dataset are not the certificate's."]


def _compare_log(certificate: Mapping[str, Any], log: Sequence[Entry]) -> list[str]:
    said = certificate["log"]
    if len(log) != said["entries"]:
        return [
            f"The log was changed: it has {len(log):,} entries up to number {said['last']:,}, "
            f"the certificate counts {said['entries']:,}."
        ]
    if hash_log(log) != said["sha256"]:
        return [
            f"The log was changed: its first {len(log):,} entries are not those that the "
            "certificate was made from."
        ]
    return []


def _compare_audit(certificate: Mapping[str, Any], log: Sequence[Entry]) -> list[str]:
    said, audits = certificate["audit"], find_audits(log)
    if not audits:
        return ["The log holds no audit."]
    stored = audits[-1].stored
    return [
        f"The {name} was changed: the certificate says {said.get(name)!r}, the log "
        f"{stored[name]!r}."
        for name in ("seed", "size", "rule", "method", "threshold", "collisions")
        if said.get(name) != stored[name]
    ]


def _compare_figures(said: Mapping[str, Any], made: Mapping[str, Any]) -> list[str]:
    problems = []
    for name, interval in made["figures"].items():
        for end, value in interval.items():
            claimed = said["figures"].get(name, {}).get(end)
            if not _is_close(claimed, value):
                problems.append(
                    f"The figures were changed: {name.replace('_', ' ')}, {end}: the certificate "
                    f"says {claimed!r}, the log gives {value!r}."
                )
    return problems


def _is_close(claimed: Any, value: float) -> bool:
    is_number = isinstance(claimed, int | float) and not isinstance(claimed, bool)
    return is_number and math.isclose(claimed, value, rel_tol=TOLERANCE, abs_tol=1e-9)


def _compare_rest(
    said: Mapping[str, Any], made: Mapping[str, Any], is_explained: bool
) -> list[str]:
    """Compare everything else exactly; consequences of a change above are not repeated."""
    if is_explained:
        return []
    rest = [key for key in {*said, *made} if key not in ("dataset", "figures", "log")]
    return [
        f"The certificate was changed: its {key.replace('_', ' ')} is not what the log gives."
        for key in sorted(rest)
        if said.get(key) != made.get(key)
    ]
