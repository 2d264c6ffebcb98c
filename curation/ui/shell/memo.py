"""Numbers worked out once for each analysis, however many pages and visitors ask for them.

They are kept beside the findings they were worked out of and go when those go. So nothing is
ever stale, and no large array is hashed to find out whether it is the same one.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Hashable
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from curation.analysis.findings import Findings

Result = TypeVar("Result")

_KEPT: WeakKeyDictionary[Findings, dict[Hashable, Any]] = WeakKeyDictionary()


def once(findings: Findings, key: Hashable, work: Callable[[], Result]) -> Result:
    """Return what `work` returned when it was first asked for under this key.

    A key need only be unique in the place where the work is written down: two pages that both
    say "pairs" do not get each other's.
    """
    kept = _KEPT.setdefault(findings, {})
    place = (work.__module__, work.__qualname__, key)
    if place not in kept:
        kept[place] = work()
    result: Result = kept[place]
    return result


def name_of(findings: Findings) -> str:
    """Return a name that no other findings get, also once these are gone; `id` may come back."""
    return once(findings, "name", lambda: uuid.uuid4().hex)
