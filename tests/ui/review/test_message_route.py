"""The route of Review's messages: who is answered, what is stored, and what is refused."""

from __future__ import annotations

import json
import logging
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

import curation
from curation.roles import NOBODY, OWNER, Actor, Role
from curation.store.backup import back_up
from curation.store.example_claims import Claims
from curation.ui.review import message_route, review_tab, session_items
from curation.ui.review.review_session import ReviewSession
from curation.ui.shell import page_store
from curation.ui.shell.decision_progress import ledger_of
from tests.pages import visiting
from tests.ui.review.conftest import GRID

ANA, BEN = Actor(Role.CURATOR, "ana"), Actor(Role.CURATOR, "ben")
VIC = Actor(Role.VIEWER, "vic")


def said(tab):
    return [(each.curator, each.action, each.example_id) for each in tab.session.store.log()]


def test_a_decision_is_stored_under_the_name_of_who_sent_it_and_answered(open_tab):
    tab = open_tab("ana", ANA)
    first, second = (step[0] for step in tab.drawn["answer"]["steps"][:2])
    answer = tab.post(tab.decide(first), tab.decide(second, "exclude"), cursor=first).json()
    assert {each["status"] for each in answer["answers"].values()} == {"saved"}
    assert said(tab) == [("ana", "keep", first), ("ana", "exclude", second)]
    assert answer["counts"]["decided"] == 2 and answer["answered"] == 1
    assert second in answer["items"] and answer["standing"][first]["mine"]["action"] == "keep"


def test_the_rights_of_whoever_asks_count_and_not_those_of_whoever_drew_the_page(open_tab):
    tab = open_tab("vic", VIC)
    (answer,) = tab.post(tab.decide("t00003")).json()["answers"].values()
    assert answer["status"] == "refused" and "you are a viewer" in answer["problem"]
    forged = open_tab("ana", BEN)  # a session under a name that is not that of its visitor
    (answer,) = forged.post(forged.decide("t00003")).json()["answers"].values()
    assert answer["problem"] == "NOT saved: you are signed in as ben, not as ana."
    assert not said(tab)


@pytest.mark.parametrize("actor", [BEN, NOBODY, OWNER])
def test_only_the_person_who_opened_a_tab_may_send_messages_to_it(open_tab, caplog, actor):
    tab = open_tab("ana", actor, visitor=ANA)
    with caplog.at_level(logging.WARNING):
        assert tab.post(tab.decide("t00003")).status_code == 403
    assert "a message to the Review tab of 'ana'" in caplog.text
    assert not said(tab)


def test_the_same_message_any_number_of_times_is_one_decision_with_one_answer(open_tab):
    tab, again = open_tab(), open_tab()  # and a duplicate of the tab
    operations = [tab.decide(f"t{row:05}") for row in range(4)]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda each: each.post(*operations), [tab, again] * 8))
    answers = [each.json()["answers"] for each in found]
    assert all(each == answers[0] for each in answers) and len(answers[0]) == 4
    assert said(tab) == [("ana", "keep", f"t{row:05}") for row in range(4)]


def test_nothing_is_stored_of_what_was_decided_in_another_store_or_under_another_name(open_tab):
    tab = open_tab("ana")
    answer = tab.post(tab.decide("t00003"), store=open_tab("ben").session.store_key).json()
    assert answer["answers"] == {} and not said(tab)


def test_a_tab_that_is_not_open_here_is_not_found(open_tab):
    tab = open_tab()
    tab.address = f"/{review_tab.ADDRESS}/guessed"
    assert tab.post(tab.decide("t00003")).status_code == 404
    assert tab.client.get(tab.address).status_code == 405


def test_a_tab_goes_with_the_session_of_its_page(open_tab):
    tab = open_tab()
    del tab.opened
    assert tab.post(tab.decide("t00003")).status_code == 404


def test_a_tab_of_a_dataset_that_was_read_again_is_gone(open_tab, frame):
    tab = open_tab()
    dataset = curation.load(frame.dataset.root)
    page_store._slot(frame.source).open(dataset, None)
    assert tab.post(tab.decide("t00003")).status_code == 404
    with curation.store.open_store(dataset) as store:
        assert not store.log()


