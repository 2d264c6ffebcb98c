"""A class that curators added, in every file of an export."""

from __future__ import annotations

import csv
import io
import json

import numpy as np
import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.bench import Bench

HOSTILE = '=cmd|"<img src=x>", :red[zebra]'


@pytest.fixture
def striped(small: Bench) -> Bench:
    """Two zebras by two curators who spell it differently, and one that was outvoted later."""
    small.decide(1, "relabel", new_class="Zebra", by="ana")
    small.decide(2, "relabel", new_class="zebra", by="bo")
    small.decide(4, "keep", by="bo")
    return small


def read_table(path):
    return list(csv.DictReader(io.StringIO(path.read_text())))


def test_only_the_decided_cells_of_the_label_file_change(striped):
    before = (striped.root / "labels.csv").read_bytes()
    expected = before.replace(b"e1,dog,", b"e1,Zebra,").replace(b"e2,cat,", b"e2,Zebra,")
    assert striped.cleaned() == expected != before


def test_the_class_map_lists_it_after_the_classes_of_the_dataset(striped):
    striped.export()
    *rest, added = read_table(striped.out / "class_map.csv")
    assert [each["name"] for each in rest] == ["cat", "dog", "eel"]
    assert (added["index"], added["id"]) == ("3", "new class: zebra")
    assert added["name"] == added["label"] == added["becomes_label"] == "Zebra"
    assert added["why"] == "added by ana, bo; 2 examples" and added["applied"] == "False"


def test_tables_tools_and_report_name_it(striped):
    exported = striped.export()
    for name in ("corrections.csv", "issues.csv"):
        found = {each["id"]: each["corrected_label"] for each in read_table(striped.out / name)}
        assert found["e1"] == found["e2"] == "Zebra"
    argilla = {each["id"]: each for each in json.loads((striped.out / "argilla.json").read_text())}
    assert argilla["e1"]["responses"]["label"][0]["value"] == ["Zebra"]
    studio = json.loads((striped.out / "label_studio.json").read_text())
    results = {each["data"]["id"]: each["annotations"][0]["result"] for each in studio}
    assert results["e2"][0]["value"]["choices"] == ["Zebra"]
    lines = (striped.out / "prodigy.jsonl").read_text().splitlines()
    prodigy = [json.loads(line) for line in lines]
    assert [each["label"] for each in prodigy if each["meta"]["id"] == "e1"] == ["Zebra"]
    report = (striped.out / "report.html").read_text()
    assert "dog → <b>Zebra</b>" in report and "Added by curators." in report
    assert any(note.startswith("1 class added by curators: Zebra. ") for note in exported.notes)
    joint = (striped.out / "joint.csv").read_text()
    assert "Zebra" not in joint and len(joint.splitlines()) == 4  # the model does not know it


def test_an_export_without_new_classes_does_not_mention_them(small):
    small.decide(1, "relabel", "eel")
    assert not any("added" in note for note in small.export().notes)
    assert "Added by curators" not in (small.out / "report.html").read_text()


def test_a_hostile_name_is_literal_in_every_file(small):
    small.decide(1, "relabel", new_class=HOSTILE).export()
    assert read_table(small.out / "cleaned_labels.csv")[1]["label"] == HOSTILE
    assert read_table(small.out / "class_map.csv")[3]["name"] == HOSTILE
    assert "<img src=x>" not in (small.out / "report.html").read_text()
    small.export(spreadsheet_safe=True)
    assert read_table(small.out / "class_map.csv")[3]["name"] == f"'{HOSTILE}"


def test_merges_that_are_written_into_the_labels_leave_it_alone(striped):
    striped.decide_classes("merge", "cat", "dog", into="beast").export(apply_merges=True)
    labels = [each["label"] for each in read_table(striped.out / "cleaned_labels.csv")]
    assert labels == ["beast", "Zebra", "Zebra", *["beast"] * 5, "eel", "eel"]


def test_a_merge_into_its_name_is_reported(striped):
    notes = striped.decide_classes("merge", "cat", "dog", into="Zebra").export().notes
    assert "Curators added the class 'Zebra', and another class now has that name too." in notes


