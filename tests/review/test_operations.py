"""What becomes of the operations that the browser sends."""

from __future__ import annotations

import numpy as np
import pytest

import curation
from curation.errors import NotSavedError, StoreError
from curation.review.ledger import Ledger
from curation.review.operations import carry_out
from curation.roles import Actor, Role
from tests import small_set
from tests.review.page_operations import do, keep


@pytest.mark.fault(68, "HOLDS")
def test_an_operation_sent_twice_is_stored_once_and_gets_the_same_answer(ledger):
    first = do(ledger, keep("1", "e4"))
    again = do(ledger, keep("1", "e4"), keep("2", "e6"))
    assert first["1"] == again["1"]
    assert [entry.example_id for entry in ledger.store.log()] == ["e4", "e6"]
    assert ledger.codes().tolist() == [0, 0, 0, 0, 1, 0, 1, 0]


def test_what_a_viewer_sends_is_refused_with_the_reason(ledger, monkeypatch):
    monkeypatch.setattr(ledger.store, "find_actor", lambda: Actor(Role.VIEWER, "vic"))
    answer = do(ledger, keep("1", "e4"), curator="vic")["1"]
    assert answer["status"] == "refused" and "you are a viewer" in answer["problem"]
    assert not ledger.store.log()


def test_changing_a_decision_before_it_was_answered_is_not_a_conflict(ledger):
    exclude = keep("2", "e4", revision=0, base="1") | {"action": "exclude"}
    answers = do(ledger, keep("1", "e4", revision=0), exclude)
    assert [answers[each]["status"] for each in "12"] == ["saved", "saved"]
    assert ledger.current_decision("e4").action == "exclude"


def test_changing_a_decision_that_was_a_conflict_is_a_conflict_too(ledger):
    do(ledger, keep("1", "e4", revision=0), curator="ben")
    exclude = keep("2", "e4", revision=0) | {"action": "exclude"}
    second = keep("3", "e4", revision=0, base="2") | {"action": "skip"}
    answers = do(ledger, exclude, second)
    assert [answers[each]["status"] for each in "23"] == ["conflict", "conflict"]
    assert ledger.current_decision("e4").curator == "ben"


def test_changing_a_decision_is_not_a_conflict_even_if_its_answer_is_forgotten(ledger):
    do(ledger, keep("1", "e4", revision=0))
    exclude = keep("2", "e4", revision=0, base="1") | {"action": "exclude"}
    assert do(ledger, exclude, known={})["2"]["status"] == "saved"  # as after a reload


def test_changing_a_decision_of_a_bulk_action_checks_only_its_own_example(ledger):
    asked = [{"example_id": each, "action": "keep"} for each in ("e1", "e4", "e6")]
    do(ledger, {"op_id": "1", "do": "many", "asked": asked})
    exclude = keep("2", "e6", revision=0, base="1") | {"action": "exclude"}
    assert do(ledger, exclude)["2"]["status"] == "saved"


def test_decisions_about_other_classes_or_examples_are_refused_unless_they_are_stored(ledger):
    relabel = keep("1", "e4", judged="then") | {"action": "relabel", "label": 1}
    before = keep("2", "e6", judged="then")
    do(ledger, keep("2", "e6"))
    answers = carry_out(
        ledger, [before, relabel], curator="ana", match=lambda _: [], known={}, judged="now"
    )
    assert answers["2"]["status"] == "saved"
    assert answers["1"]["status"] == "refused"
    assert "the classes or the examples have changed" in answers["1"]["problem"]
    assert [entry.op_id for entry in ledger.store.log()] == ["2"]


def test_a_decision_about_a_label_that_is_another_one_by_now_is_refused(ledger):
    # e3 is labelled dog (1): whoever saw it labelled cat (0) judged another label.
    answers = do(ledger, keep("1", "e3", given=0), keep("2", "e4", given=0))
    assert answers["1"]["problem"] == (
        "NOT saved: e3 was labelled 'cat' when you decided, and is 'dog' now."
    )
    asked = [{"example_id": each, "action": "keep"} for each in ("e1", "e3")]
    bulk = {"op_id": "3", "do": "many", "asked": asked, "given": {"e1": 0, "e3": 0}}
    assert do(ledger, bulk)["3"]["status"] == "refused"
    assert [entry.example_id for entry in ledger.store.log()] == ["e4"]


def test_a_store_that_cannot_be_read_is_tried_again(ledger, monkeypatch):
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


def test_operations_wait_after_one_that_could_not_be_saved(ledger, monkeypatch):
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


