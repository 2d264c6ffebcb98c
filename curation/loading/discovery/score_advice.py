"""What to say about files with scores that are too few to be read as probabilities."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

from curation.loading.dataset_parts import Parts
from curation.loading.formats.registry import is_table, peek_table
from curation.loading.probs.scored_cells import CLASS_LIST_COLUMNS, SCORE_LIST_COLUMNS
from curation.loading.probs.top_scores import ALL_SCORES, find_top_scores
from curation.loading.report_builder import Stop

MAX_FOLDERS = 200  # that are looked into
MIN_TEXTS = 3  # in a folder with one for each picture
# a line such as "0.92 tabby", as Ultralytics writes for each of the five likeliest classes
_SCORED_LINE = re.compile(rb"[01]\.\d+ \S.*")


def advise_scores(parts: Parts, tables: Sequence[str]) -> str:
    """Return what to do about the scores of the likeliest classes alone; "" if there are none."""
    for name in filter(is_table, tables):
        if said := _describe_table(parts, name):
            return f"{name}: {said}. {ALL_SCORES}"
    folder = _find_scored_texts(parts.root)
    if not folder:
        return ""
    return (
        f"{folder} holds the likeliest classes of each picture, at most five, as Ultralytics' "
        'save_txt writes them. Save the scores of all classes: np.save("probs.npy", '
        "np.stack([r.probs.data.cpu().numpy() for r in model(paths)])), with the paths in the "
        "order of the labels."
    )


def _describe_table(parts: Parts, name: str) -> str:
    try:
        peek = peek_table(parts.path(name))
    except Stop:
        return ""
    columns = () if peek is None else peek.columns
    if found := find_top_scores(columns):
        return found.describe()
    lower = {column.strip().lower() for column in columns}
    listed = [each for each in (*CLASS_LIST_COLUMNS, *SCORE_LIST_COLUMNS) if each in lower]
    if len(listed) == 2 and listed[1] in SCORE_LIST_COLUMNS:
        return f"the columns {listed[0]!r} and {listed[1]!r} seem to hold the likeliest classes"
    return ""


def _find_scored_texts(root: Path) -> str:
    """Return the folder with a text of scores for each picture; "" if there is none."""
    for count, (folder, folders, names) in enumerate(os.walk(root)):
        folders[:] = sorted(each for each in folders if not each.startswith("."))
        texts = sorted(name for name in names if name.lower().endswith(".txt"))
        if len(texts) >= MIN_TEXTS and _holds_scores(Path(folder) / texts[0]):
            return os.path.relpath(folder, root).replace(os.sep, "/")
        if count == MAX_FOLDERS:
            break
    return ""


def _holds_scores(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            lines = file.read(1024).splitlines()[:5]
    except OSError:
        return False
    return bool(lines) and all(_SCORED_LINE.fullmatch(line) for line in lines)
