"""`python -m curation.cli.open_for_program`: `curate open`, as long as another program wants it.

The other program holds the other end of the standard input. When it closes that end or is killed,
the dashboard ends too.
"""

from __future__ import annotations

import os
import signal
import sys
import threading

from curation.cli import main


def end_with_input() -> None:
    """Wait until the standard input is closed, then end this process."""
    sys.stdin.buffer.read()
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    threading.Thread(target=end_with_input, daemon=True).start()
    sys.exit(main(["open", *sys.argv[1:]]))
