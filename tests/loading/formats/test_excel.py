"""Excel workbooks are read cell by cell as they are, or refused in words."""

from __future__ import annotations

import io
import sys
import zipfile
from datetime import date, datetime, time

import numpy as np
import openpyxl
import pandas as pd
import pytest
from openpyxl.styles import Font

from curation.loading.formats.base import TableFile
from curation.loading.formats.excel import Excel
from curation.loading.formats.registry import count_rows, find_format, peek_table
from curation.loading.report_builder import ReportBuilder, Stop
from tests.loading.conftest import NAMES
from tests.loading.formats.workbooks import LABELS, make_book, make_xlsx, replace_entry, to_bytes

OLD = bytes.fromhex("d0cf11e0a1b11ae1")


def read(path, memory_limit=2**30, report=None):
    report = report or ReportBuilder()
    return Excel().read(TableFile(path, path.name, memory_limit), report)


def refused(path, **options):
    with pytest.raises(Stop) as caught:
        read(path, **options)
    return caught.value.diagnosis


def test_a_workbook_is_known_by_its_suffix():
    assert isinstance(find_format("Labels.XLSX"), Excel)
    assert find_format("labels.xls") is None


def test_cells_are_read_as_what_they_are(folder):
    header = ("text", "whole", "part", "yes", "day", "moment", "hour", "mixed")
    one = ("007", 1, 0.5, True, date(2024, 1, 31), datetime(2024, 1, 31, 9, 5), time(9, 5), "x")
    two = ("NA", 2, 1, False, None, None, None, 3)
    table = read(folder.write("labels.xlsx", make_xlsx([header, one, two])))
    assert table.columns == header
    assert table.data.column("text").to_pylist() == ["007", "NA"]
    assert table.data.column("whole").to_pylist() == [1, 2] and table.kind("whole") == "integer"
    assert table.data.column("part").to_pylist() == [0.5, 1.0] and table.kind("part") == "float"
    assert table.data.column("yes").to_pylist() == [True, False] and table.kind("yes") == "boolean"
    assert table.text("day").to_pylist() == ["2024-01-31", None]
    assert table.text("moment").to_pylist() == ["2024-01-31T09:05:00", None]
    assert table.text("hour").to_pylist() == ["09:05:00", None]
    assert table.text("mixed").to_pylist() == ["x", "3"] and table.kind("mixed") == "mixed"


def test_whole_numbers_that_another_program_wrote_as_fractions_are_whole(folder):
    raw = make_xlsx([("id", "label"), (10, 1), (20, 2)])
    raw = replace_entry(raw, "xl/worksheets/sheet1.xml", b"<v>10</v>", b"<v>10.0</v>")
    assert read(folder.write("labels.xlsx", raw)).data.column("id").to_pylist() == [10, 20]


def test_empty_cells_and_errors_are_missing(folder):
    rows = [("id", "label"), ("a", None), ("b", "#N/A"), ("c", ""), ("d", "cat")]
    table = read(folder.write("labels.xlsx", make_xlsx(rows)))
    assert table.text("label").to_pylist() == [None, None, None, "cat"]


def test_a_number_of_many_digits_stays_exact_text(folder):
    raw = make_xlsx([("id", "label"), (10, "cat"), (5, "dog")])
    digits = b"<v>12345678901234567890123</v>"
    raw = replace_entry(raw, "xl/worksheets/sheet1.xml", b"<v>10</v>", digits)
    table = read(folder.write("labels.xlsx", raw))
    assert table.text("id").to_pylist() == ["12345678901234567890123", "5"]


def test_formulas_are_read_as_their_saved_values(folder):
    raw = make_xlsx([("id", "label"), ("a", "=1+1"), ("b", 3)])
    raw = replace_entry(raw, "xl/worksheets/sheet1.xml", b"<v />", b"<v>2</v>")
    assert read(folder.write("labels.xlsx", raw)).data.column("label").to_pylist() == [2, 3]


