"""Decided labels are written back into the workbook, and nothing else changes."""

from __future__ import annotations

import io
import zipfile
from datetime import date, datetime

import openpyxl
import pytest
from openpyxl.styles import Font

from curation.errors import InputError
from tests.loading.formats.workbooks import LABELS, make_book, make_xlsx, replace_entry, to_bytes


def list_rows(raw, title=None):
    book = openpyxl.load_workbook(io.BytesIO(raw))
    return list((book[title] if title else book.worksheets[0]).iter_rows(values_only=True))


@pytest.mark.fault(41, "HOLDS")
def test_only_decided_cells_differ_and_everything_else_stays(bench):
    book = make_book(Data=[*LABELS, ("d", "cat")], Notes=[("kept", 1)])
    sheet = book["Data"]
    sheet["B2"].font = Font(bold=True)
    sheet.column_dimensions["A"].width = 33
    bench.write("labels.xlsx", to_bytes(book))
    bench.probs([0, 1, 2, 0]).relabel({0: "dog"})
    made = openpyxl.load_workbook(io.BytesIO(bench.cleaned()))
    rows = list(made["Data"].iter_rows(values_only=True))
    assert rows == [("id", "label"), ("a", "dog"), ("b", "dog"), ("c", "eel"), ("d", "cat")]
    assert made["Data"]["B2"].font.bold and made["Data"].column_dimensions["A"].width == 33
    assert made["Notes"]["A1"].value == "kept" and made["Notes"]["B1"].value == 1


def test_excluded_rows_are_dropped_or_flagged(bench):
    rows = [("id", "label", "twice"), ("a", "cat", 1), ("b", "dog", 2), ("c", "eel", 3),
            ("d", "cat", "=LEN(B5)")]  # fmt: skip
    bench.write("labels.xlsx", make_xlsx(rows))
    bench.probs([0, 1, 2, 0]).relabel({3: "eel"}).decide(0, "exclude").decide(2, "exclude")
    kept = [("id", "label", "twice"), ("b", "dog", 2), ("d", "eel", "=LEN(B3)")]
    assert list_rows(bench.cleaned()) == kept
    assert list_rows(bench.cleaned(excluded="flag")) == [
        ("id", "label", "twice", "excluded"),
        ("a", "cat", 1, True),
        ("b", "dog", 2, False),
        ("c", "eel", 3, True),
        ("d", "eel", "=LEN(B5)", False),
    ]


@pytest.mark.parametrize(
    ("cells", "new", "value"),
    [
        ((0, 1, 2), "1", 1),
        (("0", "1", "2"), "1", "1"),
        ((0.0, 1.0, 2.0), "1", 1),
        (
            (date(2024, 1, 1), date(2024, 1, 2), date(2024, 1, 3)),
            "2024-01-02",
            datetime(2024, 1, 2),
        ),
    ],
)
def test_labels_go_back_as_the_type_that_they_had(bench, cells, new, value):
    bench.write("labels.xlsx", make_xlsx([("id", "label"), *zip("abc", cells, strict=True)]))
    bench.probs([0, 1, 2]).relabel({0: new})
    cell = list_rows(bench.cleaned())[1][1]
    assert cell == value and type(cell) is type(value)


def test_booleans_go_back_as_booleans(bench):
    bench.write("labels.xlsx", make_xlsx([("label",), (True,), (False,), (False,)]))
    bench.classes(("False", "True")).probs([1, 0, 0], num_classes=2).relabel({0: "False"})
    assert list_rows(bench.cleaned()) == [("label",), (False,), (False,), (False,)]


@pytest.mark.fault(57, "HOLDS")
def test_a_label_that_begins_with_an_equals_sign_is_text(bench):
    book = make_book(Data=LABELS)
    book["Data"]["B3"].value = "=dog"
    book["Data"]["B3"].data_type = "s"
    bench.write("labels.xlsx", to_bytes(book))
    bench.classes(("cat", "=dog", "eel")).probs([0, 1, 2]).relabel({0: "=dog"})
    cell = openpyxl.load_workbook(io.BytesIO(bench.cleaned()))["Data"]["B2"]
    assert (cell.value, cell.data_type) == ("=dog", "s")


