"""The content of the examples: where pictures or texts are, and the table's other columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from curation.core.matrix import IntArray
from curation.dataset import Content
from curation.errors import CurationError
from curation.loading.content.nearby_arrays import find_nearby_array
from curation.loading.content.picture_arrays import (
    Pixels,
    find_layout,
    find_pixel_columns,
    is_picture_name,
    is_plain,
    read_pictures,
    read_pixel_columns,
)
from curation.loading.content.picture_paths import (
    SAMPLE_NAMES,
    are_pictures,
    files_exist,
    find_pictures,
    folder_of,
)
from curation.loading.content.remote_pictures import open_pictures
from curation.loading.content.sources import (
    EmbeddedImages,
    ImageArray,
    NoContent,
    Texts,
)
from curation.loading.content.text_files import (
    are_text_files,
    read_folder_texts,
    read_text_files,
)
from curation.loading.doctor.content_survey import diagnose_content, survey_content
from curation.loading.file_names import FileName
from curation.loading.formats.npy import Header, open_npy
from curation.loading.formats.table import Table
from curation.loading.labels.labelled_examples import Examples
from curation.loading.overrides import Options
from curation.loading.part_paths import part_path
from curation.loading.report_builder import ReportBuilder, stop
from curation.loading.vocabulary import FILE_COLUMNS
from curation.report import Diagnosis

MAX_CHECKED_EXAMPLES = 10_000  # takes a second or two; larger datasets are sampled evenly


def find_content(
    root: Path, examples: Examples, rows: IntArray, options: Options, report: ReportBuilder
) -> tuple[Content, dict[str, Any]]:
    """Return the content of the examples, and the settings that were inferred to find it."""
    try:
        return _find_content(root, examples, rows, options, report)
    except CurationError as error:
        raise stop(
            code="content.unreadable",
            where=root.name or str(root),
            what=error.problem,
            fix=error.remedy,
            why="Examples that cannot be shown are hard to judge.",
        ) from error


def _find_content(
    root: Path, examples: Examples, rows: IntArray, options: Options, report: ReportBuilder
) -> tuple[Content, dict[str, Any]]:
    if examples.files is not None:
        names = np.array(examples.files, dtype=object)[rows]
        if are_text_files(examples.files[:SAMPLE_NAMES]):
            return read_folder_texts(root, names, options, report), {}
        return open_pictures(root, names), {}
    if examples.images is not None and len(examples.images) == len(examples):
        if is_plain(examples.images):
            return ImageArray.of(examples.images).take(rows), {}
        pixels = read_pictures(examples.images, sure=True)
        if pixels is not None:
            return ImageArray.of(pixels).take(rows), {}
    table, column = examples.table, examples.image_column
    if table is not None and column is None and (pixel := find_pixel_columns(table.columns)):
        pixels = read_pixel_columns(table, pixel)
        if pixels is not None:
            _report_pixels(table.name, f"{len(pixel)} columns of pixels", pixels, report)
            return ImageArray.of(pixels).take(rows), {}
    if table is not None and column in table.image_columns:
        return EmbeddedImages.open([table.path, *table.more_paths], column, root).take(rows), {}
    if table is not None and column is not None:
        names = _take(table.text(column), rows)
        place = find_pictures(root, names, folder_of(table.name), options.image_root, report)
        return place.open(names), {"image_root": options.image_root or place.folder}
    if table is not None and (found := _find_text_files(root, examples, rows, options, report)):
        return found, {}
    if table is not None and examples.text_column is not None:
        return Texts(_take(table.text(examples.text_column), rows)), {}
    if table is not None and (named := _find_named_pictures(root, examples, rows, options)):
        return named
    return _find_array_file(root, examples, rows, report) or (NoContent(len(rows)), {})


def _find_text_files(
    root: Path, examples: Examples, rows: IntArray, options: Options, report: ReportBuilder
) -> Content | None:
    """Return the texts in the files that a column names; None if no column names any."""
    table = examples.table
    assert table is not None
    own = examples.text_column
    for column in _list_file_columns(examples) if own is None else [own]:
        few = _take_few(table.text(column))
        if not are_text_files(few.tolist()):
            continue
        place = find_pictures(root, few, folder_of(table.name), options.image_root, ReportBuilder())
        if files_exist(place, few.tolist()):
            files = place.open(_take(table.text(column), rows))
            return read_text_files(files, f"{table.name}, column {column!r}", options, report)
    return None


def _find_named_pictures(
    root: Path, examples: Examples, rows: IntArray, options: Options
) -> tuple[Content, dict[str, Any]] | None:
    """Return the pictures whose names lack an ending; the ids may be such names."""
    table = examples.table
    assert table is not None
    for column in _list_file_columns(examples):
        names = table.text(column)
        few = _take_few(names)
        place = find_pictures(root, few, folder_of(table.name), options.image_root, ReportBuilder())
        if place.ending or are_pictures(place, few.tolist()):
            found = {"image_column": column, "image_root": options.image_root or place.folder}
            return place.open(_take(names, rows)), found
    return None


def _list_file_columns(examples: Examples) -> list[str]:
    """Return the columns that may name files: those with such a name, and the ids."""
    table = examples.table
    columns = () if table is None else table.data.column_names
    named = [c for c in columns if c.strip().lower() in FILE_COLUMNS]
    ids = examples.source.id_column
    return [*named, *([ids] if ids in columns and ids is not None and ids not in named else [])]


def _take_few(names: pa.ChunkedArray) -> NDArray[np.object_]:
    count = min(SAMPLE_NAMES, len(names))
    return _take(names.slice(0, count), np.arange(count))


def _find_array_file(
    root: Path, examples: Examples, rows: IntArray, report: ReportBuilder
) -> tuple[Content, dict[str, Any]] | None:
    """Return the pictures in an array next to the labels, such as x_test.npy; None if none fits."""

    def fits(header: Header) -> bool:
        return header.shape[:1] == (len(examples),) and find_layout(header.shape) is not None

    name = find_nearby_array(root, examples, is_picture_name, fits)
    if name is None:
        return None
    sure = is_picture_name(name.partition(".")[0]) and FileName.of(name).stem not in ("x", "data")
    pixels = read_pictures(open_npy(part_path(root, name), name), sure=sure)
    if pixels is None:
        return None
    _report_pixels(name, "an array of shape " + str(tuple(pixels.array.shape)), pixels, report)
    return ImageArray.of(pixels).take(rows), {}


def _report_pixels(where: str, found: str, pixels: Pixels, report: ReportBuilder) -> None:
    report.add_auto_fix(
        code="content.pixels",
        where=where,
        what=f"{found} is shown as pictures of {pixels.layout.width} x {pixels.layout.height} "
        "pixels.",
        fix="If these are other numbers, give the file or the columns another name.",
        why="A picture is easier to judge than the numbers that it is made of.",
        count=len(pixels),
    )


def look_at_content(content: Content, ids: NDArray[np.object_]) -> list[Diagnosis]:
    """Return warnings about content that cannot be shown; large datasets are sampled."""
    total = len(content)
    rows = np.unique(np.linspace(0, total - 1, min(total, MAX_CHECKED_EXAMPLES)).astype(np.int64))
    return diagnose_content(survey_content(content, rows), ids)


def _take(column: pa.ChunkedArray, rows: IntArray) -> NDArray[np.object_]:
    values: NDArray[np.object_] = column.to_numpy()
    if values.dtype != object:  # a column of only nulls is read as numbers
        values = np.full(len(values), None, dtype=object)
    return values if len(rows) == len(values) else values[rows]


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
