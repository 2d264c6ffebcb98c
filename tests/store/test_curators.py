"""Several curators on the same examples: nobody's word is lost, and nobody's is overwritten."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from sklearn.metrics import cohen_kappa_score

from curation.errors import StoreError
from curation.store import ConflictError, Store, cohen_kappa, replay
from devtools.store_dataset import make_dataset
from tests.repetitions import repeat


def in_force(store: Store, policy: str = "latest") -> dict[str, str]:
    return {each.example_id: each.action for each in store.current(policy)}  # type: ignore[arg-type]


@pytest.mark.fault(
    70,
    "BLOCK",
    says="Example 'e0' changed since it was shown: 'ana' said keep, 'bo' says relabel to "
    "'dog'. Both are recorded, and the first one counts. Look at it again and decide.",
)
def test_an_outdated_decision_with_another_answer_is_a_conflict_that_shows_both(
    store: Store,
) -> None:
    seen = store.revision("e0")
    ana = store.decide("e0", "keep", curator="ana", revision=seen)
    with pytest.raises(ConflictError) as error:
        store.decide("e0", "relabel", label="dog", curator="bo", revision=seen)
    conflict = error.value
    assert conflict.stored == ana
    assert (conflict.attempted.curator, conflict.attempted.label) == ("bo", "dog")
    assert conflict.problem == (
        "Example 'e0' changed since it was shown: 'ana' said keep, 'bo' says relabel to 'dog'."
    )
    assert "Both are recorded" in conflict.remedy
    assert store.current() == [ana]
    assert [entry.entry for entry in store.log()] == ["decide", "conflict"]
    assert store.revision("e0") == conflict.revision == 1, "an attempt changes nothing for others"


def test_after_a_conflict_the_curator_can_decide_again(store: Store) -> None:
    store.decide("e0", "keep", curator="ana", revision=0)
    with pytest.raises(ConflictError) as error:
        store.decide("e0", "exclude", curator="bo", revision=0)
    assert len(store.disagreements()[0].attempts) == 1
    store.decide("e0", "exclude", curator="bo", revision=error.value.revision)
    (left,) = store.disagreements()
    assert [word.curator for word in left.candidates] == ["ana", "bo"] and left.attempts == ()


@pytest.mark.fault(70, "HOLDS")
def test_the_same_answer_is_accepted_and_both_are_recorded(store: Store) -> None:
    store.decide("e0", "relabel", label="dog", curator="ana", revision=0)
    store.decide("e0", "relabel", label="dog", curator="bo", revision=0)
    assert [entry.curator for entry in store.log()] == ["ana", "bo"]
    assert store.disagreements() == [] and len(store.current()) == 1


def test_a_repeated_press_without_op_id_is_acknowledged_as_the_same(store: Store) -> None:
    first = store.decide("e0", "keep", curator="ana", revision=0)
    assert store.decide("e0", "keep", curator="ana", revision=0) == first
    assert len(store.log()) == 1
    store.decide("e0", "keep", curator="ana", revision=0, note="new words")
    assert len(store.log()) == 2


def test_a_repeated_conflict_is_the_same_conflict(store: Store) -> None:
    store.decide("e0", "keep", curator="ana", revision=0)
    for _ in range(2):
        with pytest.raises(ConflictError) as error:
            store.decide("e0", "exclude", curator="bo", revision=0, op_id="late")
        assert error.value.attempted.seq == 2
    assert len(store.log()) == 2


@pytest.mark.fault(
    71,
    "BLOCK",
    says="Example 'e0' changed since it was shown: 'ana' said undo of keep, 'bo' says "
    "exclude. Both are recorded, and the first one counts. Look at it again and decide.",
)
def test_a_page_from_before_an_undo_is_outdated(store: Store) -> None:
    shown = store.decide("e0", "keep", curator="ana").seq
    store.undo(curator="ana")
    with pytest.raises(ConflictError, match="'ana' said undo of keep, 'bo' says exclude"):
        store.decide("e0", "exclude", curator="bo", revision=shown)
    assert store.current() == []


def test_a_bulk_unit_with_one_conflict_is_refused_and_logged_as_a_whole(store: Store) -> None:
    store.decide("e1", "keep", curator="ana")
    rows = [{"example_id": f"e{k}", "action": "exclude", "revision": 0} for k in range(3)]
    with pytest.raises(ConflictError) as error:
        store.decide_many(rows, curator="bo")
    assert error.value.attempted.example_id == "e1"
    assert in_force(store) == {"e1": "keep"}
    assert [entry.entry for entry in store.log()] == ["decide"] + 3 * ["conflict"]
    assert store.undo(curator="bo") is None, "a conflict is nothing to undo"


def test_decisions_that_differ_are_both_recorded_and_listed(store: Store) -> None:
    store.decide("e0", "keep", curator="ana")
    store.decide("e0", "exclude", curator="bo")
    store.decide("e1", "keep", curator="ana")
    (left,) = store.disagreements()
    assert left.example_id == "e0"
    assert [(word.curator, word.action) for word in left.candidates] == [
        ("ana", "keep"),
        ("bo", "exclude"),
    ]
    assert in_force(store) == {"e0": "exclude", "e1": "keep"}
    assert in_force(store, "agreed only") == in_force(store, "majority") == {"e1": "keep"}
    assert store.left_out("majority") == ["e0"] and store.left_out("latest") == []


def test_majority_needs_more_than_half(store: Store) -> None:
    for curator, action in (("ana", "keep"), ("bo", "keep"), ("cy", "exclude")):
        store.decide("e0", action, curator=curator)
    assert in_force(store) == {"e0": "exclude"}
    assert in_force(store, "majority") == {"e0": "keep"}
    assert store.current("majority")[0].curator == "bo", "the last of those who said it"
    assert in_force(store, "agreed only") == {}
    store.decide("e0", "needs_review", curator="dee")
    assert in_force(store, "majority") == {}, "2 of 4 are not more than half"


def test_an_unknown_policy_is_refused(store: Store) -> None:
    with pytest.raises(StoreError, match="Unknown policy 'loudest'. Use latest, majority, agreed"):
        store.current("loudest")  # type: ignore[arg-type]


def test_a_skip_is_no_opinion(store: Store) -> None:
    store.decide("e0", "relabel", label="dog", curator="ana")
    store.decide("e0", "skip", curator="bo")
    assert in_force(store) == {"e0": "relabel"} and store.disagreements() == []
    store.decide("e0", "skip", curator="ana")
    assert in_force(store) == {"e0": "skip"}, "ana withdrew, and nobody said anything else"


def test_relabelling_to_the_given_label_is_the_same_as_keeping_it(store: Store) -> None:
    store.decide("e0", "keep", curator="ana", revision=0)
    store.decide("e0", "relabel", label="cat", curator="bo", revision=0)
    assert store.disagreements() == []


def test_a_resolution_counts_until_somebody_decides_again(store: Store) -> None:
    store.decide("e0", "keep", curator="ana")
    store.decide("e0", "exclude", curator="bo")
    store.resolve("e0", "relabel", label="eel", curator="lead")
    assert store.disagreements() == []
    for policy in ("latest", "majority", "agreed only"):
        assert in_force(store, policy) == {"e0": "relabel"}
    store.decide("e0", "exclude", curator="bo")
    assert [word.curator for word in store.disagreements()[0].candidates] == ["lead", "bo"]
    store.undo(curator="bo")
    store.undo(curator="lead")
    assert [word.curator for word in store.disagreements()[0].candidates] == ["ana", "bo"]


def test_a_resolution_also_settles_an_attempt_that_came_too_late(store: Store) -> None:
    store.decide("e0", "keep", curator="ana", revision=0)
    with pytest.raises(ConflictError):
        store.decide("e0", "exclude", curator="bo", revision=0)
    assert len(store.disagreements()) == 1
    store.resolve("e0", "exclude", curator="lead", revision=store.revision("e0"))
    assert store.disagreements() == [] and in_force(store) == {"e0": "exclude"}


def test_kappa_agrees_with_a_calculation_by_hand(store: Store) -> None:
    # ana: keep keep excl excl; bo: keep keep keep excl. 3 of 4 agree;
    # chance = (2*3 + 2*1) / 16 = 1/2; kappa = (3/4 - 1/2) / (1 - 1/2) = 1/2.
    for k, action in enumerate(("keep", "keep", "exclude", "exclude")):
        store.decide(f"e{k}", action, curator="ana")
    for k, action in enumerate(("keep", "keep", "keep", "exclude")):
        store.decide(f"e{k}", action, curator="bo")
    store.decide("e5", "keep", curator="bo")
    store.decide("e4", "skip", curator="ana")
    store.resolve("e2", "keep", curator="lead")
    (both,) = store.agreement()
    assert (both.curators, both.examples, both.agreed, both.kappa) == (("ana", "bo"), 4, 3, 0.5)


def test_kappa_agrees_with_scikit_learn() -> None:
    rng = random.Random(4)
    for _ in range(50):
        one = [rng.choice("abc") for _ in range(20)]
        two = [rng.choice([each, *"abc"]) for each in one]
        assert cohen_kappa(one, two) == pytest.approx(cohen_kappa_score(one, two))
    assert cohen_kappa("aaa", "aaa") is None and cohen_kappa("", "") is None


def test_progress_is_counted_for_each_curator(store: Store) -> None:
    store.decide("e0", "keep", curator="ana", seconds=2)
    store.decide("e0", "exclude", curator="ana", seconds=3)
    store.decide("e1", "keep", curator="ana")
    store.decide("e0", "keep", curator="bo", seconds=1.5)
    ana, bo = store.progress()
    assert (ana.curator, ana.decided, ana.seconds) == ("ana", 2, 3.0)
    assert ana.actions == {"exclude": 1, "keep": 1} and ana.last == store.log()[2].time
    assert (bo.curator, bo.decided, bo.seconds) == ("bo", 1, 1.5)


@pytest.mark.fault(70, "HOLDS")
def test_no_interleaving_of_two_curators_overwrites_silently(
    tmp_path: Path, url: str, opened: Callable[..., Store]
) -> None:
    """Each looks and then decides by what they saw, in any order with the other: whoever decides
    by a state that has passed either says the same or is told."""
    examples = repeat(6, 1_000)  # a long history of each would take most of the time
    store, rng = opened(make_dataset(tmp_path, examples), url), random.Random(70)
    for _ in range(repeat(60, 10_000)):
        example, seen = f"e{rng.randrange(examples)}", dict[str, int]()
        for curator in rng.sample(["ana", "ana", "bo", "bo"], 4):
            if curator not in seen:  # they look first
                seen[curator] = store.revision(example)
                continue
            before = store.current_decision(example)
            action = rng.choice(["keep", "exclude"])
            fresh = seen[curator] == store.revision(example)
            try:
                store.decide(example, action, curator=curator, revision=seen[curator])
            except ConflictError as error:
                assert not fresh and error.stored == before
                assert store.current_decision(example) == before
            else:
                assert fresh or (before is not None and before.action == action)
    entries = store.log()
    assert [entry.seq for entry in entries] == list(range(1, len(entries) + 1))
    state = replay(entries)  # type: ignore[type-var]
    assert {each: it.current() for each, it in state.examples.items()} == {
        each.example_id: each for each in store.current()
    }
