"""Handing out a list to several curators: each example to one of them."""

from __future__ import annotations

import numpy as np
import pytest

from curation.errors import StoreError
from curation.review import review_queue
from curation.review.example_status import CODES
from curation.review.handing_out import TAKEN, Recipient, count_taken, find_share, hand_out
from curation.review.ledger import Ledger
from curation.store import open_store
from curation.store.example_claims import Claims

ROWS = np.arange(8)
ANA, BO = Recipient("ana", "a"), Recipient("bo", "b")


@pytest.fixture
def other(pets, tmp_path):
    """The ledger of another process on the same store."""
    with open_store(pets, tmp_path / "decisions.db") as store:
        yield Ledger(store)


def choose(codes, ahead=3):
    """Return the next rows that are undecided."""
    places = review_queue.find_ahead(ROWS, codes, CODES["undecided"], -1, ahead)
    return [int(ROWS[place]) for place in places]


def hand(ledger, to, **options):
    """Return the rows that a curator is handed, and the codes by which they were found."""
    codes = hand_out(ledger, to, ledger.codes(), "undecided", choose, **options)
    return choose(codes), codes


def test_two_curators_are_handed_different_examples(ledger, other):
    assert hand(ledger, ANA)[0] == [0, 1, 2]
    assert hand(other, BO)[0] == [3, 4, 5]
    assert hand(ledger, ANA)[0] == [0, 1, 2], "and keep them"
    assert hand(other, Recipient("cy", "c"))[0] == [6, 7]


def test_what_others_have_is_taken_and_nothing_is_left(ledger, other):
    for to in (ANA, BO, Recipient("cy", "c")):
        hand(ledger, to)
    rows, codes = hand(other, Recipient("di", "d"))
    assert rows == [] and codes.tolist() == [TAKEN] * 8 and count_taken(codes, ROWS[:5]) == 5
    assert ledger.codes().tolist() == [0] * 8, "the ledger itself is not changed"


def test_what_is_decided_is_with_nobody(ledger, other):
    hand(ledger, ANA)
    ledger.store.decide("e0", "keep", curator="ana")
    other.catch_up()
    codes = hand(other, BO)[1]
    assert codes[0] != TAKEN and count_taken(codes, ROWS) == 2


def test_what_is_set_aside_for_a_second_look_is_free_for_others_at_once(ledger, other):
    hand(ledger, ANA)
    ledger.store.decide("e0", "needs_review", curator="ana")
    ledger.catch_up()
    hand(ledger, ANA)  # the answer to her next message
    other.catch_up()
    wanted = CODES["needs_review"]

    def choose_second(codes):
        return [row for row in ROWS.tolist() if codes[row] in wanted]

    codes = hand_out(other, BO, other.codes(), "needs_review", choose_second)
    assert choose_second(codes) == [0]
    assert Claims(other.store).find("bo", "b").taken == {"e1", "e2", "e3"}, "she keeps the others"


def test_a_curator_goes_on_behind_what_the_other_has(ledger, other):
    hand(ledger, ANA)
    hand(other, BO)
    ledger.store.decide("e0", "keep", curator="ana")
    ledger.catch_up()
    assert hand(ledger, ANA)[0] == [1, 2, 6]


def test_what_was_decided_elsewhere_is_not_handed_out_before_the_log_is_read(ledger, other):
    hand(ledger, ANA)
    ledger.store.decide("e0", "keep", curator="ana")
    Claims(ledger.store).release(curator="ana", tab="a")
    assert other.codes()[0] == 0, "this process does not know yet"
    assert hand(other, BO)[0] == [1, 2, 3]


def test_another_list_gives_up_what_was_held(ledger, other):
    hand(ledger, ANA)
    codes = hand_out(ledger, ANA, ledger.codes(), "undecided", lambda codes: [7], is_new_list=True)
    assert codes[7] == 0
    assert hand(other, BO)[0] == [0, 1, 2]


def test_a_finished_list_gives_up_what_was_held(ledger, other):
    hand(ledger, ANA)
    hand_out(ledger, ANA, ledger.codes(), "undecided", lambda codes: [])
    assert hand(other, BO)[0] == [0, 1, 2]


@pytest.mark.parametrize(
    ("taken", "left", "expected"),
    [
        (0, 5, (16, True)),
        (0, 15, (16, True)),
        (0, 16, (16, False)),
        (1, 200, (16, False)),  # a quarter of 64, beyond which nobody looks
        (1, 40, (10, False)),
        (1, 5, (3, False)),
        (1, 3, (3, True)),
        (1, 0, (3, True)),
    ],
)
def test_with_others_at_the_list_nobody_gets_more_than_a_quarter_of_it(taken, left, expected):
    codes = np.array([TAKEN] * taken + [0] * left + [1] * 9, np.int8)
    found = find_share(np.arange(len(codes)), codes, "undecided", taken + left)
    assert found == expected


def test_a_skipped_example_is_handed_out_again_from_the_list_of_skipped(ledger, other):
    ledger.store.decide("e3", "skip", curator="ana")
    for each in (ledger, other):
        each.catch_up()
    codes = hand_out(ledger, ANA, ledger.codes(), "skipped", lambda codes: [3])
    assert codes[3] != TAKEN
    assert hand_out(other, BO, other.codes(), "skipped", lambda codes: [3])[3] == TAKEN


def test_nothing_is_written_as_long_as_the_claims_last(ledger, monkeypatch):
    first = hand(ledger, ANA)[0]

    def refuse(*arguments):
        raise AssertionError("written")

    monkeypatch.setattr(ledger.store.backend, "write", refuse)
    assert hand(ledger, ANA)[0] == first


def test_while_the_store_is_locked_a_curator_goes_on_with_what_they_hold(ledger, other):
    assert hand(ledger, ANA)[0] == [0, 1, 2]
    ledger.store.decide("e0", "keep", curator="ana")
    ledger.catch_up()
    with other.store.backend.writer.begin():
        assert hand(ledger, ANA)[0] == [1, 2], "nothing new, and nothing that bo may get"
        with pytest.raises(StoreError, match="No example can be handed out now: .* was locked"):
            hand(ledger, BO)
    assert hand(ledger, ANA)[0] == [1, 2, 3]


def test_a_claim_of_an_example_that_is_gone_is_ignored(ledger):
    Claims(ledger.store).claim({"no longer there": 0}, curator="bo", tab="b")
    assert hand(ledger, ANA)[0] == [0, 1, 2]


def test_a_curator_who_always_comes_second_gets_nothing_unclaimed(ledger, other, monkeypatch):
    claim = Claims.claim

    def lose(self, wanted, *, curator, tab, **options):
        if curator == "ana":
            claim(Claims(other.store), wanted, curator="bo", tab="b")
        return claim(self, wanted, curator=curator, tab=tab, **options)

    monkeypatch.setattr(Claims, "claim", lose)
    codes = hand_out(ledger, ANA, ledger.codes(), "undecided", lambda codes: choose(codes, 1))
    assert codes.tolist() == [TAKEN] * 8
