"""Numbers worked out once for each analysis, however many pages and visitors ask for them.

They are kept beside the findings they were worked out of and go when those go. So nothing is
ever stale, and no large array is hashed to find out whether it is the same one.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from curation.analysis import Findings

Result = TypeVar("Result")

_KEPT: WeakKeyDictionary[Findings, dict[Hashable, Any]] = WeakKeyDictionary()


def once(findings: Findings, key: Hashable, work: Callable[[], Result]) -> Result:
    """Return what `work` returned when it was first asked for under this key."""
    kept = _KEPT.setdefault(findings, {})
    if key not in kept:
        kept[key] = work()
    result: Result = kept[key]
    return result
