"""How often a random fault is tried: a few times in a normal run, or as often as is promised."""

from __future__ import annotations

import os

FULL = os.environ.get("CURATION_FULL") == "1"


def repeat(few: int, promised: int) -> int:
    """Return a small number, or the promised one if CURATION_FULL=1 is set."""
    return promised if FULL else few
