"""Finished runs on disk, so that a result is there at once, and a killed one continues."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any
from zipfile import BadZipFile
from zlib import error

import numpy as np

from curation.modelling.benefit_trial import Trial
from curation.paths import cache_folder
from curation.whole_files import write_whole

ABOUT = "about"  # what all runs share


class TrialCache:
    """The finished runs of one experiment; `key` names the data, the decisions and the settings."""

    def __init__(self, key: str) -> None:
        self.folder = cache_folder() / "benefit" / key

    def read_trial(self, seed: int) -> Trial | None:
        """Return the run of a seed; None if it is not finished."""
        found = self.read(f"run-{seed}")
        try:
            trial = Trial(**found | {"trained": int(found["trained"])})
        except (TypeError, KeyError):
            return None
        return trial if trial.correct.shape == (len(trial.changed), len(trial.rows)) else None

    def save_trial(self, seed: int, trial: Trial) -> None:
        """Save a finished run."""
        self.save(f"run-{seed}", vars(trial))

    def read(self, name: str) -> dict[str, Any]:
        """Return the arrays saved under a name; nothing if there are none that can be read."""
        try:
            with self._path(name).open("rb") as file, np.load(file, allow_pickle=False) as found:
                return dict(found)
        except (OSError, ValueError, EOFError, BadZipFile, error):
            return {}  # a file cut short is made again

    def save(self, name: str, arrays: Mapping[str, Any]) -> None:
        """Save arrays under a name; if there is no room, go on without."""
        with suppress(OSError), write_whole(self._path(name)) as file:
            np.savez_compressed(file, allow_pickle=False, **arrays)

    def _path(self, name: str) -> Path:
        return self.folder / f"{name}.npz"
