"""A lock for whoever reads the header of a NumPy array."""

from __future__ import annotations

import threading

# NumPy reads a header with Python's own parser. Before 3.13 that parser miscounts its depth when
# two threads use it at once, and then calls a good file broken.
PARSER_LOCK = threading.RLock()