def test_an_undo_withdraws_only_what_was_on_screen(ledger):
    do(ledger, keep("1", "e1"), keep("2", "e4"))
    elsewhere = {"op_id": "3", "do": "undo", "expect": "1", "id": "e1"}  # a tab that knows only 1
    assert do(ledger, elsewhere)["3"]["status"] == "refused"
    assert ledger.current_decision("e4").action == "keep"
    here = {"op_id": "4", "do": "undo", "expect": "2", "id": "e4"}
    assert do(ledger, here)["4"]["id"] == "e4"
    assert do(ledger, here)["4"]["status"] == "undone"  # once more, the same answer
    assert [entry.entry for entry in ledger.store.log()] == ["decide", "decide", "undo"]


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


def test_a_bulk_action_checks_only_own_decisions_if_curators_judge_independently(ledger):
    do(ledger, keep("1", "e4", revision=0), curator="ben")
    assert do(ledger, bulk("2", "e1", "e4"), blind=True)["2"]["status"] == "saved"
    assert ledger.codes("ana")[4] == 4 and ledger.codes("ben")[4] == 1


def test_a_bulk_action_is_one_unit_of_the_confirmed_number(ledger):
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
def test_an_invalid_operation_is_refused_and_does_not_block_the_rest(ledger, odd):
    answers = do(ledger, keep("1", "e1") | odd, keep("2", "e4"))
    assert answers["2"]["status"] == "saved"
    assert answers["1"]["status"] == "refused"


def test_the_small_dataset_flags_the_expected_examples(tmp_path):
    data = curation.load(
        small_set.write_texts(tmp_path / "set", 60, 12, rng=np.random.default_rng(1))
    )
    found = curation.analyze(data.labels, data.pred_probs, data.class_names)
    assert sorted(found.issues().tolist()) == list(range(12))


def test_a_redo_restores_only_what_was_on_screen(ledger):
    do(ledger, keep("1", "e1"), keep("2", "e4"))
    for op_id, expect in (("3", "2"), ("4", "1")):
        do(ledger, {"op_id": op_id, "do": "undo", "expect": expect, "id": None})
    assert [unit[0].op_id for unit in ledger.undone_units("ana", 9)] == ["1", "2"]
    late = do(ledger, {"op_id": "5", "do": "redo", "expect": "2", "id": "e4"})["5"]
    assert late["status"] == "refused" and "NOT redone" in late["problem"]
    redo = {"op_id": "6", "do": "redo", "expect": "1", "id": "e1"}
    assert do(ledger, redo)["6"]["status"] == "saved"
    assert do(ledger, redo)["6"]["id"] == "e1"  # once more, the same answer
    assert ledger.current_decision("e1").action == "keep"
    assert ledger.current_decision("e4") is None
    do(ledger, keep("7", "e6"))  # a new decision ends what can be redone
    assert not ledger.undone_units("ana", 9)
    last = do(ledger, {"op_id": "8", "do": "redo", "expect": "2", "id": "e4"})["8"]
    assert last["status"] == "refused"


def test_a_decision_made_while_a_file_changed_is_stored_with_what_was_loaded(tmp_path):
    folder = small_set.write_texts(tmp_path / "set", 30, 3, rng=np.random.default_rng(0))
    dataset = curation.load(folder)
    ledger = Ledger(curation.open_store(dataset))
    loaded = dataset.fingerprint
    np.save(folder / "probs.npy", np.load(folder / "probs.npy")[::-1])
    assert do(ledger, keep("1", "t00000"))["1"]["status"] == "saved"
    assert [each.fingerprint for each in ledger.store.log()] == [loaded]

    for name in ("fingerprint", "fingerprint_parts"):  # as if it had not been worked out in time
        dataset.__dict__.pop(name)
    answer = do(ledger, keep("2", "t00001"))["2"]
    assert answer["status"] == "failed"  # and so it is sent again, once the files are loaded again
    assert "NOT saved: probs.npy was changed after it was loaded." in answer["problem"]
    assert len(ledger.store.log()) == 1
    ledger.store.close()


def test_a_ledger_agrees_with_the_store_after_any_operations(ledger):
    rng = np.random.default_rng(3)
    done: list[str] = []
    for step in range(80):
        curator = ("ana", "ben")[int(rng.integers(2))]
        if rng.random() < 0.3:
            latest = [unit[0].op_id for unit in ledger.latest_units(curator, 1)]
            operation = {"op_id": f"u{step}", "do": "undo", "expect": (latest or [None])[0]}
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
    assert {f"e{each}" for each in range(8) if ledger.find_differing(f"e{each}")} == disputed
    for curator in (None, "ana", "ben"):
        assert ledger.codes(curator).tolist() == fresh.codes(curator).tolist()