def test_messages_arrive_behind_a_proxy_that_keeps_the_base_path(open_tab):
    tab = open_tab(base="/tools/curation")
    assert tab.post(tab.decide("t00003")).status_code == 200
    assert len(said(tab)) == 1


WRONG = {
    "not JSON": b"{",
    "not UTF-8": b'{"number": "\xff"}',
    "deeper than any message": b"[" * 200_000,
    "a list": b"[]",
    "no fields": b"{}",
    "a number that JSON has not": b'{"number": NaN}',
}


@pytest.mark.parametrize("body", WRONG.values(), ids=WRONG)
def test_what_is_no_message_is_refused_and_logged(open_tab, caplog, body):
    tab = open_tab()
    with caplog.at_level(logging.WARNING):
        answer = tab.client.post(tab.address, content=body)
    assert answer.status_code == 400
    assert "refused a message to Review from None: it" in caplog.text or "missing" in caplog.text


@pytest.mark.parametrize(
    "field, value, why",
    [
        ("number", "1", "number: '1' is not a whole number"),
        ("names", 1, "names: 1 is not true or false"),
        ("cursor", 3, "cursor: 3 is not a text or null"),
        ("items", ["a", None], "items[1]: None is not a text"),
        ("place", 10**30, "place: 1000"),
        ("operations", [{"do": "undo"}], "operations[0].op_id: None is not a text"),
        ("operations", {}, "operations: {} is not a list"),
        ("extra", 1, "'extra': there is no such field"),
        ("a\nforged line", 1, r"'a\nforged line': there is no such field"),
    ],
)
def test_a_field_that_does_not_fit_is_named(open_tab, caplog, field, value, why):
    tab = open_tab()
    with caplog.at_level(logging.WARNING):
        answer = tab.client.post(tab.address, json={**tab.write(), field: value})
    assert answer.status_code == 400 and why in answer.json()["problem"]
    assert why in caplog.text


def test_a_message_that_is_too_long_is_refused_before_it_is_read_whole(open_tab, monkeypatch):
    tab = open_tab()
    monkeypatch.setattr(message_route, "MAX_BYTES", 1000)
    answer = tab.post(tab.decide("t00003", note="x" * 1000))
    assert answer.status_code == 400 and "longer than 1,000 bytes" in answer.json()["problem"]
    assert not said(tab)


@pytest.mark.parametrize(
    "wrong, why",
    [
        ({"action": "eat"}, "action: 'eat' is not one of keep, relabel"),
        ({"do": "destroy"}, "do: 'destroy' is not one of decide"),
        ({"label": True}, "label: True is not a whole number"),
        ({"seconds": "1"}, "seconds: '1' is not a number"),
        ({"kind": "odd"}, "kind: 'odd' is not one of error, ontological, multi_label or null"),
        ({"sql": "x"}, "'sql': there is no such field"),
        ({"given": 99}, "invalid operation (IndexError)"),
        ({"action": "relabel", "label": 99}, "99"),
        ({"action": "ambiguous", "labels": [0, 99]}, "99"),
    ],
)
def test_an_operation_that_does_not_fit_is_refused_alone(open_tab, wrong, why):
    tab = open_tab()
    bad = tab.decide("t00003", op_id="bad", **wrong)
    answers = tab.post(bad, tab.decide("t00004", op_id="good")).json()["answers"]
    assert answers["bad"]["status"] == "refused" and why in answers["bad"]["problem"]
    assert answers["good"]["status"] == "saved"
    assert said(tab) == [("ana", "keep", "t00004")]


def test_no_more_operations_are_looked_at_than_are_carried_out(open_tab, monkeypatch, caplog):
    monkeypatch.setattr("curation.ui.review.session_decisions.MAX_OPERATIONS_PER_MESSAGE", 2)
    tab = open_tab()
    with caplog.at_level(logging.WARNING):
        answers = tab.post(*({"op_id": str(each)} for each in range(9))).json()["answers"]
    assert list(answers) == ["0", "1"]
    assert caplog.text.count("refused an operation") == 2  # and not as many lines as one likes


