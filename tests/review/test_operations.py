"""What becomes of what the browser sends, and what the ledger makes of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import curation
from curation.errors import NotSavedError, StoreError
from curation.review import operations
from curation.review.ledger import Ledger
from curation.review.operations import carry_out, describe_answers, describe_other
from curation.review.outcome import find_outcome
from curation.roles import Actor, Role
from curation.store.derived_tables import find_differences
from tests import small_set


def do(ledger, *operations, curator="ana", known=None, blind=False):
    return carry_out(
        ledger, operations, curator=curator, match=lambda operation: operation["asked"],
        known=known or {}, blind=blind,
    )  # fmt: skip


def keep(op_id, example_id, **more):
    return {"op_id": op_id, "do": "decide", "id": example_id, "action": "keep"} | more


@pytest.mark.fault(68, "HOLDS")
def test_an_operation_sent_twice_is_stored_once_and_gets_the_same_answer(ledger):
    first = do(ledger, keep("1", "e4"))
    again = do(ledger, keep("1", "e4"), keep("2", "e6"))
    assert first["1"] == again["1"]
    assert [entry.example_id for entry in ledger.store.log()] == ["e4", "e6"]
    assert ledger.codes().tolist() == [0, 0, 0, 0, 1, 0, 1, 0]


def test_a_curator_who_may_not_settle_adds_an_answer_and_a_lead_settles(ledger, monkeypatch):
    do(ledger, keep("1", "e4"), curator="ana")
    do(ledger, keep("2", "e4") | {"action": "exclude"}, curator="ben")
    settle = keep("3", "e4") | {"do": "resolve"}
    monkeypatch.setattr(ledger.store, "find_actor", lambda: Actor(Role.CURATOR, "cy"))
    assert do(ledger, settle, curator="cy")["3"]["status"] == "saved"
    assert ledger.store.log()[-1].entry == "decide" and ledger.disputed()[4]
    assert not any(each["settles"] for each in describe_answers(ledger, "e4"))
    late = do(ledger, keep("5", "e4", revision=0) | {"action": "exclude"}, curator="cy")["5"]
    assert late["status"] == "conflict" and not late["settles"]
    monkeypatch.setattr(ledger.store, "find_actor", lambda: Actor(Role.LEAD, "lee"))
    assert do(ledger, settle | {"op_id": "4"}, curator="lee")["4"]["status"] == "saved"
    assert ledger.store.log()[-1].entry == "resolve" and not ledger.disputed()[4]


def test_a_page_is_told_whether_its_visitor_settles_by_answering(ledger):
    do(ledger, keep("1", "e4"), curator="ana")
    late = do(ledger, keep("2", "e4", revision=0) | {"action": "exclude"}, curator="ben")["2"]
    assert late["status"] == "conflict" and late["settles"]  # who works alone is the owner
    do(ledger, keep("3", "e4") | {"action": "exclude"}, curator="ben")
    assert all(each["settles"] for each in describe_answers(ledger, "e4"))


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


def test_a_decision_can_be_repeated_unless_its_class_is_gone(ledger):
    theirs = ledger.store.decide("e4", "relabel", label="dog", curator="ben")
    again = {"action": "relabel", "label": 1, "new_class": None, "labels": None}
    now = ledger.store.dataset
    assert operations._repeat_operation(theirs, now) == again
    assert operations._repeat_operation(theirs, replace(now, class_ids=("cat", "eel"))) is None


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


def test_another_curators_answer_is_a_conflict_that_either_can_settle(ledger):
    do(ledger, keep("1", "e4", revision=0), curator="ben")
    mine = keep("2", "e4", revision=0) | {"action": "relabel", "label": 1}
    answer = do(ledger, mine)["2"]
    assert (answer["status"], answer["theirs"]["curator"]) == ("conflict", "ben")
    assert answer["theirs"]["again"] == {
        "action": "keep", "label": None, "new_class": None, "labels": None,
    }  # fmt: skip
    assert answer["mine"]["time"] == ledger.store.log()[-1].time  # when it was put on record
    assert ledger.find_differing("e4")
    again = mine | {"op_id": "3", "do": "resolve", "revision": answer["revision"]}
    assert do(ledger, again)["3"]["status"] == "saved"
    assert ledger.current_decision("e4").label == "dog"
    assert not ledger.find_differing("e4") and not ledger.store.disagreements()


@pytest.mark.parametrize("settler", ["ana", "ben"])
def test_undoing_a_settlement_brings_the_dispute_back_with_both_answers(ledger, settler):
    def find_disputes():
        with ledger.store.backend.read() as connection:
            assert find_differences(connection) == []
        outcome = find_outcome(ledger.store.dataset, ledger.store.log(), "latest")
        counted = [int(each.disputed().sum()) for each in (ledger, Ledger(ledger.store))]
        assert counted == [len(ledger.store.disagreements())] * 2 == [len(outcome.disputed)] * 2
        return [(each.curator, each.action) for each in ledger.find_differing("e4")]

    do(ledger, keep("1", "e4", revision=0), curator="ben")
    answer = do(ledger, keep("2", "e4", revision=0) | {"action": "relabel", "label": 1})["2"]
    both = [("ben", "keep"), ("ana", "relabel")]
    assert find_disputes() == both
    settle = keep("3", "e4", revision=answer["revision"]) | {"do": "resolve"}
    assert do(ledger, settle, curator=settler)["3"]["status"] == "saved"
    assert find_disputes() == []
    undo = {"op_id": "4", "do": "undo", "expect": "3", "id": "e4"}
    assert do(ledger, undo, curator=settler)["4"]["status"] == "undone"
    assert find_disputes() == both
    redo = {"op_id": "5", "do": "redo", "expect": "3", "id": "e4"}
    assert do(ledger, redo, curator=settler)["5"]["status"] == "saved"
    assert find_disputes() == []


def test_another_answer_is_not_a_conflict_if_curators_judge_independently(ledger):
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


def test_the_small_dataset_flags_the_expected_examples(tmp_path):
    data = curation.load(
        small_set.write_texts(tmp_path / "set", 60, 12, rng=np.random.default_rng(1))
    )
    found = curation.analyze(data.labels, data.pred_probs, data.class_names)
    assert sorted(found.issues().tolist()) == list(range(12))


def test_the_browser_code_never_writes_text_as_markup():
    folder = Path(curation.__file__).parent / "ui" / "review" / "component"
    for script in folder.glob("*.js"):
        for markup in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("):
            assert markup not in script.read_text(), f"{script.name} uses {markup}"


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


def test_accepting_an_answer_that_no_longer_stands_says_nothing_in_ones_name(ledger):
    store = ledger.store
    theirs = store.decide("e4", "keep", curator="ben")
    late = do(ledger, keep("1", "e4", revision=0) | {"action": "exclude"})["1"]
    assert late["status"] == "conflict"
    store.resolve("e4", "relabel", label="dog", curator="lead")
    before = len(store.log())
    accept = {**keep("2", "e4", revision=late["revision"]), "do": "resolve", "accepts": True}
    answer = do(ledger, accept)["2"]
    assert answer["status"] == "refused" and len(store.log()) == before
    assert answer["problem"] == "e4 was settled meanwhile: lead said relabel to 'dog'."
    assert theirs.curator == "ben" and not store.disagreements()


def test_the_answers_of_a_dispute_name_everybody_who_gave_them_and_why(ledger):
    store = ledger.store
    store.decide("e4", "keep", curator="ana", note="a cat, see the ears")
    store.decide("e4", "relabel", label="dog", curator="ben")
    store.decide("e4", "keep", curator="cleo")
    ledger.catch_up()
    kept, dog = operations.describe_answers(ledger, "e4")
    assert kept["reasons"] == [("ana", "a cat, see the ears"), ("cleo", "")]
    assert dog["reasons"] == [("ben", "")] and dog["answer"]["again"]["action"] == "relabel"
    assert operations.describe_dispute(ledger, "e4")["disputed"]
    store.resolve("e4", "keep", curator="lead")
    ledger.catch_up()
    state = operations.describe_dispute(ledger, "e4")
    assert not state["disputed"] and state["force"]["curator"] == "lead"
    assert operations.describe_answers(ledger, "e4") == []
    assert not ledger.disputed().any()


def add_class(op_id, example_id, name, **more):
    return keep(op_id, example_id) | {"action": "relabel", "new_class": name} | more


def test_a_new_class_can_be_chosen_by_everyone_until_the_last_decision_about_it_is_undone(ledger):
    assert do(ledger, add_class("1", "e1", " Plains  zebra "))["1"]["status"] == "saved"
    do(ledger, add_class("2", "e4", "plains ZEBRA"), curator="ben")
    assert [each.name for each in ledger.added_classes()] == ["Plains zebra"]
    assert ledger.current_decision("e4").label == "Plains zebra"
    do(ledger, {"op_id": "3", "do": "undo", "expect": "1"})
    assert [each.name for each in ledger.added_classes()] == ["Plains zebra"]  # ben's stands
    do(ledger, {"op_id": "4", "do": "undo", "expect": "2"}, curator="ben")
    assert ledger.added_classes() == ()
    do(ledger, {"op_id": "5", "do": "redo", "expect": "1"})
    assert [each.name for each in ledger.added_classes()] == ["Plains zebra"]
    assert Ledger(ledger.store).added_classes() == ledger.added_classes()  # as after a restart


@pytest.mark.parametrize("name", ["Dog", " dog ", "DO\u200bG", "wolf", "  ", "z" * 201, "a\x07"])
def test_a_new_class_that_is_not_new_or_has_no_name_is_refused(ledger, name):
    ledger.store.decide_classes("rename", "cat", into="wolf", curator="ana")
    answer = do(ledger, add_class("1", "e1", name))["1"]
    assert answer["status"] == "refused" and "NOT saved" in answer["problem"]
    assert ledger.added_classes() == ()


def test_a_new_class_sent_twice_is_one_decision_even_if_it_got_another_name_meanwhile(ledger):
    do(ledger, add_class("1", "e1", "Zebra"))
    do(ledger, add_class("2", "e4", "zebra"), curator="ben")  # stored as Zebra
    do(ledger, {"op_id": "3", "do": "undo", "expect": "1"})
    again = do(ledger, add_class("2", "e4", "zebra"), curator="ben")["2"]
    assert again["status"] == "saved"
    assert [entry.label for entry in ledger.store.log()] == ["Zebra", "Zebra", "Zebra"]


def test_two_curators_who_add_the_same_class_agree_and_two_classes_are_a_dispute(ledger):
    do(ledger, add_class("1", "e1", "zebra", revision=0))
    do(ledger, add_class("2", "e1", "ZEBRA", revision=0), curator="ben")
    assert not ledger.disputed().any()
    answer = do(ledger, add_class("3", "e1", "yak", revision=0), curator="cy")["3"]
    assert answer["status"] == "conflict"
    assert answer["theirs"]["again"] == {
        "action": "relabel", "label": None, "new_class": "zebra", "labels": None,
    }  # fmt: skip
    again = answer["theirs"]["again"] | {"op_id": "4", "do": "resolve", "id": "e1"}
    do(ledger, again | {"revision": answer["revision"]}, curator="cy")
    assert not ledger.disputed().any() and [e.name for e in ledger.added_classes()] == ["zebra"]


def test_a_new_class_for_many_examples_is_one_operation(ledger):
    asked = [
        {"example_id": each, "action": "relabel", "new_class": "zebra"} for each in ("e1", "e4")
    ]
    do(ledger, {"op_id": "1", "do": "many", "asked": asked, "new_class": "zebra"})
    assert ledger.new_label_ids() == {1: "new class: zebra", 4: "new class: zebra"}
    do(ledger, {"op_id": "2", "do": "undo", "expect": "1"})
    assert ledger.new_label_ids() == {} and ledger.added_classes() == ()


def test_both_may_be_the_given_label_and_a_new_class_which_others_can_then_choose(ledger):
    both = {"action": "ambiguous", "labels": [0], "new_class": "Zebra"}
    do(ledger, keep("1", "e1") | both)
    found = ledger.current_decision("e1")
    assert (found.labels, found.label_ids) == (("cat", "Zebra"), ("cat", "new class: zebra"))
    assert found.label is None and [each.name for each in ledger.added_classes()] == ["Zebra"]
    assert describe_other(ledger, found)["again"] == {
        "action": "ambiguous", "label": None, "new_class": "Zebra", "labels": [0],
    }  # fmt: skip
    do(ledger, keep("2", "e1") | both | {"new_class": "ZEBRA"}, curator="ben")
    assert not ledger.find_differing("e1")  # the same answer, and spelled alike
    do(ledger, {"op_id": "3", "do": "undo", "expect": "1"})
    do(ledger, {"op_id": "4", "do": "undo", "expect": "2"}, curator="ben")
    assert not ledger.added_classes()
