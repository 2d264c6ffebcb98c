"""Which of my labels are wrong? Confident learning, with a person in the loop."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from curation.store import open_store as open_store

# Looked up when first used, so that `import curation.core` stays numpy alone.
_LAZY = {"open_store": "curation.store"}


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_LAZY[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_LAZY])
