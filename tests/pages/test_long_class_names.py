"""Classes whose names begin alike are told apart in every table that lists them."""

from __future__ import annotations

import json

import pytest

import curation
from curation.store import open_store
from tests.pages import visiting

STEM = "instruments for measuring the pressure of liquids in closed vessels, "
NAMES = (f"{STEM}with a needle", f"{STEM}with a display", "cat")
SEEN = 15  # characters of a name that the narrowest column shows


@pytest.fixture
def folder(tmp_path):
    return visiting.save(tmp_path / "set", names=NAMES)


@pytest.mark.parametrize(
    ("page", "columns"),
    [
        ("overview.py", ["name"]),
        ("pages/1_Noise.py", ["labelled", "probably"]),
        ("pages/2_Overlap.py", ["first", "second"]),
        ("pages/4_Export.py", ["before", "after"]),
    ],
)
def test_no_two_classes_look_alike_in_a_table(folder, page, columns):
    dataset = curation.load(folder)
    with open_store(dataset) as store:
        for row, label in enumerate(dataset.labels[:40].tolist()):
            store.decide(str(row), "relabel", label=(label + 1) % 3, curator="ana")
    app = visiting.run(folder, page)
    tables = [each.value for each in app.dataframe if set(columns) <= set(each.value.columns)]
    shown = {name for table in tables for column in columns for name in table[column]}
    assert len({name[:SEEN] for name in shown}) == len(shown) == len(NAMES)


def test_a_class_is_found_by_any_part_of_its_name(folder):
    app = visiting.run(folder, find="liquids in closed")
    assert len(app.dataframe[0].value) == 2


def test_no_two_classes_look_alike_on_the_tiles_of_review(folder):
    app = visiting.run(folder, "pages/3_Review.py", view="grid")
    answer = json.loads(app.get("bidi_component")[0].proto.json)["answer"]
    assert answer["names"] == list(NAMES) and answer["short_names"][2] == "cat"
    assert len({name[:SEEN] for name in answer["short_names"]}) == len(NAMES)
