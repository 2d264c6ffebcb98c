"""The state from the log alone, and the log as JSON lines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.errors import StoreError
from curation.store import (
    Action,
    ClassAction,
    ClassDecision,
    Decision,
    IssueKind,
    Store,
    from_jsonl,
    replay,
    to_jsonl,
)
from devtools.store_dataset import StoreDataset

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=8)
SOME_TEXTS = st.lists(ANY_TEXT, max_size=2).map(tuple)
MAYBE = st.none() | ANY_TEXT
SHARED = {
    "seq": st.integers(1, 2**60),
    "op_id": ANY_TEXT,
    "part": st.integers(0, 99),
    "entry": st.sampled_from(["decide", "resolve", "conflict", "undo", "redo"]),
    "fingerprint": ANY_TEXT,
    "note": ANY_TEXT,
    "curator": ANY_TEXT,
    "time": ANY_TEXT,
    "target": MAYBE,
    "given": ANY_TEXT,
    "given_id": ANY_TEXT,
}
DECISIONS = st.builds(
    Decision,
    **SHARED,
    example_id=ANY_TEXT,
    content_hash=ANY_TEXT,
    action=st.sampled_from(Action),
    label=MAYBE,
    label_id=MAYBE,
    labels=SOME_TEXTS,
    label_ids=SOME_TEXTS,
    kind=st.none() | st.sampled_from(IssueKind),
    seconds=st.none() | st.floats(0, 1e9),
    revision=st.none() | st.integers(0, 99),
)
CLASS_DECISIONS = st.builds(
    ClassDecision,
    **SHARED,
    action=st.sampled_from(ClassAction),
    other=MAYBE,
    other_id=MAYBE,
    into=MAYBE,
    into_id=MAYBE,
)


def entry(seq: int, op_id: str, kind: str, **more: object) -> Decision:
    plain = dict.fromkeys(Decision.__dataclass_fields__, "")
    numbers = {
        "part": 0,
        "labels": (),
        "label_ids": (),
        "label_id": None,
        "target": None,
        "kind": None,
    }
    return Decision(**{**plain, **numbers, "seq": seq, "op_id": op_id, "entry": kind, **more})  # type: ignore[arg-type]


def test_replay_agrees_with_a_log_worked_out_by_hand() -> None:
    ana = {"example_id": "x", "curator": "ana"}
    log = [
        entry(1, "a", "decide", action=Action.KEEP, **ana),
        entry(2, "b", "decide", action=Action.EXCLUDE, **ana),
        entry(3, "u", "undo", action=Action.EXCLUDE, target="b", **ana),
        entry(4, "c", "decide", action=Action.SKIP, example_id="x", curator="bo"),
        entry(5, "d", "conflict", action=Action.EXCLUDE, example_id="x", curator="cy"),
    ]
    state = replay(log)
    settled = state.examples["x"]
    assert settled.current() == log[0], "b is taken back, a skip and a late attempt do not count"
    assert (settled.revision, settled.disputed) == (4, False)
    assert state.stacks.done == {"ana": ["a"], "bo": ["c"]}
    assert state.stacks.undone == {"ana": ["b"]}


@pytest.mark.parametrize(
    ("kind", "curator"),
    [("decide", "ana"), ("resolve", "ana"), ("resolve", "bo"), ("resolve", "cy")],
)
def test_an_undone_answer_leaves_a_late_attempt_open(kind: str, curator: str) -> None:
    settled = {"example_id": "x", "curator": curator, "action": Action.KEEP}
    log = [
        entry(1, "a", "decide", action=Action.KEEP, example_id="x", curator="bo"),
        entry(2, "b", "conflict", action=Action.EXCLUDE, example_id="x", curator="ana"),
        entry(3, "c", kind, **settled),
        entry(4, "u", "undo", target="c", **settled),
        entry(5, "r", "redo", target="c", **settled),
    ]
    answers = [replay(log[:length]).examples["x"].find_differing() for length in range(2, 6)]
    both = tuple(log[:2])
    assert answers == [both, (), both, ()]


def test_a_log_that_undoes_what_was_not_decided_is_damaged() -> None:
    log = [entry(1, "u", "undo", example_id="x", curator="ana", target="b")]
    with pytest.raises(StoreError, match="log is damaged: entry 1 .* 'b'.*curate restore"):
        replay(log)


@given(st.lists(DECISIONS | CLASS_DECISIONS, max_size=4))
def test_entries_are_read_back_from_json_lines_exactly(entries: list[Decision]) -> None:
    assert from_jsonl(to_jsonl(entries)) == entries
    assert to_jsonl(entries).isascii()


def test_invalid_lines_are_named() -> None:
    good = to_jsonl([entry(1, "a", "decide", action=Action.KEEP, seconds=1.0, revision=None)])
    with pytest.raises(StoreError, match="log, line 2, is not a JSON object: 'id,label'"):
        from_jsonl(good + "id,label\n")
    with pytest.raises(StoreError, match="line 1, has missing or unknown fields: colour"):
        from_jsonl(good.replace('"seq"', '"colour": 1, "seq"'))


def test_a_log_can_be_moved_to_another_store(
    store: Store, dataset: StoreDataset, tmp_path: Path, opened: Callable[..., Store]
) -> None:
    store.decide("e0", "relabel", label="dog", curator="ana", seconds=0.1)
    rows = [{"example_id": f"e{k}", "action": "exclude"} for k in range(4)]
    store.decide_many(rows, curator="bo")
    store.decide_classes("merge", "cat", "dog", into="pet", curator="ana")
    store.undo(curator="bo")
    other = opened(dataset, tmp_path / "other.db")
    other.import_log(from_jsonl(to_jsonl(store.log())))
    assert other.log() == store.log() and other.current() == store.current()
    assert other.class_decisions() == store.class_decisions()
    assert other.redo(curator="bo") is not None and len(other.current()) == 4
    with pytest.raises(StoreError, match="NOT imported: the store already holds decisions"):
        other.import_log(store.log())


def test_answers_agree_in_any_order_of_labels() -> None:
    one = entry(1, "a", "decide", action=Action.AMBIGUOUS, label_ids=("x", "y"))
    assert one.answer == replace(one, label_ids=("y", "x")).answer
