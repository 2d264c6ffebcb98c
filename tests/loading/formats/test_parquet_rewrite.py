from __future__ import annotations

import io
from decimal import Decimal

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

KINDS = {
    "text": (pa.string(), ["cat", "dog", "eel"]),
    "large text": (pa.large_string(), ["cat", "dog", "eel"]),
    "dictionary": (pa.dictionary(pa.int8(), pa.string()), ["cat", "dog", "eel"]),
    "small integers": (pa.int8(), [0, 1, 2]),
    "large integers": (pa.int64(), [0, 1, 2]),
    "floats": (pa.float32(), [0.0, 1.0, 2.0]),
    "bytes": (pa.binary(), [b"cat", b"dog", b"eel"]),
    "views": (pa.string_view(), ["cat", "dog", "eel"]),
    "decimals": (pa.decimal128(5, 2), [Decimal("0.00"), Decimal("1.00"), Decimal("2.00")]),
}


def make(bench, kind, values, **options):
    cells = [values[k % 3] for k in range(9)]
    plain = pa.array(cells, kind.value_type if pa.types.is_dictionary(kind) else kind)
    label = plain.dictionary_encode().cast(kind) if pa.types.is_dictionary(kind) else plain
    table = pa.table(
        {
            "id": [f"e{k}" for k in range(9)],
            "label": label,
            "other": pa.array([2**60 + k if k % 2 else None for k in range(9)], pa.int64()),
        }
    )
    table = table.replace_schema_metadata({"made by": "a test"})
    pq.write_table(table, bench.root / "labels.parquet", row_group_size=4, **options)
    bench.probs([k % 3 for k in range(9)])
    return table


@pytest.mark.fault(41, "HOLDS")
@pytest.mark.parametrize(("kind", "values"), KINDS.values(), ids=KINDS.keys())
def test_only_decided_cells_differ_and_the_schema_stays(bench, kind, values):
    before = make(bench, kind, values, compression="zstd")
    bench.relabel({1: 2, 8: 0}).decide(3, "keep")
    after = pq.read_table(io.BytesIO(bench.cleaned()))
    expected = before.column("label").to_pylist()
    expected[1], expected[8] = values[2], values[0]
    assert after.schema.equals(before.schema, check_metadata=True)
    assert after.column("label").to_pylist() == expected
    assert after.drop_columns("label").equals(before.drop_columns("label"))


def test_row_groups_and_compression_stay(bench):
    make(bench, pa.string(), ["cat", "dog", "eel"], compression="gzip")
    bench.relabel({5: "cat"})
    metadata = pq.ParquetFile(io.BytesIO(bench.cleaned())).metadata
    assert [metadata.row_group(k).num_rows for k in range(3)] == [4, 4, 1]
    assert metadata.row_group(0).column(1).compression == "GZIP"


def test_without_decisions_the_file_is_identical(bench):
    make(bench, pa.string(), ["cat", "dog", "eel"])
    assert bench.cleaned() == (bench.root / "labels.parquet").read_bytes()


def test_excluded_rows_are_dropped_or_flagged(bench):
    before = make(bench, pa.int64(), [0, 1, 2])
    bench.decide(0, "exclude").decide(7, "exclude").relabel({2: 0})
    after = pq.read_table(io.BytesIO(bench.cleaned()))
    assert after.column("id").to_pylist() == [f"e{k}" for k in (1, 2, 3, 4, 5, 6, 8)]
    flagged = pq.read_table(io.BytesIO(bench.cleaned(excluded="flag")))
    assert flagged.column_names == [*before.column_names, "excluded"]
    assert flagged.column("excluded").to_pylist() == [k in (0, 7) for k in range(9)]
    assert flagged.column("label").to_pylist()[2] == 0


def test_a_class_never_written_before_joins_the_dictionary(bench):
    kind = pa.dictionary(pa.int8(), pa.string())
    make(bench, kind, ["cat", "dog", "eel"])
    bench.classes(["cat", "dog", "eel", "fox"]).probs([k % 3 for k in range(9)], 4)
    bench.relabel({4: "fox"})
    after = pq.read_table(io.BytesIO(bench.cleaned()))
    assert after.schema.field("label").type == kind
    assert after.column("label").to_pylist()[4] == "fox"
