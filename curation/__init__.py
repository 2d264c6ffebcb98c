"""Which of my labels are wrong? Confident learning, with a person in the loop."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from curation.analysis.findings import Findings, analyze, estimate_joint
from curation.errors import CurationError

if TYPE_CHECKING:
    from curation.exports import export
    from curation.loading import check, load
    from curation.store import open_store

__all__ = [
    "CurationError",
    "Findings",
    "analyze",
    "check",
    "estimate_joint",
    "export",
    "load",
    "open_store",
]

# Looked up when first used: these need pandas or SQLAlchemy, the mathematics numpy alone.
_LAZY = {
    "check": "curation.loading",
    "export": "curation.exports",
    "load": "curation.loading",
    "open_store": "curation.store",
}


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_LAZY[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_LAZY])
