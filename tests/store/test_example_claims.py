"""Claims: no example is given to two curators, in whatever process they are."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Callable

import pytest
from sqlalchemy import text

from curation.errors import NotAllowedError, NotSavedError
from curation.roles import Actor, Role
from curation.store import Store, to_jsonl
from curation.store.example_claims import CLAIM_SECONDS, Claims
from devtools.store_dataset import StoreDataset, make_dataset
from tests.store.child_process import ROOT

Opener = Callable[..., Store]
ANA, BO = {"curator": "ana", "tab": "a"}, {"curator": "bo", "tab": "b"}


def new(*ids: str) -> dict[str, int]:
    """Return examples that nobody has decided yet."""
    return dict.fromkeys(ids, 0)


def let_pass(store: Store, seconds: float) -> None:
    """Make every claim older; a test does not wait for minutes."""
    with store.backend.writer.begin() as connection:
        connection.execute(text("UPDATE claims SET until = until - :some"), {"some": seconds})


def test_what_one_curator_has_claimed_no_other_is_granted(store: Store) -> None:
    claims = Claims(store)
    assert claims.claim(new("e0", "e1"), **ANA) == {"e0", "e1"}
    assert claims.claim(new("e1", "e2"), **BO) == {"e2"}
    assert claims.find("bo", "b").taken == {"e0", "e1"} and claims.find("ana", "a").taken == {"e2"}
    assert claims.find("ana", "a").held.keys() == {"e0", "e1"}


def test_a_claim_that_was_left_is_free_again_after_a_while(store: Store) -> None:
    claims = Claims(store)
    claims.claim(new("e0", "e1"), **ANA)
    let_pass(store, CLAIM_SECONDS - 60)
    assert claims.claim(new("e0", "e1"), **BO) == frozenset()
    assert claims.claim(new("e1"), **ANA) == {"e1"}, "a sign of life"
    let_pass(store, 61)
    assert claims.find("bo", "b").taken == {"e1"}
    assert claims.claim(new("e0", "e1"), **BO) == {"e0"}


def test_a_released_claim_is_free_at_once(store: Store) -> None:
    claims = Claims(store)
    claims.claim(new("e0", "e1"), **ANA)
    claims.claim(new("e2"), curator="ana", tab="other")
    claims.release(**ANA)
    assert claims.claim(new("e0", "e1", "e2"), **BO) == {"e0", "e1"}


def test_a_tab_that_moves_on_can_give_up_what_it_held(store: Store) -> None:
    claims = Claims(store)
    claims.claim(new("e0", "e1"), **ANA)
    assert claims.claim(new("e1", "e2"), **ANA, release_others=True) == {"e1", "e2"}
    assert claims.find("bo", "b").taken == {"e1", "e2"}


def test_tabs_of_one_curator_share_and_the_last_one_holds(store: Store) -> None:
    claims = Claims(store)
    claims.claim(new("e0", "e1"), **ANA)
    assert claims.claim(new("e1"), curator="ana", tab="reloaded") == {"e1"}
    claims.release(**ANA)
    assert claims.find("bo", "b").taken == {"e1"}


def test_what_was_decided_meanwhile_is_not_granted(store: Store) -> None:
    claims = Claims(store)
    claims.claim(new("e0"), **ANA)
    decided = store.decide("e0", "keep", curator="ana")
    claims.release(**ANA)
    assert claims.claim(new("e0", "e1"), **BO) == {"e1"}, "bo's process has not read the log yet"
    assert claims.claim({"e0": decided.seq}, **BO) == {"e0"}, "as in a list of skipped examples"


def test_a_decision_on_what_somebody_else_claimed_is_stored(store: Store) -> None:
    Claims(store).claim(new("e0"), **ANA)
    stored = store.decide("e0", "keep", curator="bo", revision=0)
    assert store.current() == [stored]


def test_claims_are_neither_in_the_log_nor_in_what_is_exported(store: Store) -> None:
    Claims(store).claim(new("e0"), **ANA)
    assert store.log() == [] and "".join(to_jsonl(store.log())) == ""
    assert store.revision("e0") == 0


def test_a_clock_that_was_set_back_leaves_no_claim_for_a_day(store: Store) -> None:
    claims = Claims(store)
    claims.claim(new("e0"), **ANA)
    let_pass(store, -86_400)
    assert claims.find("bo", "b").taken == frozenset()
    assert claims.claim(new("e0"), **BO) == {"e0"}


def test_a_claim_needs_the_right_to_decide_under_that_name(
    dataset: StoreDataset, url: str, opened: Opener
) -> None:
    acting = [Actor(Role.VIEWER, "ana"), Actor(Role.CURATOR, "bo")]
    store = opened(dataset, url, find_actor=lambda: acting[0])
    with pytest.raises(NotAllowedError, match="Only a curator, a lead or an admin"):
        Claims(store).claim(new("e0"), **ANA)
    del acting[0]
    with pytest.raises(NotAllowedError):
        Claims(store).claim(new("e0"), **ANA)
    assert Claims(store).claim(new("e0"), **BO) == {"e0"}


def test_a_locked_store_is_not_waited_for_as_long_as_for_a_decision(
    dataset: StoreDataset, local_store: Store, opened: Opener
) -> None:
    other = opened(dataset, local_store.backend.where)
    with other.backend.writer.begin():
        with pytest.raises(NotSavedError, match="was locked"):
            Claims(local_store).claim(new("e0"), **ANA)
        assert Claims(local_store).find("ana", "a").held == {}


def test_threads_that_claim_at_once_get_each_example_once(store: Store) -> None:
    claims, granted = Claims(store), []

    def work(name: str) -> None:
        for k in range(6):
            granted.append((f"e{k}", claims.claim(new(f"e{k}"), curator=name, tab=name)))

    threads = [threading.Thread(target=work, args=(f"c{k}",)) for k in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(each for each, got in granted if got) == [f"e{k}" for k in range(6)]


WORKER = """
import json, sys
from pathlib import Path
from curation.store import open_store
from curation.store.example_claims import Claims
from devtools.store_dataset import make_dataset

root, url, name, count = Path(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4])
store = open_store(make_dataset(root, count), url, wait_seconds=60)
claims, handed = Claims(store), []
print("ready", flush=True)
sys.stdin.readline()
for first in range(0, count, 5):
    wanted = {f"e{k}": 0 for k in range(first, first + 5)}
    handed += claims.claim(wanted, curator=name, tab=name)
for each in handed:  # only now: nothing but the claims keeps the others from it
    store.decide(each, "keep", curator=name, revision=0)
print(json.dumps(handed))
"""


def test_processes_hand_out_each_example_once(
    dataset: StoreDataset, url: str, store: Store
) -> None:
    count, names = 120, ("ana", "bo", "cy")
    make_dataset(dataset.root, count)
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", WORKER, str(dataset.root), url, name, str(count)],
            cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )
        for name in names
    ]  # fmt: skip
    for worker in workers:
        assert worker.stdout and worker.stdout.readline() == "ready\n"
    for worker in workers:
        assert worker.stdin
        worker.stdin.write("go\n")
        worker.stdin.flush()
    handed = [json.loads(worker.communicate(timeout=120)[0]) for worker in workers]
    assert sum(map(len, handed)) == len({each for some in handed for each in some}) == count
    assert [entry.entry for entry in store.log()] == ["decide"] * count
