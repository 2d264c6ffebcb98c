"""Lists of classes in every form people keep them."""

import json

import pytest

from curation.loading.labels.class_list import read_classes
from curation.loading.report_builder import ReportBuilder, Stop


def read(folder, name, text):
    return read_classes(folder.write(name, text), name, ReportBuilder(), memory_limit=2**30)


def refused(folder, name, text):
    with pytest.raises(Stop) as caught:
        read(folder, name, text)
    return caught.value.diagnosis


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_one_name_a_line(folder, end):
    classes = read(folder, "classes.txt", f"\ufeffcat{end}dog {end}{end}")
    assert classes.names == classes.ids == ("cat", "dog ")


def test_ids_and_names_divided_by_a_tab(folder):
    classes = read(folder, "classes.txt", "n1\tmaillot\nn2\tmaillot\n")
    assert (classes.names, classes.ids) == (("maillot", "maillot"), ("n1", "n2"))


@pytest.mark.parametrize(
    ("value", "names", "ids"),
    [
        (["cat", "dog"], ("cat", "dog"), ("cat", "dog")),
        ([0, 1], ("0", "1"), ("0", "1")),
        ([{"id": "n1", "name": "cat"}, {"id": "n2", "name": "cat"}], ("cat",) * 2, ("n1", "n2")),
        ([{"name": "cat"}, {"name": "dog"}], ("cat", "dog"), ("cat", "dog")),
        ({"1": "dog", "0": "cat"}, ("cat", "dog"), ("cat", "dog")),
        ({"n2": "dog", "n1": "cat"}, ("dog", "cat"), ("n2", "n1")),
        ({"dog": 1, "cat": 0}, ("cat", "dog"), ("cat", "dog")),
    ],
)
def test_json_in_every_usual_shape(folder, value, names, ids):
    classes = read(folder, "classes.json", json.dumps(value))
    assert (classes.names, classes.ids) == (names, ids)


def test_table_of_ids_and_names(folder):
    classes = read(folder, "classes.csv", "id,name\n007,cat\nn2,cat\n")
    assert (classes.names, classes.ids) == (("cat", "cat"), ("007", "n2"))
    assert read(folder, "classes.csv", "name\ncat\ndog\n").ids == ("cat", "dog")


def test_blank_line_in_the_middle_is_named(folder):
    assert refused(folder, "classes.txt", "cat\n\ndog\n").where == "classes.txt, line 2"


def test_ids_that_repeat_are_named(folder):
    assert "'n1'" in refused(folder, "classes.txt", "n1\tcat\nn1\tdog\n").what


@pytest.mark.parametrize("text", ["{", "3", '[["a"]]', '{"a": []}', "[", "null", "[" * 100_000])
def test_other_json_is_refused(folder, text):
    assert refused(folder, "classes.json", text).code in ("classes.broken", "classes.shape")


@pytest.mark.parametrize(("name", "text"), [("classes.txt", ""), ("classes.json", "[]")])
def test_no_classes_are_refused(folder, name, text):
    assert refused(folder, name, text).what == "it lists no classes."


def test_latin_1_is_offered(folder):
    assert "latin-1" in refused(folder, "classes.txt", "café\n".encode("latin-1")).what


def test_ids_in_lines_that_number_the_classes_say_their_order(folder):
    classes = read(folder, "classes.txt", "2\towl\n0\tcat\n1\tdog\n")
    assert (classes.names, classes.ids) == (("cat", "dog", "owl"), ("0", "1", "2"))
