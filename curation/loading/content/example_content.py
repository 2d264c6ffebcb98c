"""The content of the examples: where pictures or texts are, and the table's other columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from curation.core.matrix import IntArray
from curation.dataset import Content
from curation.errors import CurationError
from curation.loading.content.sources import (
    EmbeddedImages,
    ImageArray,
    ImageFiles,
    NoContent,
    Texts,
)
from curation.loading.doctor.content_survey import diagnose_content, survey_content
from curation.loading.formats.table import Table
from curation.loading.labels.example_columns import SAMPLE_ROWS
from curation.loading.labels.labelled_examples import Examples
from curation.loading.overrides import Options
from curation.loading.report_builder import stop
from curation.loading.vocabulary import IMAGE_SUFFIXES
from curation.paths import resolve_inside
from curation.report import Diagnosis

SAMPLE_NAMES = 5  # if all of these are files once an ending is added, all names get that ending
MAX_SEARCHED_FOLDERS = 50
MAX_CHECKED_EXAMPLES = 10_000  # takes a second or two; of more, an evenly spaced sample is checked


def find_content(
    root: Path, examples: Examples, rows: IntArray, options: Options
) -> tuple[Content, dict[str, Any]]:
    """Return the content of the examples, and the settings that were inferred to find it."""
    try:
        return _find_content(root, examples, rows, options)
    except CurationError as error:
        raise stop(
            code="content.unreadable",
            where=root.name or str(root),
            what=error.problem,
            fix=error.remedy,
            why="Examples that cannot be shown are hard to judge.",
        ) from error


def _find_content(
    root: Path, examples: Examples, rows: IntArray, options: Options
) -> tuple[Content, dict[str, Any]]:
    if examples.files is not None:
        return ImageFiles(root, np.array(examples.files, dtype=object)[rows]), {}
    if examples.images is not None and _are_pictures(examples.images, len(examples)):
        return ImageArray.of(examples.images).take(rows), {}
    table, column = examples.table, examples.image_column
    if table is not None and column in table.image_columns:
        return EmbeddedImages.open([table.path, *table.more_paths], column, root).take(rows), {}
    if table is not None and column is not None:
        names = _take(table.text(column), rows)
        base, ending = _find_image_files(root, names, table, options.image_root)
        return _name_files(root, names, base, ending), {"image_root": base}
    if table is not None and examples.text_column is not None:
        return Texts(_take(table.text(examples.text_column), rows)), {}
    if table is not None and examples.ids is not None:  # the ids may be file names
        count = min(SAMPLE_NAMES, len(examples))
        few = _take(examples.ids.slice(0, count), np.arange(count))
        base, ending = _find_image_files(root, few, table, options.image_root)
        if ending:
            found = {"image_column": examples.source.id_column, "image_root": base}
            return _name_files(root, _take(examples.ids, rows), base, ending), found
    return NoContent(len(rows)), {}


def _name_files(root: Path, names: NDArray[np.object_], base: str, ending: str) -> ImageFiles:
    prefix = "" if base in ("", ".") else base.rstrip("/") + "/"
    if not prefix and not ending:
        return ImageFiles(root, names)
    joined = [f"{prefix}{name}{ending}" if name else prefix for name in names]
    return ImageFiles(root, np.array(joined, dtype=object))


def look_at_content(content: Content, ids: NDArray[np.object_]) -> list[Diagnosis]:
    """Return warnings about content that cannot be shown; large datasets are sampled."""
    total = len(content)
    rows = np.unique(np.linspace(0, total - 1, min(total, MAX_CHECKED_EXAMPLES)).astype(np.int64))
    return diagnose_content(survey_content(content, rows), ids)


def _are_pictures(array: Any, count: int) -> bool:
    return array.dtype == np.uint8 and array.ndim in (3, 4) and len(array) == count


def _take(column: pa.ChunkedArray, rows: IntArray) -> NDArray[np.object_]:
    values: NDArray[np.object_] = column.to_numpy()
    if values.dtype != object:  # a column of only nulls is read as numbers
        values = np.full(len(values), None, dtype=object)
    return values if len(rows) == len(values) else values[rows]


def _find_image_files(
    root: Path, names: NDArray[np.object_], table: Table, image_root: str | None
) -> tuple[str, str]:
    """Return the folder that file names are relative to, and their missing ending, such as .jpg."""
    looked = [name for name in names[:SAMPLE_ROWS] if name]
    inside = sorted(e.name for e in root.iterdir() if e.is_dir() and e.name[0] != ".")
    near = str(PurePosixPath(table.name).parent)  # in a tie, the folder of the table wins
    folders = (
        [image_root] if image_root is not None else [near, ".", *inside][:MAX_SEARCHED_FOLDERS]
    )
    if not any(name.lower().endswith(IMAGE_SUFFIXES) for name in looked):
        few = looked[:SAMPLE_NAMES]
        for ending in (each for suffix in IMAGE_SUFFIXES for each in (suffix, suffix.upper())):
            for folder in folders:
                if few and all(_exists(root, folder, name + ending) for name in few):
                    return folder, ending
    found = {folder: sum(_exists(root, folder, name) for name in looked) for folder in folders}
    return max(folders, key=lambda folder: found[folder]), ""


def _exists(root: Path, folder: str, name: str) -> bool:
    try:
        return resolve_inside(root, name if folder == "." else f"{folder}/{name}").is_file()
    except (CurationError, OSError):
        return False


class Columns(Mapping[str, Any]):
    """The other columns of the label table, each read only when it is used."""

    def __init__(self, table: Table | None, names: tuple[str, ...], rows: IntArray) -> None:
        self._table = table
        self._names = names
        self._rows = rows

    def __getitem__(self, name: str) -> NDArray[np.object_]:
        if self._table is None or name not in self._names:
            raise KeyError(name)
        return _take(self._table.text(name), self._rows)

    def at(self, row: int) -> dict[str, str | None]:
        """Return the cells of one example, without reading whole columns."""
        if self._table is None:
            return {}
        one = replace(self._table, data=self._table.data.slice(int(self._rows[row]), 1))
        return {name: one.text(name)[0].as_py() for name in self._names}

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)
