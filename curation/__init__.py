"""Which of my labels are wrong? Confident learning, with a person in the loop."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from curation.analysis import Findings, analyze, estimate_joint
from curation.errors import CurationError

if TYPE_CHECKING:
    from curation.loading import check, load

__all__ = ["CurationError", "Findings", "analyze", "check", "estimate_joint", "load"]

_LOADED_WHEN_ASKED_FOR = {"check": "curation.loading", "load": "curation.loading"}


def __getattr__(name: str) -> Any:
    # These need pandas and pyarrow; the mathematics, and its importer, need numpy alone.
    if name not in _LOADED_WHEN_ASKED_FOR:
        raise AttributeError(f"module 'curation' has no attribute {name!r}")
    return getattr(import_module(_LOADED_WHEN_ASKED_FOR[name]), name)