def test_a_table_may_begin_anywhere_and_empty_rows_are_skipped(folder):
    rows = [(), (None, None, "id", "label"), (None, None, "a", "cat"), (), (None, None, "b", "dog")]
    path = folder.write("labels.xlsx", make_xlsx(rows))
    assert read(path).data.to_pylist() == [{"id": "a", "label": "cat"}, {"id": "b", "label": "dog"}]
    assert count_rows(path) == 2


def test_in_a_single_column_an_empty_row_has_no_label(folder):
    book = make_book(Sheet1=[("label",), ("cat",), (), ("dog",), (), ()])
    book.active["A9"].font = Font(bold=True)  # a cell that holds nothing
    path = folder.write("labels.xlsx", to_bytes(book))
    assert read(path).text("label").to_pylist() == ["cat", None, "dog"] and count_rows(path) == 3


def test_row_numbers_of_pandas_are_a_column_without_a_name(folder):
    path = folder.root / "labels.xlsx"
    pd.DataFrame({"id": ["a", "b"], "label": [0, 1]}).to_excel(path)
    table = read(path)
    assert table.columns == ("", "id", "label")
    assert table.data.column("").to_pylist() == [0, 1]


def test_columns_and_rows_are_found_without_reading_the_table(folder):
    rows = [("id", "p_cat", "p_dog"), *(("a", 0.5, 1) for _ in range(50))]
    path = folder.write("labels.xlsx", make_xlsx(rows))
    peek = peek_table(path)
    assert peek.columns == ("id", "p_cat", "p_dog")
    assert peek.first_row == {"id": "other", "p_cat": "number", "p_dog": "number"}
    assert count_rows(path) == 50


def test_the_first_sheet_that_holds_a_table_is_read(folder):
    book = make_book(Hidden=LABELS, Empty=[], Title=[("Our labels",)], Data=LABELS)
    book["Hidden"].sheet_state = "hidden"
    report = ReportBuilder()
    path = folder.write("labels.xlsx", to_bytes(book))
    assert read(path, report=report).columns == ("id", "label") and report.diagnoses == []


def test_other_sheets_that_hold_tables_are_named(folder):
    book = make_book(New=LABELS, Old=LABELS, Notes=[("one cell",)], Test=LABELS)
    folder.write("labels.xlsx", to_bytes(book))
    report = ReportBuilder()
    read(folder.root / "labels.xlsx", report=report)
    (warning,) = report.diagnoses
    assert (warning.code, warning.severity, warning.count) == ("xlsx.sheets", "WARN", 2)
    assert warning.what == "sheet 'New' is read; other sheets hold tables too: 'Old', 'Test'."


def test_a_cell_outside_the_header_is_refused_with_its_row(folder):
    rows = [("My labels",), ("id", "label"), ("a", "cat")]
    fault = refused(folder.write("labels.xlsx", make_xlsx(rows)))
    assert (fault.code, fault.where) == ("table.ragged", "labels.xlsx, sheet 'Sheet1', row 2")
    assert fault.what == "a cell is outside the 1 columns of the header in row 1."


def test_tables_without_cells_rows_or_names_are_refused(folder):
    assert refused(folder.write("labels.xlsx", make_xlsx([]))).code == "table.empty"
    fault = refused(folder.write("labels.xlsx", make_xlsx(LABELS[:1])))
    assert fault.code == "table.no_rows" and "('id', 'label')" in fault.what
    rows = [("id", "id"), ("a", "cat")]
    assert refused(folder.write("labels.xlsx", make_xlsx(rows))).code == "table.duplicate_columns"


def test_encrypted_and_old_workbooks_are_refused_in_words(folder):
    encrypted = OLD + bytes(1000) + "EncryptedPackage".encode("utf-16-le") + bytes(100)
    fault = refused(folder.write("labels.xlsx", encrypted))
    assert fault.code == "xlsx.encrypted" and "protected by a password" in fault.what
    fault = refused(folder.write("labels.xlsx", OLD + bytes(1000)))
    assert fault.code == "xlsx.old_format" and "Excel 97-2003" in fault.what


