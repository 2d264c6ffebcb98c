"""What was found in a folder is listed, whatever it is, and nothing outside it is read."""

import gzip
import json
import os

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import curation
from curation.errors import BlockedError
from curation.loading.discovery import file_survey
from curation.loading.discovery.file_survey import describe_files, survey_files


def test_each_file_is_described_by_its_columns_or_its_shape(tmp_path):
    (tmp_path / "a.csv").write_text("id,text\n1,x\n")
    np.save(tmp_path / "b.npy", np.zeros((1797, 64)))
    np.savez(tmp_path / "c.npz", given=np.zeros(3), model=np.zeros((3, 2)))
    (tmp_path / "d.pkl").write_bytes(b"\x80")
    assert describe_files(tmp_path) == (
        "a.csv (id, text)", "b.npy (1,797 x 64)", "c.npz (given, model)", "d.pkl (not read)",
    )  # fmt: skip


def write_every_format(root):
    rows = [{"id": "007", "label": "cat", "p": 0.25}, {"id": "008", "label": "dog", "p": 0.5}]
    text = "id,label,p\n007,cat,0.25\n008,dog,0.5\n"
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    (root / "a.csv").write_text(text)
    (root / "a.tsv").write_text(text.replace(",", "\t"))
    (root / "a.jsonl").write_text(lines)
    (root / "b.csv.gz").write_bytes(gzip.compress(text.encode()))
    (root / "b.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    pq.write_table(pa.Table.from_pylist(rows), root / "a.parquet")
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in (("id", "label", "p"), ("007", "cat", 0.25), ("008", "dog", 0.5)):
        book.active.append(row)
    book.save(root / "a.xlsx")


def test_every_table_format_shows_its_first_rows_as_written(tmp_path):
    write_every_format(tmp_path)
    found, more = survey_files(tmp_path, rows=1)
    assert (len(found), more) == (7, 0)
    for each in found:
        assert (each.columns, each.count) == (("id", "label", "p"), 2), each.name
        assert each.rows == (("007", "cat", "0.25"),), each.name


def test_a_format_that_only_knows_how_to_read_shows_its_first_rows_too(tmp_path):
    from curation.loading.formats.base import TableFormat
    from curation.loading.formats.csv import Csv

    write_every_format(tmp_path)
    assert TableFormat.first_rows(Csv(), tmp_path / "a.csv", 1) == [("007", "cat", "0.25")]


def test_a_tools_export_shows_the_rows_that_it_will_be(tmp_path):
    answer = {"custom_id": "request-7", "id": "batch_req_1", "response": None, "error": {}}
    (tmp_path / "batch.jsonl").write_text(json.dumps(answer) + "\n")
    found = survey_files(tmp_path, rows=2)[0][0]
    assert found.columns == ("id", "custom_id", "top_logprobs")
    assert found.rows == (("request-7", "request-7", ""),)


def test_arrays_show_type_shape_and_first_values(tmp_path):
    np.save(tmp_path / "a.npy", np.arange(40, dtype=np.float32).reshape(4, 10))
    np.save(tmp_path / "b.npy", np.zeros((2, 3, 3), np.uint8))
    np.savez(tmp_path / "c.npz", given=np.array(["cat", "dog"]), model=np.array([[0.5], [1.0]]))
    matrix, pictures, archive = survey_files(tmp_path, rows=2)[0]
    assert (matrix.shape, matrix.dtype, matrix.rows[1][:2]) == ((4, 10), "float32", ("10", "11"))
    assert (pictures.shape, pictures.rows) == ((2, 3, 3), ())
    assert archive.types == {"given": "2 <U3", "model": "2 x 1 float64"}
    assert archive.rows == (("cat", "0.5"), ("dog", "1"))


def test_pictures_and_class_folders_are_counted_not_listed(tmp_path):
    for place in ("cat", "dog"):
        (tmp_path / "photos" / place).mkdir(parents=True)
        (tmp_path / "photos" / place / "1.png").write_bytes(b"")
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "1.jpg").write_bytes(b"")
    (tmp_path / "more" / "labels.csv").write_text("a\n1\n")
    assert describe_files(tmp_path) == (
        "more/labels.csv (a)", "photos/ (a folder for each class: cat, dog)", "more/ (1 picture)",
    )  # fmt: skip


def test_broken_files_are_listed_all_the_same(tmp_path):
    (tmp_path / "a.csv").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "b.npy").write_bytes(b"no array")
    (tmp_path / "c.npz").write_bytes(b"no archive")
    (tmp_path / "d.parquet").write_bytes(b"PAR1")
    assert [each.name for each in survey_files(tmp_path, rows=3)[0]] == [
        "a.csv", "b.npy", "c.npz", "d.parquet",
    ]  # fmt: skip


def test_names_cannot_control_the_terminal(tmp_path):
    (tmp_path / "a\x1b[2J.csv").write_text("\x1b[31mid,label\n1,2\n")
    (line,) = describe_files(tmp_path)
    assert line.isprintable() and "label" in line


def test_nothing_outside_the_folder_is_looked_at(tmp_path):
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.csv").write_text("password\nx\n")
    root = tmp_path / "data"
    root.mkdir()
    os.symlink(tmp_path / "outside", root / "inside")
    os.symlink(tmp_path / "outside" / "secret.csv", root / "labels.csv")
    assert describe_files(root) == ("labels.csv (not read)",)


def test_a_folder_of_many_files_is_listed_in_part(tmp_path, monkeypatch):
    monkeypatch.setattr(file_survey, "MAX_FILES", 2)
    for name in "abcd":
        (tmp_path / f"{name}.csv").write_text("id\n1\n")
    assert describe_files(tmp_path) == ("a.csv (id)", "b.csv (id)", "2 more")


def test_a_file_that_is_opened_directly_is_alone(tmp_path):
    (tmp_path / "a.csv").write_text("id\n1\n")
    (tmp_path / "b.csv").write_text("id\n1\n")
    assert describe_files(tmp_path / "b.csv") == ("b.csv (id)",)


def test_what_is_next_to_a_path_that_is_not_there_is_not_listed(tmp_path):
    (tmp_path / "a.csv").write_text("id,text\n1,x\n")
    assert survey_files(tmp_path / "nowhere") == ([], 0)
    with pytest.raises(BlockedError) as caught:
        curation.load(tmp_path / "nowhere")
    assert caught.value.report.seen == () and "a.csv" not in str(caught.value)


def test_the_error_and_the_report_say_what_was_found(tmp_path):
    (tmp_path / "a.csv").write_text("id,text\n1,x\n2,y\n")
    np.save(tmp_path / "b.npy", np.zeros((2, 64)))
    with pytest.raises(BlockedError) as caught:
        curation.load(tmp_path)
    assert str(caught.value).endswith("Found: a.csv (id, text), b.npy (2 x 64).")
    assert caught.value.report.to_dict()["found"] == ["a.csv (id, text)", "b.npy (2 x 64)"]
    with pytest.raises(BlockedError, match=r"Found: a.csv \(id, text\)"):
        curation.load_labelled(tmp_path)
