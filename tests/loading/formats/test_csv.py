"""CSV and TSV: every cell as exact text, every fault with its line."""

import codecs

import pytest

from curation.loading.formats import csv_parsing
from curation.loading.formats.base import TableFile
from curation.loading.formats.csv import Csv
from curation.loading.report_builder import ReportBuilder, Stop


def read(folder, text, name="labels.csv", **options):
    path = folder.write(name, text)
    return Csv().read(TableFile(path, name, 2**30, **options), ReportBuilder())


def refused(folder, text, name="labels.csv", **options):
    with pytest.raises(Stop) as caught:
        read(folder, text, name, **options)
    return caught.value.diagnosis


@pytest.mark.fault(30, "HOLDS")
@pytest.mark.fault(31, "HOLDS")
def test_numbers_and_words_stay_the_text_they_were(folder):
    cells = [
        "007",
        "01",
        "1",
        "NA",
        "None",
        "null",
        "nan",
        "N/A",
        "True",
        "1e5",
        "9007199254740993",
    ]
    table = read(folder, "id,label\n" + "".join(f"{c},{c}\n" for c in cells))
    assert table.text("label").to_pylist() == cells
    assert table.text("id").to_pylist() == cells


@pytest.mark.fault(32, "HOLDS")
@pytest.mark.parametrize("mark", [b"", codecs.BOM_UTF8])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("last", [True, False])
def test_line_ends_and_marks_change_nothing(folder, mark, end, last):
    text = end.join(["id,label", "1,a", "2,b"]) + (end if last else "")
    table = read(folder, mark + text.encode())
    assert table.columns == ("id", "label")
    assert table.text("label").to_pylist() == ["a", "b"]
    assert table.bom is bool(mark)


def test_quoted_cells_may_hold_anything(folder):
    table = read(folder, 'id,label\n1,"a,""b""\nc"\n2,\u202eemoji 😀\n')
    assert table.text("label").to_pylist() == ['a,"b"\nc', "\u202eemoji 😀"]


@pytest.mark.fault(34, "HOLDS")
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_delimiter_is_detected(folder, delimiter):
    table = read(folder, f"id{delimiter}label\n1{delimiter}a\n")
    assert (table.columns, table.delimiter) == (("id", "label"), delimiter)


@pytest.mark.fault(37, "HOLDS")
def test_nul_bytes_survive(folder):
    assert read(folder, b"id,label\n1,a\0b\n").text("label").to_pylist() == ["a\0b"]


@pytest.mark.fault(37, "HOLDS")
def test_a_cell_of_ten_megabytes_survives(folder):
    table = read(folder, 'id,text,label\n1,"' + "x" * 10_000_000 + '",a\n2,y,b\n')
    assert len(table.text("text")[0].as_py()) == 10_000_000
    assert table.text("label").to_pylist() == ["a", "b"]


def test_blank_line_is_a_row_only_where_there_is_one_column(folder):
    assert read(folder, "label\na\n\nb\n").text("label").to_pylist() == ["a", "", "b"]
    assert len(read(folder, "id,label\n1,a\n\n2,b\n\n")) == 2


@pytest.mark.fault(
    33,
    "BLOCK",
    says="labels.csv: the text is not UTF-8; it looks like …. Save it as UTF-8, or pass encoding=",
)
@pytest.mark.parametrize(
    ("encoding", "offer"),
    [
        ("utf-16", "utf-16"),
        ("utf-16-le", "utf-16-le"),
        ("utf-32", "utf-32"),
        ("latin-1", "latin-1"),
        ("cp1252", "cp1252"),
    ],
)
def test_other_encodings_are_offered_and_never_assumed(folder, encoding, offer):
    letter = "€" if encoding == "cp1252" else "é"
    raw = f"id,label\n1,caf{letter}\n".encode(encoding)
    diagnosis = refused(folder, raw)
    assert diagnosis.what == f"the text is not UTF-8; it looks like {offer}."
    assert diagnosis.override == {"encoding": offer}
    assert read(folder, raw, encoding=offer).text("label").to_pylist() == [f"caf{letter}"]


def test_wrong_encoding_is_reported(folder):
    assert "cannot be read as 'ascii'" in refused(folder, "id,label\n1,é\n", encoding="ascii").what
    assert "cannot be read as 'no'" in refused(folder, "id,label\n1,a\n", encoding="no").what


@pytest.mark.fault(
    35,
    "BLOCK",
    says="labels.csv, line 4: it has 5 cells, but the header has 3. Quote cells that "
    "contain the delimiter, or fix the line.",
)
def test_ragged_row_is_named_by_its_line(folder):
    diagnosis = refused(folder, 'id,label,text\n1,a,"two\nlines"\n2,b,c,d,e\n3,c\n')
    assert diagnosis.where == "labels.csv, line 4"
    assert diagnosis.what == "it has 5 cells, but the header has 3."
    assert diagnosis.count == 2
    assert diagnosis.first_rows == ("line 4", "line 5")


def test_short_row_is_refused_too(folder):
    assert refused(folder, "id,label\n1,a\n2\n").what == "it has 1 cell, but the header has 2."


def test_ragged_row_after_a_huge_cell_is_still_found(folder):
    text = 'id,label\n1,"' + "x" * 9_000_000 + '"\n2,b,c\n'
    assert refused(folder, text).where == "labels.csv, line 3"


def test_quote_that_never_closes_is_named_by_its_line(folder):
    diagnosis = refused(folder, 'id,label\n1,a\n2,"b\n3,c\n4,d\n')
    assert diagnosis.where == "labels.csv, line 3"
    assert "never closed" in diagnosis.what


def test_lone_quote_inside_a_cell_is_allowed(folder):
    assert read(folder, 'id,label\n1,5" pipe\n').text("label").to_pylist() == ['5" pipe']


@pytest.mark.fault(
    36,
    "BLOCK",
    says="labels.csv: column names occur twice: 'label'. Give each column its own name.",
)
def test_columns_with_the_same_name_are_refused(folder):
    assert "'label'" in refused(folder, "id,label,label\n1,a,b\n").what


@pytest.mark.fault(
    36,
    "BLOCK",
    says="labels.csv: there is a header ('id', 'label') but no rows. Save the table with its rows.",
)
def test_header_alone_is_refused(folder):
    assert "no rows" in refused(folder, "id,label\n").what
    assert "no rows" in refused(folder, "id,label").what


@pytest.mark.fault(
    36,
    "BLOCK",
    says="labels.csv: the file holds only blank lines. Save it again.",
)
@pytest.mark.parametrize("text", ["\n", "\r\n\r\n", "\ufeff"])
def test_empty_file_is_refused(folder, text):
    assert "blank lines" in refused(folder, text).what


@pytest.mark.parametrize("name", ["labels.csv", "probs.csv"])
def test_table_of_a_million_columns_is_refused_before_it_is_read(whole, name):
    header = ",".join(["id", "label", *(f"c{k}" for k in range(csv_parsing.MAX_COLUMNS))])
    whole.write(name, f"{header}\n1,cat\n")
    if name == "probs.csv":
        (whole.root / "probs.npy").unlink()
    assert "the table has 100,002 columns; at most 100,000 are read." in whole.blocked().problem
