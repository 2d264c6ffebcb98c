"""What may be written where."""

from __future__ import annotations

import os
from pathlib import Path


def writable(path: Path) -> bool:
    """Return whether this process may write there, and whoever owns it means it to be written.

    The administrator may write anywhere; a folder that nobody is given leave to write is still
    read-only to them.
    """
    may = os.access(path, os.W_OK, effective_ids=os.access in os.supports_effective_ids)
    return may and bool(path.stat().st_mode & 0o222)
