"""What was chosen on a page stands after a reload: all of it is in the page's link."""

from __future__ import annotations

from pathlib import Path

import pytest

import curation
from curation.store import open_store
from tests.pages.visiting import ROOT, link, run

KINDS = (
    "selectbox", "multiselect", "toggle", "checkbox", "radio", "button_group", "select_slider",
    "slider", "text_input", "text_area", "number_input",
)  # fmt: skip
# Every widget that chooses what is shown, with something else than its default.
EVERY_PAGE = {
    "widget.method": "prune_by_class",
    "widget.threshold": "75",
    "widget.collisions": "confident",
}
LABELS = {"widget.labels": "decided"}
CHOICES = {
    "overview.py": {**EVERY_PAGE, **LABELS, "widget.find": "ca"},
    "pages/1_Noise.py": {
        **LABELS, "widget.matrix": "confusion", "widget.classes": "noise",
        "widget.scale": "log", "widget.diagonal": True,
    },
    "pages/2_Overlap.py": {
        **LABELS, "widget.view": "map", "widget.rows": "each", "widget.class": 1,
    },
    "pages/3_Review.py": {
        "filter.scope": "all", "filter.status": "decided", "filter.given": ["1"],
        "filter.true": ["2"], "filter.action": ["keep"], "filter.kind": ["error"],
        "filter.margin": (-0.5, 0.5), "filter.order": "file", "filter.by": "ana",
        "filter.note": "#x", "filter.search": "dog", "filter.view": "grid",
        "filter.queue": "everyone",
        "widget.size": "60", "widget.curators": True,
    },
    "pages/4_Export.py": {
        "widget.undecided": "suggest", "widget.excluded": "flag",
        "widget.ambiguous": "exclude", "widget.policy": "majority", "widget.merges": "yes",
        "widget.issue_order": "self_confidence", "widget.safe": "yes",
    },
    "pages/5_Quality.py": {"widget.worth": "20"},
    "pages/6_Map.py": {
        "widget.colour": "margin", "widget.layout": "umap", "widget.only_flagged": True,
        "widget.only_undecided": True,
    },
    "pages/7_Benefit.py": {"widget.runs": "5"},
}  # fmt: skip

# Fields of something to be done: a name, a note, a class to merge into, an audit to draw.
ACTIONS = ("curator-", "merge-into-", "parent-", "rename-", "note-", "quality-", "export-folder")
# These have nothing else to choose from in this dataset, or only with another choice.
NO_OTHER_HERE = (
    "widget.against", "widget.model", "widget.confidence", "filter.pair", "filter.tag", "filter.to",
)  # fmt: skip


@pytest.fixture
def decided(pets: Path) -> Path:
    """Two curators, and a decision about classes: Export asks about all of it."""
    with open_store(curation.load(pets)) as store:
        store.decide("0", "keep", curator="ana")
        store.decide("1", "keep", curator="bo")
        store.decide_classes("merge", "cat", "dog", into="pet", curator="ana")
    return pets


def find_widgets(app):
    """Return the widgets of a page by key."""
    return {each.key: each for kind in KINDS for each in getattr(app, kind) if each.key}


@pytest.mark.parametrize("page", CHOICES)
def test_every_choice_on_a_page_stands_after_a_reload(decided, page):
    for key, value in CHOICES[page].items():
        app = run(decided, page)
        before = find_widgets(app)[key].value
        find_widgets(app)[key].set_value(value).run()
        again = find_widgets(run(None, page, **link(app)))[key].value
        assert again == value != before, key


@pytest.mark.parametrize("page", CHOICES)
def test_a_new_widget_is_a_choice_in_the_link_or_part_of_something_to_be_done(decided, page):
    found = {each for each in find_widgets(run(decided, page)) if not each.startswith(ACTIONS)}
    assert found <= {*CHOICES[page], *EVERY_PAGE, *NO_OTHER_HERE}


def test_every_page_is_in_the_list_above():
    assert {each.name for each in (ROOT / "pages").glob("*.py")} == {
        Path(each).name for each in CHOICES if each.startswith("pages/")
    }
