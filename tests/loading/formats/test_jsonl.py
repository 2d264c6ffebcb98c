"""JSON Lines: exact values, every error with its line."""

import pytest

from curation.loading.formats.base import TableFile
from curation.loading.formats.jsonl import Jsonl
from curation.loading.report_builder import ReportBuilder, Stop


def read(folder, text):
    path = folder.write("labels.jsonl", text)
    return Jsonl().read(TableFile(path, "labels.jsonl", 2**30), ReportBuilder())


def refused(folder, text):
    with pytest.raises(Stop) as caught:
        read(folder, text)
    return caught.value.diagnosis


def test_values_become_exact_text(folder):
    table = read(folder, '{"y": "007"}\n{"y": 9007199254740993}\n{"y": 1.0}\n{"y": true}\n')
    assert table.text("y").to_pylist() == ["007", "9007199254740993", "1.0", "true"]
    assert table.kind("y") == "mixed"


def test_null_nan_and_absence_are_missing_but_words_are_not(folder):
    table = read(folder, '{"y": null}\n{"y": NaN}\n{"x": 1}\n{"y": "null"}\n')
    assert table.text("y").to_pylist() == [None, None, None, "null"]


@pytest.mark.parametrize(
    ("value", "kind"), [("1", "integer"), ("1.5", "float"), ('"a"', "text"), ("true", "boolean")]
)
def test_kind_of_the_cells_is_remembered(folder, value, kind):
    assert read(folder, f'{{"label": {value}}}\n').kind("label") == kind


def test_line_ends_marks_and_blank_lines_change_nothing(folder):
    table = read(folder, '\ufeff{"y": "a"}\r\n\r\n{"y": "b"}'.encode())
    assert table.text("y").to_pylist() == ["a", "b"]
    assert table.bom


def test_broken_line_is_named(folder):
    diagnosis = refused(folder, '{"y": 1}\n{"y": \n{"y": 2}\n')
    assert diagnosis.where == "labels.jsonl, line 2"
    assert "not valid JSON" in diagnosis.what


@pytest.mark.fault(
    42,
    "BLOCK",
    says="labels.jsonl, line 2: not valid JSON: … The file is cut off: its last line is "
    "incomplete. Fix the line, or save the file again.",
)
def test_cut_file_is_distinguished_from_a_broken_line(folder):
    assert "The file is cut" in refused(folder, '{"y": 1}\n{"y": "ab').what


def test_line_that_is_not_an_object_is_named(folder):
    diagnosis = refused(folder, '{"y": 1}\n[1, 2]\n')
    assert (diagnosis.where, diagnosis.what[:10]) == ("labels.jsonl, line 2", "found list")


def test_half_a_character_is_refused(folder):
    assert "an incomplete character" in refused(folder, '{"y": "\\ud800"}\n').what


def test_deep_nesting_is_refused(folder):
    assert "not valid JSON" in refused(folder, "[" * 100_000 + "\n").what


def test_file_without_rows_is_refused(folder):
    assert "no rows" in refused(folder, "\n\n").what


def test_lists_of_numbers_stay_numbers(folder):
    table = read(folder, '{"probs": [0.5, 0.5]}\n{"probs": [1, 0]}\n')
    assert table.kind("probs") == "list"
    assert table.data.column("probs").to_pylist() == [[0.5, 0.5], [1.0, 0.0]]


def test_name_that_occurs_twice_in_a_line_is_refused(folder):
    found = refused(folder, '{"id": 0, "label": "cat"}\n{"id": 1, "label": "cat", "label": "dog"}')
    assert (found.code, found.where) == ("jsonl.duplicate_keys", "labels.jsonl, line 2")
    assert "'label' occurs twice" in found.what


def test_numbers_with_a_point_or_an_exponent_stay_as_they_are_written(folder):
    table = read(folder, '{"id": 1e5, "p": [0.10]}\n{"id": 1.10, "p": [0.2]}\n\n{"id": 2, "p": []}')
    assert table.text("id").to_pylist() == ["1e5", "1.10", "2"]
    assert table.kind("id") == "float"
    assert table.data.column("p").to_pylist() == [[0.1], [0.2], []]
