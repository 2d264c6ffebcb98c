"""Which example comes next, why it was flagged, and what becomes of what was decided."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import scipy.stats

import curation
from curation.errors import NotSavedError, StoreError
from curation.review import operations, review_queue
from curation.review.ledger import Ledger
from curation.review.operations import carry_out
from curation.review.review_queue import Filters
from curation.store import open_store
from tests import small_set

# Eight examples, two classes. Rows 1, 4 and 6 are given cat, but the model is sure of dog.
LABELS = np.array([0, 0, 0, 1, 0, 1, 0, 1])
PROBS = np.array(
    [[0.9, 0.1], [0.1, 0.9], [0.8, 0.2], [0.2, 0.8], [0.02, 0.98], [0.1, 0.9], [0.05, 0.95]]
    + [[0.3, 0.7]]
)


@pytest.fixture
def pets(tmp_path):
    (tmp_path / "labels.csv").write_text(
        "id,label,text,shop\n"
        + "".join(
            f"e{row},{('cat', 'dog')[label]},Text {row},{('South', 'North')[row % 2]}\n"
            for row, label in enumerate(LABELS)
        )
    )
    np.save(tmp_path / "probs.npy", PROBS)
    return curation.load(tmp_path)


@pytest.fixture
def findings(pets):
    return curation.analyze(pets.labels, pets.pred_probs, pets.class_names)


@pytest.fixture
def ledger(pets, tmp_path):
    with open_store(pets, tmp_path / "decisions.db") as store:
        yield Ledger(store)


def test_a_queue_holds_the_flagged_rows_the_most_suspect_first(findings):
    assert review_queue.find_rows(findings, Filters()).tolist() == [4, 6, 1]
    assert review_queue.find_rows(findings, Filters(given=1)).tolist() == []
    assert review_queue.find_rows(findings, Filters(given=0, suggested=1)).tolist() == [4, 6, 1]


@pytest.mark.parametrize(
    ("search", "rows"), [("E6", [6]), ("text 1", [1]), (" south ", [4, 6]), ("nowhere", [])]
)
def test_a_search_looks_at_id_text_and_other_columns_in_any_case(findings, pets, search, rows):
    queue = review_queue.find_rows(findings, Filters())
    assert review_queue.search_rows(pets, queue, search).tolist() == rows
    assert review_queue.search_rows(pets, queue, "  ") is queue


def test_what_is_left_out_by_a_window_is_never_something_to_do():
    rng = np.random.default_rng(7)
    for _ in range(300):
        size = int(rng.integers(1, 40))
        rows = rng.permutation(60)[:size]
        codes = rng.integers(0, 2, 60).astype(np.int8)
        place, ahead = int(rng.integers(size)), int(rng.integers(1, 9))
        steps = review_queue.find_window(rows, codes, (0,), place, back=2, ahead=ahead)
        places = [step.place for step in steps]
        assert len(set(places)) == len(places)
        assert {place - 1, place, place + 1} & set(range(size)) <= set(places)
        # Walking round from the place, everything to do up to the last of the window is in it.
        round_trip = [(place + offset) % size for offset in range(1, size)]
        todo = [each for each in round_trip if codes[rows[each]] == 0]
        assert set(todo[:ahead]) <= set(places)
        assert all(step.todo == (codes[step.row] == 0) for step in steps)
        if len(todo) < ahead:
            assert set(todo) <= set(places)


def test_states_are_counted_by_what_is_left_to_do():
    codes = np.array([0, 1, 2, 5, 6, 0], dtype=np.int8)  # keep, relabel, skip, needs review
    counts = review_queue.count_states(np.arange(5), codes)
    assert counts == {
        "undecided": 1, "decided": 2, "skipped": 1, "needs_review": 1, "all": 5, "kept": 1,
    }  # fmt: skip


@pytest.mark.parametrize(("settled", "real", "left"), [(10, 0, 200), (37, 30, 50), (90, 45, 8)])
def test_a_forecast_goes_by_the_last_ones_settled_and_says_how_unsure_it_is(settled, real, left):
    # The first are real and long ago: only the last 50 count. Skipped ones say nothing.
    codes = [2] * (settled - min(settled, 50)) + [3] * real + [1] * (min(settled, 50) - real)
    codes += [5] * 4 + [0] * left
    found = review_queue.forecast(np.arange(len(codes)), np.array(codes, np.int8), settled + 4)
    seen, upcoming = min(settled, 50), min(left, 50)
    posterior = scipy.stats.betabinom(upcoming, real + 0.5, seen - real + 0.5)
    assert (found.settled, found.real, found.upcoming) == (seen, real, upcoming)
    assert found.expected == pytest.approx(posterior.mean())
    assert (found.low, found.high) == (posterior.ppf(0.025), posterior.ppf(0.975))
    assert found.summary == (
        f"about {posterior.mean():.0f} of the next {upcoming} are real "
        f"({found.low} to {found.high})"
    )


def test_a_forecast_holds_as_often_as_it_says():
    rng = np.random.default_rng(5)
    held = []
    for _ in range(400):
        real = rng.random(100) < rng.random()
        codes = np.concatenate([1 + real[:50], np.zeros(50)]).astype(np.int8)
        found = review_queue.forecast(np.arange(100), codes, 50)
        held.append(found.low <= real[50:].sum() <= found.high)
    assert 0.95 <= np.mean(held) <= 0.99  # whole numbers: a little more than 95 %


def test_nothing_is_foretold_from_too_few_or_of_none():
    few, done = np.array([1] * 9 + [0] * 9, np.int8), np.ones(30, np.int8)
    assert review_queue.forecast(np.arange(18), few, 9) is None
    assert review_queue.forecast(np.arange(30), done, 29) is None


def test_a_flag_is_explained_in_one_sentence_with_numbers(findings, pets):
    # Thresholds: cat (.9+.1+.8+.02+.05)/5 = .374, dog (.8+.9+.7)/3 = .80.
    assert review_queue.explain(findings, pets, 4) == (
        "The model gives dog 0.98, typical for dog is 0.80; it gives the label cat 0.02; "
        "all five methods flag it."
    )
    assert review_queue.explain(findings, pets, 0).endswith("no method flags it.")


def test_a_percentile_is_not_called_typical(pets):
    # Dogs have .8, .9 and .7: half of them at most .80, all of them at most .90.
    for level, said in ((50, "the 50th percentile for dog is 0.80"), (100, "for dog is 0.90")):
        found = curation.analyze(pets.labels, pets.pred_probs, ["cat", "dog"], threshold=level)
        assert said in review_queue.explain(found, pets, 4)


def test_typical_examples_are_given_the_class_and_surest_of_it(findings):
    cats, dogs = review_queue.find_typical(findings, 2)
    assert cats.tolist() == [0, 2]
    assert dogs.tolist() == [5, 3]


# ---- what becomes of what was decided


def do(ledger, *operations, curator="ana", known=None, blind=False):
    return carry_out(
        ledger, operations, curator=curator, match=lambda operation: operation["asked"],
        known=known or {}, blind=blind,
    )  # fmt: skip


def keep(op_id, example_id, **more):
    return {"op_id": op_id, "do": "decide", "id": example_id, "action": "keep"} | more


def test_an_operation_sent_again_is_stored_once_and_answered_alike(ledger):
    first = do(ledger, keep("1", "e4"))
    again = do(ledger, keep("1", "e4"), keep("2", "e6"))
    assert first["1"] == again["1"]
    assert [entry.example_id for entry in ledger.store.log()] == ["e4", "e6"]
    assert ledger.codes().tolist() == [0, 0, 0, 0, 1, 0, 1, 0]


def test_a_second_thought_before_the_first_was_answered_is_no_conflict(ledger):
    exclude = keep("2", "e4", revision=0, base="1") | {"action": "exclude"}
    answers = do(ledger, keep("1", "e4", revision=0), exclude)
    assert [answers[each]["status"] for each in "12"] == ["saved", "saved"]
    assert ledger.current_decision("e4").action == "exclude"


def test_a_second_thought_on_what_was_a_conflict_is_one_too(ledger):
    do(ledger, keep("1", "e4", revision=0), curator="ben")
    exclude = keep("2", "e4", revision=0) | {"action": "exclude"}
    second = keep("3", "e4", revision=0, base="2") | {"action": "skip"}
    answers = do(ledger, exclude, second)
    assert [answers[each]["status"] for each in "23"] == ["conflict", "conflict"]
    assert ledger.current_decision("e4").curator == "ben"


def test_a_second_thought_is_no_conflict_though_the_first_answer_is_forgotten(ledger):
    do(ledger, keep("1", "e4", revision=0))
    exclude = keep("2", "e4", revision=0, base="1") | {"action": "exclude"}
    assert do(ledger, exclude, known={})["2"]["status"] == "saved"  # as after a reload


def test_a_second_thought_after_a_bulk_action_goes_by_its_own_example(ledger):
    asked = [{"example_id": each, "action": "keep"} for each in ("e1", "e4", "e6")]
    do(ledger, {"op_id": "1", "do": "many", "asked": asked})
    exclude = keep("2", "e6", revision=0, base="1") | {"action": "exclude"}
    assert do(ledger, exclude)["2"]["status"] == "saved"


def test_labels_sent_for_other_classes_are_refused(ledger):
    relabel = keep("1", "e4", classes="then") | {"action": "relabel", "label": 1}
    answers = carry_out(
        ledger, [relabel], curator="ana", match=lambda _: [], known={}, classes="now"
    )
    assert answers["1"]["status"] == "refused" and "classes have changed" in answers["1"]["problem"]
    assert not ledger.store.log()


def test_a_store_that_cannot_be_read_just_now_is_asked_again(ledger, monkeypatch):
    do(ledger, keep("1", "e1"))
    catch_up, calls = Ledger.catch_up, []

    def busy_at_first(ledger):
        calls.append(ledger)
        if len(calls) == 1:
            raise StoreError("It is busy.", "Try again in a moment.")
        catch_up(ledger)

    monkeypatch.setattr(Ledger, "catch_up", busy_at_first)
    monkeypatch.setattr("curation.review.operations.RETRY_SECONDS", 0)
    undo = {"op_id": "2", "do": "undo", "expect": "1", "id": "e1"}
    answers = do(ledger, undo)
    assert answers["2"]["status"] == "failed" and ledger.current_decision("e1").action == "keep"
    assert do(ledger, undo, known=answers)["2"]["status"] == "undone"


def test_what_they_said_can_be_repeated_unless_its_class_is_gone(ledger):
    theirs = ledger.store.decide("e4", "relabel", label="dog", curator="ben")
    again = {"action": "relabel", "label": 1, "labels": None}
    assert operations._repeat(theirs, ("cat", "dog")) == again
    assert operations._repeat(theirs, ("cat", "eel")) is None


def test_after_what_could_not_be_saved_the_rest_waits(ledger, monkeypatch):
    do(ledger, keep("1", "e1"))
    undo = {"op_id": "3", "do": "undo", "expect": "2", "id": "e4"}
    with monkeypatch.context() as patch:
        patch.setattr(type(ledger.store), "decide", fail)
        answers = do(ledger, keep("2", "e4"), undo)
    assert list(answers) == ["2"]
    assert (
        answers["2"] | {"status": "failed", "problem": "NOT saved: full.", "remedy": "Free."}
        == (answers["2"])
    )
    assert do(ledger, keep("2", "e4"), undo, known=answers) == answers  # no other try so soon
    monkeypatch.setattr("curation.review.operations.RETRY_SECONDS", 0)
    answers = do(ledger, keep("2", "e4"), undo, known=answers)
    assert [answers[each]["status"] for each in "23"] == ["saved", "undone"]
    assert ledger.current_decision("e4") is None
    assert ledger.current_decision("e1").action == "keep"


def fail(*_, **__):
    raise NotSavedError("NOT saved: full.", "Free.")


def test_an_undo_takes_back_only_what_was_on_screen(ledger):
    do(ledger, keep("1", "e1"), keep("2", "e4"))
    elsewhere = {"op_id": "3", "do": "undo", "expect": "1", "id": "e1"}  # a tab that knows only 1
    assert do(ledger, elsewhere)["3"]["status"] == "refused"
    assert ledger.current_decision("e4").action == "keep"
    here = {"op_id": "4", "do": "undo", "expect": "2", "id": "e4"}
    assert do(ledger, here)["4"]["id"] == "e4"
    assert do(ledger, here)["4"]["status"] == "undone"  # once more, the same answer
    assert [entry.entry for entry in ledger.store.log()] == ["decide", "decide", "undo"]


def test_someone_elses_answer_is_a_conflict_that_either_can_settle(ledger):
    do(ledger, keep("1", "e4", revision=0), curator="ben")
    mine = keep("2", "e4", revision=0) | {"action": "relabel", "label": 1}
    answer = do(ledger, mine)["2"]
    assert (answer["status"], answer["theirs"]["curator"]) == ("conflict", "ben")
    assert answer["theirs"]["again"] == {"action": "keep", "label": None, "labels": None}
    assert ledger.is_disputed("e4")
    again = mine | {"op_id": "3", "do": "resolve", "revision": answer["revision"]}
    assert do(ledger, again)["3"]["status"] == "saved"
    assert ledger.current_decision("e4").label == "dog"
    assert not ledger.is_disputed("e4") and not ledger.store.disagreements()


def test_where_everyone_judges_alone_another_answer_is_no_conflict(ledger):
    do(ledger, keep("1", "e4", revision=0), curator="ben")
    mine = keep("2", "e4", revision=0) | {"action": "exclude"}
    assert do(ledger, mine, blind=True)["2"]["status"] == "saved"
    assert len(ledger.store.disagreements()) == 1
    assert ledger.codes("ben")[4] == 1 and ledger.codes("ana")[4] == 4


def bulk(op_id, *ids, **more):
    asked = [{"example_id": each, "action": "exclude", "revision": 0} for each in ids]
    return {"op_id": op_id, "do": "many", "asked": asked} | more


def test_a_bulk_action_that_comes_too_late_for_one_says_that_none_was_saved(ledger):
    do(ledger, keep("1", "e4", revision=0), curator="ben")
    answer = do(ledger, bulk("2", "e1", "e4", "e6"))["2"]
    assert answer["status"] == "refused"
    assert answer["problem"] == "NOT saved: none of the 3. ben decided e4 meanwhile."
    assert {each.example_id for each in ledger.store.current()} == {"e4"}
    assert do(ledger, bulk("2", "e1", "e4", "e6"))["2"] == answer  # also when it is sent again


def test_where_everyone_judges_alone_a_bulk_action_meets_only_ones_own_word(ledger):
    do(ledger, keep("1", "e4", revision=0), curator="ben")
    assert do(ledger, bulk("2", "e1", "e4"), blind=True)["2"]["status"] == "saved"
    assert ledger.codes("ana")[4] == 4 and ledger.codes("ben")[4] == 1


def test_a_bulk_action_is_one_unit_whose_number_was_confirmed(ledger):
    asked = [{"example_id": each, "action": "keep"} for each in ("e1", "e4", "e6")]
    wrong = {"op_id": "1", "do": "many", "count": 2, "asked": asked}
    assert do(ledger, wrong)["1"]["status"] == "refused"
    assert ledger.store.log() == []
    right = wrong | {"op_id": "2", "count": 3}
    assert do(ledger, right)["2"]["count"] == 3
    assert do(ledger, right | {"asked": []})["2"]["count"] == 3  # repeated: what it meant then
    assert do(ledger, {"op_id": "3", "do": "undo", "expect": "2"})["3"]["count"] == 3
    assert ledger.codes().sum() == 0


@pytest.mark.parametrize(
    "odd", [{"id": "nobody"}, {"action": "burn"}, {"label": 99, "action": "relabel"}, {"do": "x"}]
)
def test_what_makes_no_sense_is_refused_and_does_not_hold_up_the_rest(ledger, odd):
    answers = do(ledger, keep("1", "e1") | odd, keep("2", "e4"))
    assert answers["2"]["status"] == "saved"
    assert answers["1"]["status"] == "refused"


def test_a_ledger_agrees_with_the_store_whatever_happened(ledger):
    rng = np.random.default_rng(3)
    done: list[str] = []
    for step in range(80):
        curator = ("ana", "ben")[int(rng.integers(2))]
        if rng.random() < 0.3:
            operation = {"op_id": f"u{step}", "do": "undo", "expect": ledger.next_undo(curator)}
        else:
            action = ("keep", "exclude", "skip", "needs_review")[int(rng.integers(4))]
            operation = keep(f"d{step}", f"e{rng.integers(8)}") | {"action": action}
            operation["do"] = "resolve" if rng.random() < 0.1 else "decide"
        do(ledger, operation, curator=curator)
        done.append(operation["op_id"])
    fresh = Ledger(ledger.store)
    in_force = {each.example_id: each for each in ledger.store.current()}
    for each in range(8):
        standing = ledger.current_decision(f"e{each}")
        assert standing == in_force.get(f"e{each}") == fresh.current_decision(f"e{each}")
    disputed = {each.example_id for each in ledger.store.disagreements()}
    assert {f"e{each}" for each in range(8) if ledger.is_disputed(f"e{each}")} == disputed
    for curator in (None, "ana", "ben"):
        assert ledger.codes(curator).tolist() == fresh.codes(curator).tolist()


def test_the_small_set_flags_what_it_says(tmp_path):
    data = curation.load(
        small_set.write_texts(tmp_path / "set", 60, 12, rng=np.random.default_rng(1))
    )
    found = curation.analyze(data.labels, data.pred_probs, data.class_names)
    assert sorted(found.issues().tolist()) == list(range(12))


def test_the_browsers_part_never_writes_text_as_markup():
    folder = Path(curation.__file__).parent / "ui" / "review" / "component"
    for script in folder.glob("*.js"):
        for markup in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("):
            assert markup not in script.read_text(), f"{script.name} uses {markup}"
