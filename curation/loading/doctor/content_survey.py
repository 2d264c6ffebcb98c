"""Counts the examples whose content cannot be shown, by kind of fault, and names the first few."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from curation.dataset import Content, Kind
from curation.errors import ContentError, Fault
from curation.report import FIRST_ROWS, Diagnosis, Severity

THREADS = 4  # most of the time is spent waiting for the disk
BATCH_ROWS = 256

FAULT_WORDS: dict[Fault, str] = {
    "missing": "missing",
    "empty": "empty",
    "corrupt": "damaged or not pictures",
    "not allowed": "in a format that is not opened",
    "too large": "too large to open safely",
    "outside": "outside the dataset's folder",
    "unreadable": "not readable",
}
FAULT_FIXES: dict[Fault, str] = {
    "missing": "Put the files there, or correct their names in the table.",
    "empty": "Fetch or fill them in again.",
    "corrupt": "Fetch them again from their source.",
    "not allowed": "Save them as JPEG or PNG.",
    "too large": "Save smaller copies.",
    "outside": "Copy them into the dataset's folder and name them relative to it, or name their "
    "folder yourself: --image-root on the command line, or image_root in curation.toml.",
    "unreadable": "Check the permissions of the files.",
}


@dataclass(frozen=True)
class Trouble:
    """One kind of fault: how many examples have it, and the first few with their reasons."""

    fault: Fault
    count: int
    first: tuple[tuple[int, ContentError], ...]


@dataclass(frozen=True)
class ContentSurvey:
    """The faults found in the content of the checked examples, most frequent first."""

    kind: Kind
    looked_at: int
    total: int
    troubles: tuple[Trouble, ...]

    @property
    def count(self) -> int:
        return sum(each.count for each in self.troubles)


def survey_content(
    content: Content, rows: NDArray[np.int64] | None = None, *, deep: bool = False
) -> ContentSurvey:
    """Return what content cannot be shown, among all rows or the given ones.

    By default only a picture's header and end are read, about 0.2 ms each. `deep` decodes it.
    """
    chosen = np.arange(len(content)) if rows is None else np.asarray(rows)
    batches = [chosen[start : start + BATCH_ROWS] for start in range(0, len(chosen), BATCH_ROWS)]

    def look(batch: NDArray[np.int64]) -> list[tuple[int, ContentError]]:
        return [(row, error) for row in batch.tolist() if (error := _error(content, row, deep))]

    with ThreadPoolExecutor(THREADS) as pool:
        found = list(chain.from_iterable(pool.map(look, batches)))
    return ContentSurvey(content.kind, len(chosen), len(content), _group(found))


def diagnose_content(
    survey: ContentSurvey, ids: Sequence[object] | NDArray[np.object_]
) -> list[Diagnosis]:
    """Return a warning for each kind of fault that the survey found."""
    return [_diagnose(trouble, survey, ids) for trouble in survey.troubles]


def _error(content: Content, row: int, deep: bool) -> ContentError | None:
    try:
        content.check(row, deep=deep)
    except ContentError as error:
        return error
    return None


def _group(found: Iterable[tuple[int, ContentError]]) -> tuple[Trouble, ...]:
    places: dict[Fault, list[tuple[int, ContentError]]] = {}
    counts: Counter[Fault] = Counter()
    for row, error in found:
        counts[error.fault] += 1
        kept = places.setdefault(error.fault, [])
        if len(kept) < FIRST_ROWS:
            kept.append((row, error))
    return tuple(Trouble(fault, n, tuple(places[fault])) for fault, n in counts.most_common())


def _diagnose(
    trouble: Trouble, survey: ContentSurvey, ids: Sequence[object] | NDArray[np.object_]
) -> Diagnosis:
    things = "texts" if survey.kind == "text" else "pictures"
    looked_at = f"{survey.looked_at:,} {things}"
    if survey.looked_at < survey.total:
        looked_at += f" checked (there are {survey.total:,})"
    count, fault = trouble.count, trouble.fault
    return Diagnosis(
        severity=Severity.WARN,
        code=f"content.{fault.replace(' ', '_')}",
        what=f"{count:,} of {looked_at} {'is' if count == 1 else 'are'} "
        f"{FAULT_WORDS.get(fault, fault)}.",
        where="content",
        why="They can only be decided without seeing them; a placeholder shows the reason.",
        fix=_fix(trouble, survey, things),
        count=count,
        first_rows=tuple(f"{ids[row]}: {_describe(error, row)}" for row, error in trouble.first),
    )


def _describe(error: ContentError, row: int) -> str:
    named = error.name not in ("", f"row {row}")  # the id says more than the row
    return f"{error.name} ({error.reason})" if named else error.reason


def _fix(trouble: Trouble, survey: ContentSurvey, things: str) -> str:
    if trouble.fault == "missing" and trouble.count == survey.looked_at and things == "pictures":
        return (
            "None was found: check that the table names them relative to the dataset's folder, and "
            "that an archive of them is unpacked there."
        )
    return FAULT_FIXES.get(trouble.fault, "See the reasons below.")
