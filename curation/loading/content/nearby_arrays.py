"""Arrays next to the labels, such as x_test.npy: found by their names, shapes and splits."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from curation.loading.discovery.file_peeks import peek_array
from curation.loading.file_names import FileName
from curation.loading.formats.npy import Header
from curation.loading.formats.registry import is_array
from curation.loading.labels.labelled_examples import Examples


def find_nearby_array(
    root: Path,
    examples: Examples,
    is_named: Callable[[str], bool],
    fits: Callable[[Header], bool],
) -> str | None:
    """Return the only array in the folder whose name and header fit; None if there is not one.

    `is_named` is asked about the name without its split and its ending. If the labels are those of
    one split, arrays of the same split come first.
    """
    own = examples.source.path
    split = FileName.of(own.name).split if own is not None else None
    names = sorted(e.name for e in os.scandir(root) if is_array(e.name) and e.name[0] != ".")
    named = [name for name in names if is_named(FileName.of(name).stem)]
    fitting = [name for name in named if (found := peek_array(root, name)) and fits(found)]
    of_split = [name for name in fitting if split and FileName.of(name).split == split]
    chosen = of_split or fitting
    return chosen[0] if len(chosen) == 1 else None
