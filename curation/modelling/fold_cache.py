"""Finished folds on disk, so that a run that was killed continues where it was."""

from __future__ import annotations

import shutil
from contextlib import suppress
from pathlib import Path

import numpy as np

from curation.core.matrix import FloatArray
from curation.paths import cache_folder
from curation.whole_files import write_whole


class FoldCache:
    """The probabilities of finished folds of one run; `key` names the data and every setting."""

    def __init__(self, key: str) -> None:
        self.folder = cache_folder() / "folds" / key

    def read(self, name: str, shape: tuple[int, int]) -> FloatArray | None:
        """Return what was saved under a name; None if nothing usable was."""
        try:
            found = np.load(self._path(name), allow_pickle=False)
        except (OSError, ValueError, EOFError):
            return None
        return np.asarray(found) if found.shape == shape else None

    def save(self, name: str, pred_probs: FloatArray) -> None:
        """Save a finished fold; if there is no room, go on without."""
        with suppress(OSError), write_whole(self._path(name)) as file:
            np.save(file, pred_probs, allow_pickle=False)

    def clear(self) -> None:
        """Remove everything that was saved, once the result itself is."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def _path(self, name: str) -> Path:
        return self.folder / f"{name}.npy"