def test_formulas_stay_but_lose_their_saved_values(bench):
    raw = make_xlsx(
        [("id", "label", "twice"), ("a", "cat", "=1+1"), *(r + (0,) for r in LABELS[2:])]
    )
    raw = replace_entry(raw, "xl/worksheets/sheet1.xml", b"<v />", b"<v>2</v>")
    bench.write("labels.xlsx", raw)
    bench.probs([0, 1, 2]).relabel({0: "dog"})
    assert list_rows(bench.cleaned())[1] == ("a", "dog", "=1+1")
    values = openpyxl.load_workbook(io.BytesIO(bench.cleaned()), data_only=True).active
    assert values["C2"].value is None


def test_without_decisions_the_file_is_identical(bench):
    path = bench.write("labels.xlsx", make_xlsx(LABELS))
    bench.probs([0, 1, 2])
    assert bench.cleaned() == path.read_bytes()


@pytest.mark.parametrize("with_times", [True, False])
def test_the_same_decisions_give_the_same_bytes_under_the_same_suffix(bench, with_times):
    book = make_book(Data=LABELS)
    book.properties.created = datetime(2020, 1, 1)
    raw = to_bytes(book)
    stamp = b"<dcterms:modified xsi:type="
    if not with_times:
        with zipfile.ZipFile(io.BytesIO(raw)) as whole:
            core = whole.read("docProps/core.xml")
        raw = replace_entry(
            raw, "docProps/core.xml", core[core.index(b"<dcterms") :], b"</cp:coreProperties>"
        )  # noqa: E501
    bench.write("labels.xlsx", raw)
    bench.probs([0, 1, 2]).relabel({0: "dog"})
    bench.export()
    assert (bench.out / "cleaned_labels.xlsx").read_bytes() == bench.cleaned()
    with zipfile.ZipFile(io.BytesIO(bench.cleaned())) as made:
        assert {each.date_time for each in made.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        core = made.read("docProps/core.xml")
    assert stamp in core and (b">2020-01-01T00:00:00Z<" in core) == with_times
    assert (b">1980-01-01T00:00:00Z<" in core) != with_times


def test_a_file_that_changed_since_it_was_loaded_is_not_exported(bench):
    path = bench.write("labels.xlsx", make_xlsx(LABELS))
    bench.probs([0, 1, 2]).relabel({0: "dog"})
    path.write_bytes(make_xlsx([LABELS[0], ("a", "eel"), *LABELS[2:]]))
    with pytest.raises(InputError, match="was 'cat' when the dataset was loaded"):
        bench.cleaned()
    path.write_bytes(make_xlsx([("id", "breed"), *LABELS[1:]]))
    with pytest.raises(InputError, match="no longer has a column 'label'"):
        bench.cleaned()
    path.write_bytes(b"")
    with pytest.raises(InputError, match="the file is empty"):
        bench.cleaned()


def test_labels_of_the_chosen_sheet_are_written_back(bench):
    book = make_book(Old=LABELS, New=LABELS)
    bench.write("labels.xlsx", to_bytes(book))
    bench.overrides = {"sheet": "New"}
    labels = [row[1] for row in LABELS[1:]]
    names = sorted(set(labels))
    bench.probs([names.index(each) for each in labels], len(names))
    other = next(each for each in names if each != labels[0])
    cleaned = bench.relabel({0: other}).cleaned()
    path = bench.root / "cleaned.xlsx"
    path.write_bytes(cleaned)
    found = openpyxl.load_workbook(path)
    assert found["New"]["B2"].value == other
    assert found["Old"]["B2"].value == labels[0]