def test_cut_broken_and_empty_files_are_refused_in_words(folder):
    raw = make_xlsx(LABELS)
    cut = refused(folder.write("labels.xlsx", raw[: len(raw) // 2]))
    assert cut.code == "file.cut" and "do not end as an archive must" in cut.what
    assert refused(folder.write("labels.xlsx", b"id,label\n")).code == "file.unreadable"
    assert refused(folder.write("labels.xlsx", b"")).code == "table.empty"
    broken = replace_entry(raw, "xl/worksheets/sheet1.xml", b"</row>", b"</raw>")
    assert refused(folder.write("labels.xlsx", broken)).code == "file.unreadable"
    with zipfile.ZipFile(buffer := io.BytesIO(), "w") as archive:
        archive.writestr("word/document.xml", "<text/>")
    assert refused(folder.write("labels.xlsx", buffer.getvalue())).code == "file.unreadable"


@pytest.mark.fault(
    54,
    "BLOCK",
    says="labels.xlsx: reading it needs about 16.0 MB of memory; the limit is 1.0 MB. Raise "
    "memory_limit_gb if the machine has that much free memory.",
)
def test_a_workbook_that_unpacks_to_more_than_the_limit_is_not_unpacked(folder, monkeypatch):
    with zipfile.ZipFile(buffer := io.BytesIO(), "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", bytes(2**24))
    path = folder.write("labels.xlsx", buffer.getvalue())
    monkeypatch.setattr(openpyxl, "load_workbook", lambda *_, **__: pytest.fail("it was unpacked"))
    fault = refused(path, memory_limit=2**20)
    assert fault.code == "memory.limit" and "16.0 MB of memory; the limit is 1.0 MB" in fault.what


def test_rows_that_need_more_memory_than_the_limit_are_not_all_read(folder):
    rows = [("id", "label"), *(("a", "b") for _ in range(5000))]
    raw = make_xlsx(rows)
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        unpacked = sum(each.file_size for each in archive.infolist())
    fault = refused(folder.write("labels.xlsx", raw), memory_limit=unpacked + 1000)
    assert fault.code == "memory.limit"


@pytest.mark.timeout(60)
def test_a_row_number_that_no_sheet_has_does_not_keep_the_machine_busy(folder):
    raw = make_xlsx(LABELS)
    broken = replace_entry(raw, "xl/worksheets/sheet1.xml", b'<row r="4"', b'<row r="99999999999"')
    table = read(folder.write("labels.xlsx", broken))
    assert table.text("id").to_pylist() == ["a", "b"]


def test_without_openpyxl_the_message_says_what_to_install(folder, monkeypatch):
    folder.write("labels.xlsx", make_xlsx(LABELS))
    folder.save("probs.npy", folder.probs)
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    error = folder.blocked()
    assert "needs the package openpyxl" in error.problem
    assert "pip install 'confident-curation[excel]'" in error.remedy


def test_every_part_of_a_dataset_may_be_a_workbook(folder):
    probs = [(f"e{k}", *map(float, row)) for k, row in enumerate(folder.probs)]
    truth = [(f"e{k}", NAMES[k % 3]) for k in range(30)]
    labels = [(f"e{k}", NAMES[label]) for k, label in enumerate(folder.labels)]
    folder.write("labels.xlsx", make_xlsx([("id", "label"), *labels]))
    folder.write("probs.xlsx", make_xlsx([("id", *NAMES), *probs[::-1]]))
    folder.write("classes.xlsx", make_xlsx([("id", "name"), *enumerate(NAMES)]))
    folder.write("true_labels.xlsx", make_xlsx([("id", "true_label"), *truth]))
    dataset = folder.load()
    assert dataset.class_names == NAMES and dataset.labels.tolist() == folder.labels.tolist()
    assert np.allclose(dataset.pred_probs[0:30], folder.probs)
    assert dataset.true_labels.tolist() == folder.labels.tolist()
    assert dataset.settings["classes"] == "classes.xlsx"


def test_probabilities_without_a_header_are_a_matrix(folder):
    folder.write("labels.csv", folder.table())
    folder.write("probs.xlsx", make_xlsx([tuple(map(float, row)) for row in folder.probs]))
    assert np.allclose(folder.load().pred_probs[0:30], folder.probs)
