"""What the examples look like: where their pictures or texts are, and the columns beside them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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

FEW_NAMES = 5  # that all have to be files, for an ending to be what the others lack as well
MOST_FOLDERS = 50  # in which files are looked for
MOST_LOOKED_AT = 10_000  # pictures or texts; a second or two. More are looked at here and there


def find_content(
    root: Path, examples: Examples, rows: IntArray, options: Options
) -> tuple[Content, dict[str, Any]]:
    """Return what the examples look like, and what was understood on the way."""
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
    if table is not None and examples.ids is not None:  # files may be called by the ids
        few = _take(examples.ids.slice(0, FEW_NAMES), np.arange(min(FEW_NAMES, len(examples))))
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
    """Return warnings about content that cannot be shown, among as many as can be looked at."""
    total = len(content)
    rows = np.unique(np.linspace(0, total - 1, min(total, MOST_LOOKED_AT)).astype(np.int64))
    return diagnose_content(survey_content(content, rows), ids)


def _are_pictures(array: Any, count: int) -> bool:
    return array.dtype == np.uint8 and array.ndim in (3, 4) and len(array) == count


def _take(column: pa.ChunkedArray, rows: IntArray) -> NDArray[np.object_]:
    values: NDArray[np.object_] = column.to_numpy()
    if values.dtype != object:  # a column of nothing but nulls comes as numbers
        values = np.full(len(values), None, dtype=object)
    return values if len(rows) == len(values) else values[rows]


def _find_image_files(
    root: Path, names: NDArray[np.object_], table: Table, asked: str | None
) -> tuple[str, str]:
    """Return the folder that files are named from, and what their names lack, such as .jpg."""
    looked = [name for name in names[:SAMPLE_ROWS] if name]
    inside = sorted(e.name for e in root.iterdir() if e.is_dir() and e.name[0] != ".")
    near = str(PurePosixPath(table.name).parent)  # of equals, the folder that the table is in
    folders = [asked] if asked is not None else [near, ".", *inside][:MOST_FOLDERS]
    if not any(name.lower().endswith(IMAGE_SUFFIXES) for name in looked):
        few = looked[:FEW_NAMES]
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
    """The other columns of the label table, taken out of it only when looked at."""

    def __init__(self, table: Table | None, names: tuple[str, ...], rows: IntArray) -> None:
        self._table = table
        self._names = names
        self._rows = rows

    def __getitem__(self, name: str) -> NDArray[np.object_]:
        if self._table is None or name not in self._names:
            raise KeyError(name)
        return _take(self._table.text(name), self._rows)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)
