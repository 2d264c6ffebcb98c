"""Cells are found where the loader found them."""

from __future__ import annotations

import csv
import io

import pyarrow.csv
from hypothesis import given
from hypothesis import strategies as st

from curation.loading.formats.csv_bytes import Grammar, read_cell, write_cell

soup = st.text(st.sampled_from('ab",\r\n é'), max_size=40)


def split(text: str) -> list[list[str]]:
    data, grammar = text.encode(), Grammar.of(",")
    records = grammar.records(data).without_blank()
    return [
        [read_cell(data[a:b]) for a, b in grammar.cells(data, int(start), int(stop))]
        for start, stop in zip(records.starts, records.stops, strict=True)
    ]


@given(soup)
def test_any_text_is_split_as_the_csv_module_splits_it(text):
    expected = [each for each in csv.reader(io.StringIO(text, newline="")) if each]
    assert split(text) == expected


@given(soup)
def test_every_byte_belongs_to_one_record(text):
    data = text.encode()
    records = Grammar.of(",").records(data)
    ends = [0, *records.ends.tolist()]
    assert records.starts.tolist() == ends[:-1] and ends[-1] == len(data)


@given(st.lists(st.lists(st.text(max_size=8), min_size=2, max_size=2), min_size=1, max_size=5))
def test_what_is_written_is_what_arrow_reads(rows):
    data = b"".join(b",".join(write_cell(c, b",") for c in row) + b"\n" for row in rows)
    table = pyarrow.csv.read_csv(
        io.BytesIO(data),
        read_options=pyarrow.csv.ReadOptions(autogenerate_column_names=True),
        parse_options=pyarrow.csv.ParseOptions(newlines_in_values=True),
        convert_options=pyarrow.csv.ConvertOptions(
            column_types={"f0": "string", "f1": "string"}, strings_can_be_null=False
        ),
    )
    assert [list(row.values()) for row in table.to_pylist()] == rows == split(data.decode())


def test_a_cell_of_ten_megabytes_is_found_at_once():
    text = 'id,label\n"' + 'x,""\n' * 2_000_000 + '",cat\n'
    assert split(text)[1][1] == "cat"