def test_a_store_that_is_gone_and_files_that_changed_have_the_page_drawn_again(open_tab, frame):
    tab = open_tab()
    table = frame.dataset.root / "labels.csv"
    before = table.read_bytes()
    table.write_bytes(before + b"\n")
    answer = tab.post(tab.decide("t00003"))
    assert answer.status_code == 503 and "labels.csv" in answer.json()["problem"]
    (frame.dataset.root / ".curation" / "decisions.db").unlink()
    assert tab.post().status_code == 503


def test_a_fault_of_our_own_shows_a_number_and_the_log_has_the_rest(open_tab, monkeypatch, caplog):
    tab = open_tab()
    monkeypatch.setattr(ReviewSession, "describe", lambda self: 1 / 0)
    answer = tab.post()
    assert answer.status_code == 500 and "ZeroDivisionError" not in answer.text
    number = answer.json()["problem"].split("number ")[1].split()[0]
    assert f"a message to Review failed ({number})" in caplog.text


def test_without_typical_examples_everything_else_is_answered(open_tab, frame, monkeypatch, caplog):
    monkeypatch.setattr(session_items, "find_typical_of_all", lambda findings: 1 / 0)
    tab = open_tab()
    session_items._find_typical(frame.findings).exception(timeout=10)
    answer = tab.post(tab.decide("t00003"), items=["t00003"])
    assert answer.status_code == 200 and answer.json()["strips"] == {}
    assert "typical examples were not found" in caplog.text and len(said(tab)) == 1


def test_half_a_character_is_answered_as_it_is(open_tab):
    tab = open_tab()
    body = json.dumps(tab.write(tab.decide("t00003"), conflicts=["\ud83d"]))
    answer = tab.client.post(tab.address, content=body)
    assert list(answer.json()["conflicts"]) == ["\ud83d"]


def test_what_matches_in_restored_decisions_is_another_list(open_tab, frame, tmp_path):
    tab = open_tab()
    session, rows = tab.session, tab.session.find_rows()
    tab.post(tab.decide(session.id_of(rows[0])))
    before = session.match_key(rows)
    with curation.store.open_store(frame.dataset, tmp_path / "restored.db") as store:
        store.decide(session.id_of(rows[1]), "keep", curator="ana")  # as many, but another
        assert replace(session, store=store).match_key(rows) != before


def test_what_a_restored_store_lacks_is_stored_again_if_it_is_sent_again(open_tab, frame, tmp_path):
    tab = open_tab()
    back_up(tab.session.store.backend.path, tmp_path / "copy.db")
    lost = tab.decide("t00003")  # its answer does not arrive
    tab.post(lost)
    with curation.store.open_store(frame.dataset, tmp_path / "copy.db") as restored:
        page_store._slot(frame.source).store = restored
        source = replace(tab.session.source, ledger=ledger_of(restored))
        tab.draw(store=restored, source=source)
        assert tab.post(lost).json()["answers"][lost["op_id"]]["status"] == "saved"
        assert [entry.op_id for entry in restored.log()] == [lost["op_id"]]


def test_a_list_of_restored_decisions_is_found_again(open_tab, frame, tmp_path):
    tab = open_tab()
    tab.post(tab.decide("t00003", "skip"))
    tab = open_tab(status="skipped")
    assert tab.drawn["answer"]["counts"]["all"] == 1
    with curation.store.open_store(frame.dataset, tmp_path / "restored.db") as store:
        assert tab.draw(store=store)["answer"]["counts"]["all"] == 0


