"""What the check of a matrix found, saved, so that unchanged files are not read through again.

A file counts as unchanged if its name, inode, size, and both of its times are the same. The system
sets the second time, ctime, at every change, and no program can set it back; so a file that was
changed in place is noticed even if its size and its modification time were kept.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from curation.core.matrix import FloatArray, IntArray
from curation.fingerprint import hash_bytes
from curation.loading import doctor
from curation.loading.formats.disk_array import DiskArray
from curation.loading.join.joined_matrix import MatrixPlan
from curation.loading.labels.label_classes import Labels
from curation.loading.labels.labelled_examples import Examples
from curation.report import Diagnosis, Severity
from curation.saved_results import SavedResults, is_warm, make_key

VERSION = 1  # change it whenever the same checks lead to something else
KIND = "checks"
SAVED_FROM = 32 * 2**20  # bytes; less is read faster than a person notices
MAX_ROWS = 100_000  # that were dropped or rescaled; more is not worth saving


@dataclass(frozen=True)
class Checked:
    """What reading the whole matrix led to: rows left out, rows to rescale, and what was found."""

    dropped: IntArray
    scaled: tuple[IntArray, FloatArray] | None
    found: Sequence[Diagnosis]


class CheckMemory:
    """Recalls the check of one matrix with its labels, and saves it once it is made."""

    def __init__(
        self,
        root: Path,
        plan: MatrixPlan,
        keep: IntArray,
        labels: Labels,
        examples: Examples,
        *facts: Any,
    ) -> None:
        self._root, self._plan = root, plan
        self._stats = _read_stats(plan)
        self._key = ""  # nothing is saved
        if self._stats:
            arrays = (labels.codes, keep, plan.rows, plan.columns)
            self._key = make_key(
                VERSION,
                _hash_checks(),
                [_identify(root, *each) for each in self._stats],
                *(b"" if each is None else np.ascontiguousarray(each).data for each in arrays),
                json.dumps([labels.classes.names, labels.classes.ids, plan.convert]),
                _join(examples),
                [examples.cells.where, examples.source.id_column, *facts],
            )

    def recall(self) -> Checked | None:
        """Return what was saved; None if a file changed or nothing usable was saved."""
        if not self._key:
            return None
        results = SavedResults(self._root, KIND)
        saved = results.read(self._key)
        if saved is None:
            return None
        try:
            return _unpack(saved)
        except (KeyError, TypeError, ValueError) as error:
            results.distrust(self._key, str(error))
            return None

    def save(self, checked: Checked) -> None:
        """Save a check, unless a file changed meanwhile, or so lately that it may change again."""
        scaled = 0 if checked.scaled is None else len(checked.scaled[0])
        if not self._key or len(checked.dropped) + scaled > MAX_ROWS:
            return
        now = _read_stats(self._plan)
        same = [_identify(self._root, *each) for each in now] == [
            _identify(self._root, *each) for each in self._stats
        ]
        if same and not is_warm(found for _, found in now):
            SavedResults(self._root, KIND).save(self._key, _pack(checked))


@cache
def _hash_checks() -> str:
    """Return a hash of the doctor's source: a new check is made on files that were checked."""
    folder = Path(doctor.__file__).parent
    return hash_bytes(path.read_bytes() for path in sorted(folder.glob("*.py")))


def _read_stats(plan: MatrixPlan) -> list[tuple[Path, os.stat_result]]:
    """Return the state of each file of the matrix; nothing if it is small or in memory."""
    arrays = [each for each in plan.arrays if isinstance(each, DiskArray)]
    if len(arrays) < len(plan.arrays) or sum(each.nbytes for each in arrays) < SAVED_FROM:
        return []
    return [(each.path, each.stat()) for each in arrays]


def _identify(root: Path, path: Path, found: os.stat_result) -> tuple[Any, ...]:
    name = os.path.relpath(os.path.realpath(path), os.path.realpath(root))
    return name, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


def _join(examples: Examples) -> str:
    """Return the ids as one text: messages name rows by them."""
    return "" if examples.ids is None else "\x1f".join(map(str, examples.ids.to_pylist()))


def _pack(checked: Checked) -> dict[str, Any]:
    about = json.dumps([asdict(each) for each in checked.found]).encode()
    packed = {"found": np.frombuffer(about, np.uint8), "dropped": checked.dropped}
    if checked.scaled is not None:
        packed |= {"scaled_rows": checked.scaled[0], "scaled_sums": checked.scaled[1]}
    return packed


def _unpack(saved: dict[str, Any]) -> Checked:
    found = [
        Diagnosis(
            **each
            | {
                "severity": Severity(each["severity"]),
                "first_rows": tuple(each["first_rows"]),
                "choices": tuple(each["choices"]),
            }
        )
        for each in json.loads(saved["found"].tobytes())
    ]
    scaled = (saved["scaled_rows"], saved["scaled_sums"]) if "scaled_rows" in saved else None
    return Checked(saved["dropped"], scaled, found)
