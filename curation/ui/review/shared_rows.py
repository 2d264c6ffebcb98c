"""The rows of a queue, one array for all tabs that ask for the same examples in the same order.

Each of them would otherwise keep 8 bytes per example. What depends on decisions is not shared: such
a list stays as it was when its tab opened it.
"""

from __future__ import annotations

import threading
from weakref import WeakValueDictionary

from curation.core.matrix import IntArray
from curation.review.queue_filters import Filters, QueueSource, find_rows
from curation.ui.shell.cache import Key, identify, of_server


class SharedRows:
    """The rows of queues, as long as a tab uses them. Safe to share between threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._rows: WeakValueDictionary[Key, IntArray] = WeakValueDictionary()

    def find(self, key: Key, source: QueueSource, filters: Filters) -> IntArray:
        with self._lock:
            rows = self._rows.get(key)
            if rows is None:
                rows = find_rows(source, filters)
                rows.flags.writeable = False
                self._rows[key] = rows
            return rows


def share_rows(source: QueueSource, filters: Filters) -> IntArray:
    """Return the rows of a queue, in its order; those that no decision changes are shared."""
    if filters.sees_decisions:
        return find_rows(source, filters)
    neighbours = source.neighbours if filters.needs_neighbours else None
    found_by = None if neighbours is None else identify(neighbours)
    key = (identify(source.findings), filters, source.merges, found_by)
    return of_server(("queue rows",), SharedRows).find(key, source, filters)
