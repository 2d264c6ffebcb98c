"""JSON arrays: read as tables, and written back with only the decided values changed."""

import json

import pytest

from curation.loading.formats.base import TableFile
from curation.loading.formats.json_array import JsonArray
from curation.loading.report_builder import ReportBuilder, Stop

NAMES = ["cat", "dog", "eel"]
ROWS = [{"id": f"e{k}", "text": f"té {k}", "label": NAMES[k % 3]} for k in range(6)]


def read(folder, text):
    path = folder.write("labels.json", text)
    return JsonArray().read(TableFile(path, "labels.json", 2**30), ReportBuilder())


def refused(folder, text):
    with pytest.raises(Stop) as caught:
        read(folder, text)
    return caught.value.diagnosis


@pytest.fixture
def pets(bench):
    bench.classes(NAMES).probs([0, 1, 2, 0, 1, 2])
    return bench


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("ascii_only", [True, False])
def test_only_decided_values_change(pets, indent, ascii_only):
    before = json.dumps(ROWS, indent=indent, ensure_ascii=ascii_only).encode()
    pets.write("labels.json", before)
    assert pets.cleaned() == before
    after = pets.relabel({1: "eel"}).cleaned()
    assert after == before.replace(b'"dog"', b'"eel"', 1)


def test_label_in_a_list_stays_in_its_list(pets):
    rows = [row | {"label": [row["label"]]} for row in ROWS]
    before = json.dumps(rows).encode()
    pets.write("labels.json", before)
    assert pets.relabel({1: "eel"}).cleaned() == before.replace(b'["dog"]', b'["eel"]', 1)


def test_row_that_is_excluded_goes_with_its_comma(pets):
    pets.write("labels.json", json.dumps(ROWS, indent=1).encode())
    pets.decide(0, "exclude").decide(5, "exclude")
    assert json.loads(pets.cleaned()) == ROWS[1:5]
    marked = json.loads(pets.cleaned(excluded="flag"))
    assert [row["excluded"] for row in marked] == [True, False, False, False, False, True]


def test_list_of_labels_alone_is_written_back(pets):
    pets.write("labels.json", b'["cat", "dog",  "eel", "cat", "dog", "eel"]')
    assert pets.relabel({1: "eel"}).cleaned() == b'["cat", "eel",  "eel", "cat", "dog", "eel"]'


def test_numbers_are_written_as_numbers(pets):
    pets.write("labels.json", json.dumps([{"label": k % 3} for k in range(6)]).encode())
    assert json.loads(pets.relabel({1: "eel"}).cleaned())[1] == {"label": 2}


def test_table_that_cannot_be_written_back_becomes_ids_and_labels(pets):
    columns = {"id": [row["id"] for row in ROWS], "label": [row["label"] for row in ROWS]}
    pets.write("labels.json", json.dumps(columns).encode())
    assert pets.relabel({1: "eel"}).cleaned().splitlines()[:3] == [
        b"id,label",
        b"e0,cat",
        b"e1,eel",
    ]
    pets.export()
    assert any("not written back" in note for note in pets.manifest["notes"])


def test_values_are_exact(folder):
    table = read(folder, '[{"y": 1.10}, {"y": 9007199254740993}]')
    assert table.text("y").to_pylist() == ["1.10", "9007199254740993"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[{"y": 1}, {"y"', "not valid JSON"),
        ('[{"y": 1}, {"y"', "The file is cut off"),
        ('[{"y": 1, "y": 2}]', "occurs twice"),
        ('{"settings": {"a": 1}, "b": [1, 2]}', "not a table"),
        ("[[1, 2], [3, 4]]", "not a table"),
        ("[]", "no rows"),
        ("[" * 100_000, "not valid JSON"),
    ],
)
def test_what_is_not_a_table_is_refused(folder, text, words):
    assert words in refused(folder, text).what


def test_settings_of_programs_are_not_taken_for_labels(whole):
    whole.write("package.json", '{"name": "x", "version": "1.0"}')
    whole.write("tsconfig.json", '{"files": ["a.ts", "b.ts"]}')
    assert whole.load().settings["labels"] == "labels.csv"


@pytest.mark.parametrize(
    "text",
    [
        '{"images": [5], "annotations": [], "categories": []}',
        '{"categories": {"label": {"labels": [{"name": "a"}]}}, "items": [{"annotations": 5}]}',
        '[{"data_row": {}, "projects": {}}, {"data_row": 5, "projects": []}]',
        '[{"instance": {}, "prediction": {"displayNames": [], "confidences": []}}, '
        '{"instance": 5}]',
    ],
    ids=["COCO", "Datumaro", "Labelbox", "Vertex AI"],
)
def test_records_of_another_form_than_the_first_are_refused(folder, text):
    folder.write("labels.json", text)
    folder.save("probs.npy", folder.probs)
    assert folder.codes() == {"table.tool_export"}