def test_the_dataset_that_has_the_class_by_now_takes_it_as_its_own(striped):
    """As after training with the new class: the labels are as before, the classes are four."""
    striped.export()
    striped.classes(("cat", "dog", "eel", "zebra")).probs([0, 2, 2, 1, 0, 1, 0, 1, 2, 2], 4)
    striped._dataset = None
    exported = striped.export()
    assert read_table(striped.out / "cleaned_labels.csv")[1]["label"] == "zebra"
    assert len(read_table(striped.out / "class_map.csv")) == 4
    assert not any("added" in note for note in exported.notes)


# ---- label files of numbers


def write_numbers(bench: Bench, name: str) -> None:
    labels = np.array([0, 1, 0, 1])
    path = bench.root / name
    if name.endswith(".npy"):
        np.save(path, labels.astype(np.uint8))
    elif name.endswith(".parquet"):
        pq.write_table(pa.table({"id": list("abcd"), "label": labels}), path)
    elif name.endswith(".jsonl"):
        rows = [
            {"id": each, "label": int(label)} for each, label in zip("abcd", labels, strict=True)
        ]
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    elif name.endswith(".xlsx"):
        book = openpyxl.Workbook()
        for row in [("id", "label"), *zip("abcd", labels.tolist(), strict=True)]:
            book.active.append(row)
        book.save(path)
    else:
        rows = [f"{each},{label}\n" for each, label in zip("abcd", labels, strict=True)]
        path.write_text("id,label\n" + "".join(rows))


def read_numbers(name: str, raw: bytes) -> list[object]:
    file = io.BytesIO(raw)
    if name.endswith(".npy"):
        return np.load(file).tolist()
    if name.endswith(".parquet"):
        return pq.read_table(file)["label"].to_pylist()
    if name.endswith(".jsonl"):
        return [json.loads(line)["label"] for line in file]
    if name.endswith(".xlsx"):
        return [
            row[1] for row in openpyxl.load_workbook(file).active.iter_rows(2, values_only=True)
        ]
    return [int(line.split(b",")[1]) for line in raw.splitlines()[1:]]


@pytest.mark.parametrize(
    "name", ["labels.csv", "labels.npy", "labels.parquet", "labels.jsonl", "labels.xlsx"]
)
def test_a_file_of_numbers_gets_the_next_ones_and_the_class_map_says_which(bench, name):
    write_numbers(bench, name)
    bench.classes(("cat", "dog")).probs([0, 1, 1, 1], 2)
    bench.decide(1, "relabel", new_class="zebra").decide(2, "relabel", new_class="yak")
    assert read_numbers(name, bench.cleaned()) == [0, 2, 3, 1]
    notes = bench.export().notes
    assert "2 classes added by curators: zebra, written as 2; yak, written as 3." in notes[0]
    found = {each["name"]: each["label"] for each in read_table(bench.out / "class_map.csv")}
    assert found == {"cat": "0", "dog": "1", "zebra": "2", "yak": "3"}
    corrections = read_table(bench.out / "corrections.csv")
    assert [each["corrected_label"] for each in corrections] == ["2", "3"]


def test_one_of_both_labels_may_be_a_new_class_in_every_file(small):
    small.decide(1, "ambiguous", labels=["dog"], new_class="Zebra").export()
    assert read_table(small.out / "cleaned_labels.csv")[1]["label"] == "dog"  # until somebody says
    added = read_table(small.out / "class_map.csv")[-1]
    assert added["name"] == "Zebra"
    assert added["why"] == "added by ana; 0 examples, and 1 with another class too"
    argilla = {each["id"]: each for each in json.loads((small.out / "argilla.json").read_text())}
    assert argilla["e1"]["responses"]["label"][0]["value"] == ["dog", "Zebra"]
    found = {each["id"]: each for each in read_table(small.out / "corrections.csv")}
    assert "dog" in found["e1"]["both_labels"] and "Zebra" in found["e1"]["both_labels"]
