"""Everything that is kept between two runs of a page, in one place and under explicit keys.

A value is kept with the object it was computed from:

    of_analysis   computed from one analysis; kept as long as its findings
    of_dataset    the same for a dataset
    of_server     shared by all visitors: jobs, open stores, pictures

A key is a tuple. Its first item is a name that is used in one place only; the rest are small
values that identify one result. No key holds an array, or anything else that is slow to hash:
`identify` gives a dataset, an analysis or a store a unique name.

Long work belongs in a job instead, see `jobs`.
"""

from __future__ import annotations

import threading
import uuid
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any, TypeVar
from weakref import finalize

import streamlit as st

from curation.analysis.findings import Findings
from curation.dataset import Dataset
from curation.neighbours import Neighbours
from curation.store import Store

Key = tuple[Hashable, ...]
Result = TypeVar("Result")


@dataclass
class _Kept:
    """What is kept with one object."""

    identity: str = field(default_factory=lambda: uuid.uuid4().hex)
    values: dict[Key, Any] = field(default_factory=dict)


_KEPT: dict[int, _Kept] = {}  # by the id of the object, as long as it lives


def _kept_with(owner: object) -> _Kept:
    kept = _KEPT.get(id(owner))
    if kept is None:
        new = _Kept()
        kept = _KEPT.setdefault(id(owner), new)  # another thread may have been first
        if kept is new:
            finalize(owner, _KEPT.pop, id(owner), None).atexit = False
    return kept


def identify(owner: Dataset | Findings | Neighbours | Store) -> str:
    """Return a name that no other object gets, even after this one is gone.

    Two readings of the same files are two datasets: the files may have changed in between.
    """
    return _kept_with(owner).identity


def of_analysis(findings: Findings, key: Key, work: Callable[[], Result]) -> Result:
    """Return what `work` returned when this key was first asked for with these findings.

    The result must not hold the findings themselves, or neither would ever be freed.
    """
    return _recall(findings, key, work)


def of_dataset(dataset: Dataset, key: Key, work: Callable[[], Result]) -> Result:
    """Return what `work` returned when this key was first asked for with this dataset.

    The result must not hold the dataset itself, or neither would ever be freed.
    """
    return _recall(dataset, key, work)


def _recall(owner: object, key: Key, work: Callable[[], Result]) -> Result:
    values = _kept_with(owner).values
    if key not in values:
        values[key] = work()
    result: Result = values[key]
    return result


def of_server(key: Key, make: Callable[[], Result], *, limit: int | None = None) -> Result:
    """Return what `make` returned when this key was first asked for, by any visitor.

    With a `limit`, that many values of this name are kept; the least recently used is dropped
    first. Values with a `close` method are closed when the server's cache is cleared.
    """
    result: Result = _server().recall(key, make, limit)
    return result


class _Server:
    """The values that belong to the whole server. Safe to share between threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._slots: OrderedDict[Key, _Slot] = OrderedDict()

    def recall(self, key: Key, make: Callable[[], Any], limit: int | None) -> Any:
        with self._lock:
            slot = self._slots.setdefault(key, _Slot())
            self._slots.move_to_end(key)
            alike = [each for each in self._slots if each[0] == key[0]]
            for oldest in alike[: -limit if limit else 0]:
                del self._slots[oldest]
        return slot.fill(make)

    def close(self) -> None:
        for slot in self._slots.values():
            if hasattr(slot.value, "close"):
                slot.value.close()


@dataclass
class _Slot:
    """Holds one value; callers that come while it is being made wait for it."""

    value: Any = None
    filled: bool = False
    lock: threading.Lock = field(default_factory=threading.Lock)

    def fill(self, make: Callable[[], Any]) -> Any:
        with self.lock:
            if not self.filled:
                self.value = make()
                self.filled = True
            return self.value


@st.cache_resource(on_release=_Server.close, show_spinner=False)
def _server() -> _Server:
    return _Server()
