"""Content is opened one example at a time, wherever it lies, and its faults are counted."""

from __future__ import annotations

import hashlib
import io
import os
import shutil
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from curation.dataset import Content
from curation.errors import ContentError, InputError
from curation.loading.content import sources
from curation.loading.content.integrity import check_image
from curation.loading.content.sources import (
    UNREADABLE_DIGEST,
    EmbeddedImages,
    ImageArray,
    ImageFiles,
    NoContent,
    Texts,
)
from curation.loading.doctor.content_survey import diagnose_content, survey_content
from curation.loading.formats import parquet_cells


def picture(seed: int = 0, format: str = "JPEG", size: tuple[int, int] = (30, 20)) -> bytes:
    rng = np.random.default_rng(seed)
    file = io.BytesIO()
    Image.fromarray(rng.integers(0, 256, (size[1], size[0], 3), dtype=np.uint8)).save(file, format)
    return file.getvalue()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a data folder with two good pictures and one of each fault."""
    root = tmp_path / "data"
    root.mkdir()
    (root / "a.jpg").write_bytes(picture(1))
    (root / "b.png").write_bytes(picture(2, "PNG"))
    (root / "empty.jpg").write_bytes(b"")
    (root / "cut.jpg").write_bytes(picture(3)[:600])
    (root / "page.jpg").write_bytes(b"<html>404</html>")
    (root / "paper.png").write_bytes(b"%PDF-1.7")
    (tmp_path / "secret.jpg").write_bytes(picture(4))
    return root


NAMES = [
    "a.jpg",
    "b.png",
    "no.jpg",
    "empty.jpg",
    "cut.jpg",
    "page.jpg",
    "paper.png",
    "../secret.jpg",
]


def reason(content: Content, row: int) -> str:
    with pytest.raises(ContentError) as caught:
        content.image(row)
    return caught.value.problem


@pytest.mark.fault(
    43,
    "SKIP",
    says="page.jpg: not an image (starts with <html). Replace it with the picture itself, "
    "as JPEG, PNG, WebP, GIF, BMP or TIFF.",
)
def test_picture_files_open_or_say_their_name_and_why_not(folder: Path) -> None:
    files = ImageFiles(folder, NAMES)
    assert [files.image(row).image.size for row in (0, 1)] == [(30, 20), (30, 20)]
    assert files.image(0, size=10).image.size == (10, 7)
    assert [reason(files, row) for row in range(2, 8)] == [
        "no.jpg: missing.",
        "empty.jpg: empty (zero bytes).",
        "cut.jpg: truncated JPEG.",
        "page.jpg: not an image (starts with <html).",
        "paper.png: format not allowed (PDF).",
        "../secret.jpg: outside the dataset's folder.",
    ]


def test_a_digest_is_of_the_bytes_and_survives_moving_the_folder(folder: Path) -> None:
    before = [ImageFiles(folder, NAMES).digest(row) for row in range(len(NAMES))]
    moved = shutil.move(folder, folder.parent / "elsewhere")
    after = [ImageFiles(Path(moved), NAMES).digest(row) for row in range(len(NAMES))]
    assert before == after
    assert before[0] == hashlib.sha256(picture(1)).hexdigest()
    assert before[2] == before[7] == "unreadable"  # the missing one, and the one outside
    assert len(set(before)) == len(before) - 1


def test_a_selection_of_rows_keeps_their_order(folder: Path) -> None:
    some = ImageFiles(folder, NAMES).take(np.array([1, 0]))
    assert len(some) == 2
    assert some.digest(1) == hashlib.sha256(picture(1)).hexdigest()


def write_parquet(path: Path, column: list[object], rows_in_group: int = 4) -> None:
    table = pa.table({"id": list(range(len(column))), "image": column})
    pq.write_table(table, path, row_group_size=rows_in_group)


def test_embedded_pictures_are_read_from_hugging_face_cells(folder: Path) -> None:
    column: list[object] = [{"bytes": picture(row), "path": None} for row in range(10)]
    column[3] = {"bytes": None, "path": "a.jpg"}
    column[5] = {"bytes": None, "path": "../secret.jpg"}
    column[6] = {"bytes": None, "path": None}
    column[7] = None
    write_parquet(folder / "train.parquet", column)
    images = EmbeddedImages.open([folder / "train.parquet"], "image", folder)
    assert len(images) == 10
    assert images.digest(9) == hashlib.sha256(picture(9)).hexdigest()
    assert images.image(0).image.size == (30, 20)
    assert images.digest(3) == hashlib.sha256(picture(1)).hexdigest()
    assert reason(images, 5) == "../secret.jpg: outside the dataset's folder."
    assert (
        reason(images, 6)
        == reason(images, 7).replace("7", "6")
        == ("row 6: missing (an empty cell).")
    )
    assert images.digest(6) == "unreadable"
    assert images.take(np.array([9])).digest(0) == images.digest(9)


def test_embedded_pictures_may_be_plain_bytes_in_several_files(tmp_path: Path) -> None:
    paths = [tmp_path / f"train-{part}.parquet" for part in range(3)]
    for part, path in enumerate(paths):
        write_parquet(path, [picture(10 * part + row) for row in range(5)], rows_in_group=2)
    images = EmbeddedImages.open(paths, "image", tmp_path)
    seeds = [10 * part + row for part in range(3) for row in range(5)]
    order = np.random.default_rng(0).permutation(15)
    for row in [*range(15), *order, *reversed(range(15))]:
        assert images.digest(row) == hashlib.sha256(picture(seeds[row])).hexdigest()


def test_only_a_window_of_the_column_is_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet_cells, "WINDOW_BYTES", 40_000)
    rng = np.random.default_rng(0)
    column: list[object] = [rng.bytes(10_000) for _ in range(200)]
    write_parquet(tmp_path / "one.parquet", column, rows_in_group=200)
    column_cells = parquet_cells.ParquetCells([tmp_path / "one.parquet"], "image")
    for row in [0, 1, 199, 50, 51, 3]:
        assert column_cells[row] == column[row]
        assert len(column_cells._window) <= 4


def test_a_parquet_file_that_changed_or_broke_says_so(tmp_path: Path) -> None:
    path = tmp_path / "train.parquet"
    write_parquet(path, [picture(row) for row in range(10)])
    images = EmbeddedImages.open([path], "image", tmp_path)
    path.write_bytes(path.read_bytes()[:-50])
    assert reason(images, 9) == "row 9: cannot be read from its Parquet file."
    assert images.digest(9) == "unreadable"
    with pytest.raises(InputError, match="train.parquet cannot be read as Parquet"):
        EmbeddedImages.open([path], "image", tmp_path)
    write_parquet(path, [picture(0)])
    with pytest.raises(InputError, match="has no column 'picture'; it has id, image"):
        EmbeddedImages.open([path], "picture", tmp_path)


@pytest.mark.parametrize("shape", [(5, 8, 6), (5, 8, 6, 1), (5, 8, 6, 3), (5, 8, 6, 4)])
def test_an_array_of_pictures_is_shown_in_rgb(shape: tuple[int, ...]) -> None:
    pixels = np.random.default_rng(0).integers(0, 256, shape, dtype=np.uint8)
    images = ImageArray.of(pixels)
    assert len(images) == 5
    shown = images.image(2)
    assert (shown.image.mode, shown.image.size) == ("RGB", (6, 8))
    assert len({images.digest(row) for row in range(5)}) == 5
    assert images.take(np.array([4])).digest(0) == images.digest(4)
    if shape[3:] != (4,):
        first = np.asarray(images.image(0).image)[..., 0]
        assert (first == pixels[0].reshape(8, 6, -1)[..., 0]).all()


def test_an_array_that_holds_no_pictures_is_refused_in_words() -> None:
    with pytest.raises(InputError, match=r"shape \(4, 8, 8, 2\) and the type uint8"):
        ImageArray.of(np.zeros((4, 8, 8, 2), np.uint8))
    with pytest.raises(InputError, match="type float32"):
        ImageArray.of(np.zeros((4, 8, 8), np.float32))


def test_pictures_without_pixels_are_empty() -> None:
    images = ImageArray.of(np.zeros((2, 0, 8), np.uint8))
    assert reason(images, 1) == "row 1: empty (no pixels)."
    assert survey_content(images).count == 2


@given(st.lists(st.text()))
def test_texts_come_back_unchanged(values: list[str]) -> None:
    texts = Texts(values)
    assert [texts.text(row) for row in range(len(texts))] == values
    assert all(len(texts.digest(row)) == 64 for row in range(len(texts)))


def test_texts_of_any_length_and_of_half_characters_have_digests() -> None:
    texts = Texts(["x" * 1_000_000, "\ud800", None, ""])
    assert texts.text(0) == "x" * 1_000_000
    assert len({texts.digest(row) for row in range(4)}) == 4
    assert texts.digest(2) == "unreadable"
    with pytest.raises(ContentError, match=r"row 2: missing \(no text\)"):
        texts.text(2)
    assert texts.take(np.array([1])).text(0) == "\ud800"


def test_content_of_another_kind_is_refused_in_words() -> None:
    assert reason(Texts(["a"]), 0) == "row 0 is a text, not a picture."
    assert "this dataset has indices only" in reason(NoContent(3), 1)
    with pytest.raises(ContentError, match="a picture, not a text"):
        ImageFiles(Path(), ["a.jpg"]).text(0)


def test_missing_content_is_not_reported_if_there_is_none() -> None:
    nothing = NoContent(5).take(np.array([0, 1]))
    assert (len(nothing), nothing.kind, nothing.digest(0)) == (2, "index", "none")
    survey = survey_content(nothing)
    assert (survey.looked_at, survey.troubles) == (2, ())


@pytest.mark.fault(
    43,
    "WARN",
    says="content: 2 of 8 pictures are damaged or not pictures. Fetch them again from their "
    "source.",
)
def test_the_survey_counts_and_places_each_fault(folder: Path) -> None:
    survey = survey_content(ImageFiles(folder, NAMES))
    assert {each.fault: each.count for each in survey.troubles} == {
        "corrupt": 2,
        "missing": 1,
        "empty": 1,
        "not allowed": 1,
        "outside": 1,
    }
    found = {each.code: each for each in diagnose_content(survey, [f"id{k}" for k in range(8)])}
    corrupt = found["content.corrupt"]
    assert corrupt.what == "2 of 8 pictures are damaged or not pictures."
    assert corrupt.first_rows == (
        "id4: cut.jpg (truncated JPEG)",
        "id5: page.jpg (not an image (starts with <html))",
    )
    assert (
        "only be decided without seeing them" in corrupt.why and "Fetch them again" in corrupt.fix
    )
    assert found["content.missing"].what == "1 of 8 pictures is missing."
    assert found["content.outside"].first_rows == (
        "id7: ../secret.jpg (outside the dataset's folder)",
    )


def test_a_survey_of_some_rows_says_so(folder: Path) -> None:
    files = ImageFiles(folder, ["a.jpg"] * 10 + ["no.jpg"] * 10)
    survey = survey_content(files, np.array([0, 11, 12]))
    (warning,) = diagnose_content(survey, [str(row) for row in range(20)])
    assert warning.what == "2 of 3 pictures checked (there are 20) are missing."
    assert warning.first_rows == ("11: no.jpg (missing)", "12: no.jpg (missing)")


def test_when_every_picture_is_missing_the_names_are_to_blame(folder: Path) -> None:
    (warning,) = diagnose_content(survey_content(ImageFiles(folder, ["x", "y"])), ["x", "y"])
    assert "table names them relative to the dataset's folder" in warning.fix


def test_texts_without_letters_are_counted() -> None:
    survey = survey_content(Texts(["fine", "", "  ", None]))
    assert {each.fault: each.count for each in survey.troubles} == {"empty": 2, "missing": 1}
    assert diagnose_content(survey, list("abcd"))[0].what == "2 of 4 texts are empty."


@pytest.mark.parametrize("format", ["JPEG", "PNG", "WEBP", "GIF", "BMP", "TIFF"])
def test_the_shallow_check_finds_cut_files_and_passes_whole_ones(format: str) -> None:
    data = picture(0, format)
    check_image(data)
    check_image(data + b"\0" * 1000)  # padding is odd, and harmless
    with pytest.raises(ContentError, match="truncated|damaged"):
        check_image(data[: len(data) * 2 // 3])


def test_damage_in_the_middle_is_found_by_a_deep_check() -> None:
    data = bytearray(picture(0, "PNG"))
    data[len(data) // 2] ^= 255
    check_image(bytes(data))
    with pytest.raises(ContentError, match="damaged PNG"):
        check_image(bytes(data), deep=True)


@pytest.mark.fault(
    50,
    "WARN",
    says="content: 500 of 10,000 pictures are damaged or not pictures. Fetch them again from "
    "their source.",
)
def test_corrupt_pictures_among_ten_thousand_are_counted(tmp_path: Path) -> None:
    good, cut = picture(0, size=(64, 64)), picture(0, size=(64, 64))[:700]
    for row in range(1000):
        (tmp_path / f"{row}.jpg").write_bytes(cut if row % 20 == 0 else good)
    files = ImageFiles(tmp_path, [f"{row % 1000}.jpg" for row in range(10_000)])
    survey = survey_content(files)
    assert [(each.fault, each.count) for each in survey.troubles] == [("corrupt", 500)]
    (found,) = diagnose_content(survey, [f"id{row}" for row in range(10_000)])
    assert found.first_rows[0] == "id0: 0.jpg (truncated JPEG)"


@pytest.mark.fault(
    77,
    "SKIP",
    says="b.jpg: changed after the dataset was loaded. Load the dataset again to see it.",
)
@pytest.mark.parametrize("how", ["written", "replaced by an older file"])
def test_a_picture_that_changed_after_loading_is_not_shown_as_the_old_one(tmp_path, how):
    for name, seed in (("a.jpg", 0), ("b.jpg", 1), ("older.jpg", 2)):
        (tmp_path / name).write_bytes(picture(seed))
    files = ImageFiles(tmp_path, ["a.jpg", "b.jpg"])
    before = files.digest(1)
    clock = tmp_path / "clock"  # that of the file system ticks slowly
    while not clock.exists() or clock.stat().st_ctime_ns <= files.loaded_ns:
        clock.write_text("")
    if how == "written":
        (tmp_path / "b.jpg").write_bytes(picture(2))
    else:
        os.replace(tmp_path / "older.jpg", tmp_path / "b.jpg")
    with pytest.raises(ContentError):
        files.take(np.array([1])).image(0)
    assert files.digest(1) == UNREADABLE_DIGEST, "no decision is tied to a picture nobody was shown"
    assert files.image(0).image.size == files.image(0).original_size
    again = ImageFiles(tmp_path, ["a.jpg", "b.jpg"])
    assert again.digest(1) not in (before, UNREADABLE_DIGEST)


def test_a_file_server_whose_clock_is_ahead_shows_its_pictures_until_they_change(
    tmp_path, monkeypatch
):
    (tmp_path / "a.jpg").write_bytes(picture(0))
    now = time.time_ns()
    monkeypatch.setattr(sources.time, "time_ns", lambda: now - 60 * 10**9)  # ours is behind
    files = ImageFiles(tmp_path, ["a.jpg"])
    before = files.digest(0)
    monkeypatch.setattr(sources.time, "time_ns", lambda: now + 600 * 10**9)
    assert files.take(np.array([0])).digest(0) == before != UNREADABLE_DIGEST
    changed = (tmp_path / "a.jpg").stat().st_ctime_ns
    while (tmp_path / "a.jpg").stat().st_ctime_ns == changed:  # the clock of files ticks slowly
        (tmp_path / "a.jpg").write_bytes(picture(1))
    assert files.digest(0) == UNREADABLE_DIGEST
