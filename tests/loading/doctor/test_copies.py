"""Examples that show the same thing are found, whether their labels agree or not."""

import io

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from PIL import Image

from curation.loading.content import sources
from curation.loading.content.sources import (
    TAIL_BYTES,
    EmbeddedImages,
    ImageArray,
    ImageFiles,
    NoContent,
    Texts,
)
from curation.loading.doctor import copies
from curation.loading.doctor.copies import diagnose_copies, find_same

NAMES = ("cat", "dog")


def picture(shade):
    Image.new("RGB", (4, 4), (shade, 0, 0)).save(buffer := io.BytesIO(), "PNG")
    return buffer.getvalue()


def files(folder, shades):
    for row, shade in enumerate(shades):
        (folder / f"{row}.png").write_bytes(picture(shade))
    return ImageFiles(folder, [f"{row}.png" for row in range(len(shades))])


def embedded(folder, shades):
    pq.write_table(pa.table({"image": [picture(shade) for shade in shades]}), folder / "x.parquet")
    return EmbeddedImages.open([folder / "x.parquet"], "image", folder)


def array(folder, shades):
    return ImageArray.of(np.array(shades, np.uint8)[:, None, None] * np.ones((1, 4, 4), np.uint8))


def texts(folder, shades):
    return Texts([f"text {shade}" for shade in shades])


def diagnose(content, labels):
    ids = np.array([f"e{row}" for row in range(len(content))], dtype=object)
    found, compared = diagnose_copies(content, np.array(labels), ids, NAMES, where="x.csv")
    return {each.code: each for each in found}, compared


@pytest.mark.parametrize("make", [files, embedded, array, texts])
def test_same_content_under_two_labels_is_reported_with_both(tmp_path, make):
    found, compared = diagnose(make(tmp_path, [1, 2, 1, 3]), [0, 1, 1, 0])
    assert set(found) == {"rows.two_labels"}
    assert found["rows.two_labels"].count == 1
    assert found["rows.two_labels"].what.startswith("2 examples show the same under different")
    assert found["rows.two_labels"].first_rows == ("e0 (cat) = e2 (dog)",)
    assert f"(compared: {compared})" in found["rows.two_labels"].what
    assert compared == ("texts, letter by letter" if make is texts else "pictures, byte for byte")


@pytest.mark.parametrize("make", [files, embedded, array, texts])
def test_same_content_twice_under_one_label_is_reported(tmp_path, make):
    found, _ = diagnose(make(tmp_path, [1, 2, 1, 3]), [0, 1, 0, 0])
    assert set(found) == {"rows.identical"}
    assert (found["rows.identical"].count, found["rows.identical"].first_rows) == (1, ("e2 = e0",))


def test_files_of_different_sizes_are_not_opened(tmp_path, monkeypatch):
    for row in range(4):
        (tmp_path / f"{row}.png").write_bytes(picture(row) + b"\0" * row)
    content, opened = ImageFiles(tmp_path, [f"{row}.png" for row in range(4)]), []
    monkeypatch.setattr(sources, "open_inside", lambda root, name: opened.append(name))
    assert find_same(content).tolist() == [0, 1, 2, 3] and opened == []


@pytest.mark.parametrize("make", [files, embedded, array, texts])
def test_different_content_is_not_reported(tmp_path, make):
    assert diagnose(make(tmp_path, [1, 2, 3, 4]), [0, 1, 0, 1])[0] == {}


def test_copy_of_content_with_two_labels_is_reported_as_both():
    found, _ = diagnose(Texts(["a", "a", "a"]), [0, 1, 1])
    assert "3 examples show the same under different labels" in found["rows.two_labels"].what
    assert found["rows.identical"].first_rows == ("e2 = e1",)


def test_texts_without_letters_are_not_compared():
    assert find_same(Texts(["", None, " ", "", " "])).tolist() == [0, 1, 2, 3, 4]


def test_file_named_twice_is_the_same_content_but_missing_files_are_not(tmp_path):
    content = files(tmp_path, [1, 2, 1])
    names = [*content.names, "2.png", "no.png", "not.png", "no.png"]
    assert find_same(ImageFiles(tmp_path, names)).tolist() == [0, 1, 0, 0, 4, 5, 4]


def test_files_with_equal_size_and_end_are_read_completely(tmp_path):
    for name, head in (("a", b"1"), ("b", b"2"), ("c", b"1")):
        (tmp_path / name).write_bytes(head + bytes(TAIL_BYTES))
    assert find_same(ImageFiles(tmp_path, ["a", "b", "c"])).tolist() == [0, 1, 0]


def test_only_the_first_of_many_pictures_are_compared_and_the_report_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr(copies, "MAX_PICTURES_COMPARED", 2)
    for content in (files(tmp_path, [1, 1, 1]), array(tmp_path, [1, 1, 1])):
        assert find_same(content).tolist() == [0, 0, 2]
        found, compared = diagnose(content, [0, 0, 0])
        assert compared == "the first 2 pictures, byte for byte"
        assert found["rows.identical"].count == 1


def test_examples_without_content_are_not_compared():
    assert diagnose(NoContent(3), [0, 1, 1]) == ({}, "")


def test_contradicting_rows_of_a_table_give_a_warning_and_otherwise_a_passed_check(whole):
    words = [f"text {k}" for k in range(30)]

    def write():
        rows = (
            f"e{row},{word},{'cat dog eel'.split()[row % 3]}\n" for row, word in enumerate(words)
        )
        whole.write("labels.csv", "id,text,label\n" + "".join(rows))

    write()
    report = whole.load().report
    assert "no two examples show the same (compared: texts, letter by letter)" in report.passed
    words[1] = words[0]
    write()
    [found] = [e for e in whole.load().report.diagnoses if e.code == "rows.two_labels"]
    assert (found.severity, found.where) == ("WARN", "labels.csv")
    assert found.first_rows == ("e0 (cat) = e1 (dog)",)
