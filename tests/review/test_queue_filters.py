"""Which examples a queue holds, and in which order."""

from __future__ import annotations

import numpy as np
import pytest

from curation.review.queue_filters import (
    QUEUE_ORDERS,
    SCOPES,
    FilterMasks,
    Filters,
    QueueSource,
    Scope,
    count_classes,
    find_rows,
)
from curation.store.actions import Action, IssueKind


@pytest.fixture
def find(pets, findings, ledger):
    """Return the rows of a queue: `find(given=(0,))`."""

    def look(**filters):
        ledger.catch_up()
        source = QueueSource(pets, findings, ledger)
        return find_rows(source, Filters(**filters)).tolist()

    return look


def test_a_queue_holds_the_flagged_rows_the_most_suspect_first(find):
    assert find() == [4, 6, 1]
    assert find(given=(1,)) == []
    assert find(given=(0,), suggested=(1,)) == [4, 6, 1]


def test_all_examples_can_be_asked_for_flagged_or_not(find):
    # Margins: .8, -.8, .6, .6, -.96, .8, -.9, .4; equal ones in the order of the file.
    assert find(scope="all") == [4, 6, 1, 7, 2, 3, 0, 5]
    assert find(scope="all", given=(1,)) == [7, 3, 5]
    assert find(scope="all", given=(0, 1), suggested=(0,)) == [7, 3, 5]


def test_a_pair_is_asked_for_whichever_of_the_two_is_given(find):
    assert find(scope="all", pair=(1, 0)) == find(scope="all")
    assert find(scope="flagged", pair=(0, 1)) == [4, 6, 1]


def test_a_margin_is_asked_for_with_both_ends(find):
    assert find(scope="all", margin=(-0.9, 0.4)) == [6, 1, 7]


@pytest.mark.parametrize("order", QUEUE_ORDERS)
def test_an_order_changes_no_example_and_a_filter_changes_no_order(find, findings, order):
    rows = find(scope="all", order=order, seed=3)
    assert sorted(rows) == list(range(8))
    cats = [row for row in rows if findings.labels[row] == 0]
    assert find(scope="all", order=order, seed=3, given=(0,)) == cats


def test_the_order_of_the_file_and_a_random_one_that_its_seed_repeats(find):
    assert find(scope="all", order="file") == list(range(8))
    one, other = (find(scope="all", order="random", seed=seed) for seed in (1, 2))
    assert one == find(scope="all", order="random", seed=1)
    assert one != other


def test_a_random_order_begins_with_every_example_equally_often(find):
    firsts = [find(scope="all", order="random", seed=seed)[0] for seed in range(400)]
    assert np.bincount(firsts, minlength=8).min() > 25  # 50 expected each


def test_a_search_and_a_column_narrow_the_queue(find):
    assert find(search="south") == [4, 6]
    assert find(scope="all", column="shop", value="North") == [1, 7, 3, 5]
    assert find(column="shop", cell="nor") == [1]
    assert find(column="shop") == [4, 6, 1]


def test_decisions_are_found_by_action_kind_curator_and_note(find, ledger):
    store = ledger.store
    store.decide("e4", "keep", curator="ana", kind="ontological", note="Half DOG, half cat")
    store.decide("e0", "exclude", curator="ben", kind="error")
    assert find(actions=(Action.KEEP,)) == [4]
    assert find(scope="all", actions=(Action.KEEP, Action.EXCLUDE)) == [4, 0]
    assert find(scope="all", kinds=(IssueKind.ERROR,)) == [0]
    assert find(scope="all", curator="ben") == [0]
    assert find(curator="nobody") == []
    assert find(note="half dog") == [4]
    assert find(search="half dog") == [4]
    store.undo(curator="ana")
    assert find(note="half dog") == find(kinds=(IssueKind.ONTOLOGICAL,)) == []


def test_a_word_after_a_number_sign_in_a_note_is_a_tag_that_can_be_asked_for(find, ledger):
    ledger.store.decide("e4", "keep", curator="ana", note="dark #blurry")
    ledger.store.decide("e0", "skip", curator="ben", note="#two-cats #blurry")
    assert find(scope="all", tags=("blurry",)) == [4, 0]
    assert find(scope="all", tags=("two-cats",)) == [0]
    assert find(scope="all", tags=("dark",)) == []


def test_whoever_judges_alone_learns_nothing_of_the_others_from_a_filter(pets, findings, ledger):
    ledger.store.decide("e4", "keep", curator="ana", kind="error", note="sure")
    ledger.catch_up()
    source = QueueSource(pets, findings, ledger, curator="ben")
    for filters in (
        Filters(curator="ana"), Filters(kinds=(IssueKind.ERROR,)), Filters(note="sure"),
    ):  # fmt: skip
        assert find_rows(source, filters).tolist() == [4, 6, 1]
    assert find_rows(source, Filters(actions=(Action.KEEP,))).tolist() == []
    assert find_rows(source, Filters(search="sure")).tolist() == []


def test_without_a_store_nothing_is_decided(pets, findings):
    source = QueueSource(pets, findings)
    assert find_rows(source, Filters(actions=(Action.KEEP,))).tolist() == []
    assert find_rows(source, Filters(curator="ana")).tolist() == []


def test_a_scope_can_bring_an_order_of_its_own(find, monkeypatch):
    planned = Scope(lambda source, filters: np.array([5, 1, 4]), is_ordered=True)
    monkeypatch.setitem(SCOPES, "planned", planned)
    assert find(scope="planned") == [5, 1, 4]
    assert find(scope="planned", given=(0,)) == [1, 4]


def test_a_class_is_counted_with_every_other_filter_in_force(pets, findings):
    masks = FilterMasks(
        QueueSource(pets, findings), Filters(scope="all", given=(0,), search="north")
    )
    assert count_classes(masks, "given").tolist() == [1, 3]  # of the rows 1, 3, 5 and 7
    assert count_classes(masks, "suggested").tolist() == [0, 1]  # of row 1


def test_examples_are_asked_for_by_the_class_they_were_given(find, ledger):
    ledger.store.decide("e4", "relabel", new_class="Zebra", curator="ana")
    ledger.store.decide("e1", "relabel", label="dog", curator="ana")
    ledger.store.decide("e6", "keep", curator="ana")
    assert find(new_label="new class: zebra") == [4]
    assert find(new_label="dog") == [1]
    assert find(new_label="cat") == []
    ledger.store.undo(curator="ana")
    ledger.store.undo(curator="ana")
    assert find(new_label="dog") == []
