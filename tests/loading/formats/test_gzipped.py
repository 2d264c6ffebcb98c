"""Gzipped tables are read and written like plain ones, and never unpacked beyond the limit."""

from __future__ import annotations

import gzip

import numpy as np
import pytest

from curation.errors import InputError
from curation.loading.formats.base import TableFile
from curation.loading.formats.gzipped import GzippedCsv, GzippedJsonl
from curation.loading.formats.registry import count_rows, find_format, peek_table
from curation.loading.report_builder import ReportBuilder, Stop
from tests.loading.conftest import NAMES

JSONL = b'{"id": "a", "label": "cat"}\n{"id": "b", "label": "dog"}\n{"id": "c", "label": "eel"}\n'


def read(path, memory_limit=2**30, format_=None):
    format_ = format_ or GzippedCsv()
    return format_.read(TableFile(path, path.name, memory_limit), ReportBuilder())


def refused(path, **options):
    with pytest.raises(Stop) as caught:
        read(path, **options)
    return caught.value.diagnosis


def test_a_gzipped_table_is_known_by_both_parts_of_its_suffix():
    assert isinstance(find_format("train.CSV.gz"), GzippedCsv)
    assert isinstance(find_format("train.jsonl.gz"), GzippedJsonl)
    assert find_format("probs.npy.gz") is None


@pytest.mark.parametrize(("name", "mark"), [("labels.csv.gz", ","), ("labels.tsv.gz", "\t")])
def test_cells_are_the_same_exact_text_as_in_a_plain_file(folder, name, mark):
    path = folder.write(name, gzip.compress(f"id{mark}label\n007{mark}NA\n".encode()))
    table = read(path)
    assert (table.columns, table.delimiter) == (("id", "label"), mark)
    assert table.text("id").to_pylist() == ["007"] and table.text("label").to_pylist() == ["NA"]
    assert peek_table(path).columns == ("id", "label") and count_rows(path) == 1


def test_every_part_of_a_dataset_may_be_gzipped(folder):
    numbers = "".join(f"e{k},{','.join(map(str, p))}\n" for k, p in enumerate(folder.probs))
    truth = "id,true_label\n" + "".join(f"e{k},{NAMES[k % 3]}\n" for k in range(30))
    folder.write("labels.csv.gz", gzip.compress(folder.table().encode()))
    folder.write("probs.csv.gz", gzip.compress(f"id,cat,dog,eel\n{numbers}".encode()))
    folder.write("classes.tsv.gz", gzip.compress(b"id\tname\n0\tcat\n1\tdog\n2\teel\n"))
    folder.write("true_labels.csv.gz", gzip.compress(truth.encode()))
    dataset = folder.load()
    assert dataset.class_names == NAMES and dataset.labels.tolist() == folder.labels.tolist()
    assert np.allclose(dataset.pred_probs[0:30], folder.probs)
    assert dataset.true_labels.tolist() == folder.labels.tolist()
    assert dataset.settings["classes"] == "classes.tsv.gz"


@pytest.mark.fault(41, "HOLDS")
def test_only_decided_cells_differ_in_the_text_inside(bench):
    bench.write("labels.csv.gz", gzip.compress(b'id,label\r\na,"cat"\r\nb,dog\r\nc,eel\r\n'))
    bench.probs([0, 1, 2]).relabel({0: "dog"}).decide(2, "exclude")
    assert gzip.decompress(bench.cleaned()) == b'id,label\r\na,"dog"\r\nb,dog\r\n'
    flagged = b'id,label,excluded\r\na,"dog",false\r\nb,dog,false\r\nc,eel,true\r\n'
    assert gzip.decompress(bench.cleaned(excluded="flag")) == flagged


def test_gzipped_json_lines_are_written_back(bench):
    bench.write("labels.jsonl.gz", gzip.compress(JSONL))
    bench.probs([0, 1, 2]).relabel({0: "dog"})
    assert gzip.decompress(bench.cleaned()) == JSONL.replace(b"cat", b"dog")


def test_without_decisions_the_file_is_identical(bench):
    path = bench.write("labels.csv.gz", gzip.compress(b"id,label\na,cat\nb,dog\nc,eel\n", 1))
    bench.probs([0, 1, 2])
    assert bench.cleaned() == path.read_bytes()


def test_the_same_decisions_give_the_same_bytes_under_the_same_suffix(bench):
    bench.write("labels.csv.gz", gzip.compress(b"id,label\na,cat\nb,dog\nc,eel\n"))
    bench.probs([0, 1, 2]).relabel({0: "dog"})
    assert bench.cleaned() == bench.cleaned()
    assert bench.cleaned()[4:8] == bytes(4)  # the time in the header
    bench.export()
    assert (bench.out / "cleaned_labels.csv.gz").read_bytes() == bench.cleaned()


def test_a_file_that_says_it_is_too_large_is_blocked_before_it_is_unpacked(folder, monkeypatch):
    path = folder.write("labels.csv.gz", gzip.compress(bytes(2**24)))
    monkeypatch.setattr(GzippedCsv, "open", lambda *_: pytest.fail("it was unpacked"))
    diagnosis = refused(path, memory_limit=2**20)
    assert (diagnosis.code, diagnosis.where) == ("memory.limit", "labels.csv.gz")
    assert "16.0 MB of memory; the limit is 1.0 MB" in diagnosis.what


@pytest.mark.fault(
    54,
    "BLOCK",
    says="labels.csv.gz: reading it needs about 8.0 MB of memory; the limit is 4.0 MB. "
    "Raise memory_limit_gb if the machine has that much free memory.",
)
def test_a_file_that_lies_about_its_size_is_blocked_at_the_limit(folder):
    packed = gzip.compress(bytes(2**24))
    path = folder.write("labels.csv.gz", packed[:-4] + (1000).to_bytes(4, "little"))
    diagnosis = refused(path, memory_limit=2**22)
    assert diagnosis.code == "memory.limit" and "limit is 4.0 MB" in diagnosis.what


def test_several_gzip_parts_are_one_text(folder):
    packed = gzip.compress(b"id,label\na,cat\n") + gzip.compress(b"b,dog\n")
    assert read(folder.write("labels.csv.gz", packed)).text("id").to_pylist() == ["a", "b"]


def test_cut_broken_and_empty_files_are_refused_in_words(folder):
    rng = np.random.default_rng(0)
    text = "id,label\n" + "".join(f"{each},cat\n" for each in rng.integers(0, 10**9, 5000))
    packed = gzip.compress(text.encode())
    cut = refused(folder.write("labels.csv.gz", packed[: len(packed) // 2]))
    assert cut.code == "file.cut" and "end before the compressed text does" in cut.what
    assert refused(folder.write("labels.csv.gz", b"id,label\n")).code == "file.unreadable"
    assert refused(folder.write("labels.csv.gz", gzip.compress(b""))).code == "table.empty"
    assert refused(folder.write("labels.csv.gz", b"")).code == "table.empty"


def test_a_file_that_changed_since_it_was_loaded_is_not_exported(bench):
    path = bench.write("labels.csv.gz", gzip.compress(b"id,label\na,cat\nb,dog\nc,eel\n"))
    bench.probs([0, 1, 2]).relabel({0: "dog"})
    path.write_bytes(gzip.compress(b"id,label\na,eel\nb,dog\nc,eel\n"))
    with pytest.raises(InputError, match="was 'cat' when the dataset was loaded"):
        bench.cleaned()