def test_a_list_of_a_status_keeps_what_is_decided_in_it_until_it_is_opened_again(open_tab):
    tab = open_tab()
    tab.post(tab.decide("t00003", "skip"), tab.decide("t00004", "skip"))
    tab = open_tab(status="skipped")
    assert tab.drawn["answer"]["counts"]["all"] == 2
    answer = tab.post(tab.decide("t00003", "keep", revision=1)).json()
    assert answer["counts"]["all"] == 2 and answer["counts"]["decided"] == 1
    assert tab.draw()["answer"]["counts"]["all"] == 2  # the same list, drawn again
    assert open_tab(status="skipped").drawn["answer"]["counts"]["all"] == 1


def test_a_page_that_is_drawn_again_goes_on_where_the_browser_is(open_tab):
    tab = open_tab()
    here = tab.drawn["answer"]["steps"][4][0]
    tab.post(cursor=here, place=4, items=[here], names=True)
    again = tab.draw()
    assert again["number"] == 2 and again["address"] == tab.drawn["address"]
    assert again["answer"]["start"] == here and here not in again["answer"]["items"]


@pytest.fixture
def page(monkeypatch, tmp_path):
    from curation.ui.server import tickets
    from curation.ui.shell import jobs, visitor

    monkeypatch.setattr(jobs, "WAIT_SECONDS", 30)
    monkeypatch.setattr(visitor, "find_ticket", lambda: tickets.issue(OWNER))
    return visiting.run(visiting.save(tmp_path / "pets"), "pages/3_Review.py")


def test_the_page_hands_over_an_address_that_answers(page, open_tab):
    drawing = json.loads(page.get("bidi_component")[0].proto.json)
    tab = open_tab()
    tab.drawn, tab.address = drawing, drawing["address"].removeprefix(".")
    shown = drawing["answer"]["start"]
    operation = tab.decide(shown, judged=drawing["answer"]["judged"])
    assert tab.post(operation).json()["answers"][f"keep {shown}"]["status"] == "saved"
    page.run()
    again = json.loads(page.get("bidi_component")[0].proto.json)
    assert again["address"] == drawing["address"] and again["number"] == 2
    assert again["answer"]["counts"]["decided"] == 1


@pytest.fixture
def claims(frame):
    """What people at another server have in front of them."""
    with curation.open_store(frame.dataset) as store:
        yield Claims(store)


def test_all_that_match_leaves_out_what_others_have_in_front_of_them(open_tab, claims):
    hers = {"t00001": 0, "t00002": 0, "t00003": 0}
    claims.claim(hers, curator="ana", tab="1")
    ben = open_tab("ben", shown=GRID)
    shown = ben.drawn["answer"]
    assert (shown["total"], shown["taken"]) == (12, 3)
    claims.claim({"t00004": 0}, curator="cleo", tab="1")  # while ben is asked to confirm
    (answer,) = ben.post(ben.decide_all()).json()["answers"].values()
    assert (answer["status"], answer["count"]) == ("saved", 8)
    decided = {each for _, _, each in said(ben)}
    assert len(decided) == 8 and not decided & {*hers, "t00004"}


def test_all_that_match_never_decides_more_than_was_confirmed(open_tab, claims):
    claims.claim({"t00001": 0, "t00002": 0}, curator="ana", tab="1")
    ben = open_tab("ben", shown=GRID)
    claims.release(curator="ana", tab="1")
    (answer,) = ben.post(ben.decide_all()).json()["answers"].values()
    assert answer["problem"] == "NOT saved: you confirmed 10, but 12 match now."
    claims.claim({f"t{row:05}": 0 for row in range(12)}, curator="ana", tab="1")
    (answer,) = ben.post(ben.decide_all(op_id="none")).json()["answers"].values()
    assert answer["problem"] == "NOT saved: all of them are in front of somebody else now."
    assert not said(ben)


def test_claims_count_in_a_grid_of_any_status_unless_each_judges_every_example(open_tab, claims):
    claims.claim({"t00001": 0}, curator="ben", tab="1")
    assert open_tab("ana", shown=GRID, status="all").drawn["answer"]["taken"] == 1
    assert open_tab("ben", shown=GRID).drawn["answer"]["taken"] == 0
    assert open_tab("ana", shown=GRID, everyone=True).drawn["answer"]["taken"] == 0
