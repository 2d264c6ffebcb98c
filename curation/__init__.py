"""Which of my labels are wrong? Confident learning, with a person in the loop."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from curation.loading import check as check
    from curation.loading import load as load

_HOMES = {"load": "curation.loading", "check": "curation.loading"}


def __getattr__(name: str) -> Any:
    # Looked up when first asked for, so that `import curation.core` loads numpy and no more.
    if name not in _HOMES:
        raise AttributeError(f"module 'curation' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
