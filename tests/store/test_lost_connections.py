"""A connection to PostgreSQL that breaks during a commit: exactly one decision, whatever happened.

The server is a real one, and the connection is cut by a proxy between the two.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from curation.errors import NotSavedError
from curation.store import Store
from curation.store.example_claims import Claims
from devtools.store_dataset import StoreDataset, make_dataset
from tests.repetitions import repeat
from tests.store.cutting_proxy import CuttingProxy, Moment

Opener = Callable[..., Store]
MOMENTS: tuple[Moment, ...] = ("before", "after")


@pytest.fixture
def home(postgres: Any) -> str:
    return str(postgres.make_home())


@pytest.fixture
def proxy(home: str) -> Iterator[CuttingProxy]:
    with CuttingProxy(home) as proxy:
        yield proxy


@pytest.mark.fault(82, "HOLDS")
@pytest.mark.parametrize("moment", MOMENTS)
def test_a_connection_cut_during_a_commit_ends_in_exactly_one_decision(
    dataset: StoreDataset, home: str, proxy: CuttingProxy, opened: Opener, moment: Moment
) -> None:
    store, truth = opened(dataset, proxy.url, wait_seconds=30), opened(dataset, home)
    proxy.cut_commits(3, moment)
    stored = store.decide("e0", "keep", curator="ana")
    assert proxy.cuts == 3 and truth.log() == [stored]
    proxy.cut_commits(1, moment)
    many = store.decide_many(
        [{"example_id": each, "action": "exclude"} for each in ("e1", "e2")], curator="ana"
    )
    assert truth.log() == [stored, *many]
    proxy.cut_commits(1, moment)
    assert store.undo(curator="ana") is not None
    assert [entry.entry for entry in truth.log()] == ["decide"] * 3 + ["undo"] * 2
    assert proxy.cuts == 5 and [each.example_id for each in truth.current()] == ["e0"]


@pytest.mark.fault(82, "HOLDS")
@pytest.mark.parametrize("moment", MOMENTS)
def test_what_was_reported_as_not_saved_is_sent_again_and_stored_once(
    dataset: StoreDataset, home: str, proxy: CuttingProxy, opened: Opener, moment: Moment
) -> None:
    store, truth = opened(dataset, proxy.url, wait_seconds=0.3), opened(dataset, home)
    proxy.cut_commits(10_000, moment)
    with pytest.raises(NotSavedError, match="Probably NOT saved"):
        store.decide("e0", "keep", curator="ana", op_id="mine")
    assert len(truth.log()) == (1 if moment == "after" else 0)
    proxy.cut_commits(0, moment)
    store.backend.wait_seconds = 30
    store.decide("e0", "keep", curator="ana", op_id="mine")
    assert [entry.op_id for entry in truth.log()] == ["mine"]


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_claim_whose_commit_was_cut_off_is_made_once(
    dataset: StoreDataset, home: str, proxy: CuttingProxy, opened: Opener, moment: Moment
) -> None:
    store, truth = opened(dataset, proxy.url, wait_seconds=30), opened(dataset, home)
    proxy.cut_commits(1, moment)
    assert Claims(store).claim({"e0": 0}, curator="ana", tab="a") == {"e0"}
    assert Claims(truth).claim({"e0": 0, "e1": 0}, curator="bo", tab="b") == {"e1"}


@pytest.mark.fault(82, "HOLDS")
def test_connections_cut_at_random_lose_and_double_nothing(
    dataset: StoreDataset, home: str, proxy: CuttingProxy, opened: Opener
) -> None:
    count = repeat(30, 2_000)
    many = make_dataset(dataset.root, 4 * count)
    store, truth = opened(many, proxy.url, wait_seconds=60), opened(many, home)
    proxy.cut_at_random(82, 0.03)

    def work(thread: int) -> None:
        for k in range(thread * count, (thread + 1) * count):
            store.decide(f"e{k}", "keep", curator=f"c{thread}", revision=0)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    log = truth.log()
    assert proxy.cuts > 5, "it was tried"
    assert sorted(each.example_id or "" for each in log) == sorted(many.ids)
    assert {entry.entry for entry in log} == {"decide"}
    assert [entry.seq for entry in log] == list(range(1, len(log) + 1))
