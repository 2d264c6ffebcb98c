"""Which decision counts for each example, also once the dataset is another than it was."""

from __future__ import annotations

import pytest

import curation
from curation.review.example_status import CODE_OF, UNDECIDED
from curation.review.ledger import Ledger
from curation.review.outcome import find_outcome
from curation.store import open_store
from curation.store.actions import Action


def write(root, labels):
    rows = "".join(f"e{k},{label},text {k}\n" for k, label in enumerate(labels))
    (root / "labels.csv").write_text(f"id,label,text\n{rows}")
    probs = "".join(f"e{k},0.6,0.4\n" for k in range(len(labels)))
    (root / "probs.csv").write_text(f"id,cat,dog\n{probs}")
    return curation.load(root)


@pytest.fixture
def changed(tmp_path):
    """A store in which ana kept e0 as a cat, and the dataset in which it is a dog."""
    before = write(tmp_path, ["cat", "dog", "cat", "dog"])
    with open_store(before, tmp_path / "decisions.db") as store:
        store.decide("e0", "keep", curator="ana")
    with open_store(
        write(tmp_path, ["dog", "dog", "cat", "cat"]), tmp_path / "decisions.db"
    ) as store:
        yield store


def test_a_decision_that_no_longer_fits_does_not_come_back_when_a_later_one_is_undone(changed):
    changed.decide("e0", "relabel", label="cat", curator="ana")
    ledger = Ledger(changed)
    assert ledger.codes()[0] == CODE_OF[Action.RELABEL]
    changed.undo(curator="ana")
    ledger.catch_up()
    assert find_outcome(changed.dataset, changed.log(), "latest").by_row == {}
    assert ledger.codes()[0] == UNDECIDED and ledger.current_decision("e0") is None


def test_a_curators_own_decision_that_no_longer_fits_leaves_the_example_to_do(changed):
    changed.decide("e0", "exclude", curator="bo")
    ledger = Ledger(changed)
    assert ledger.codes("bo")[0] == CODE_OF[Action.EXCLUDE]
    assert ledger.codes("ana")[0] == UNDECIDED
