"""A progress bar on the terminal, drawn over itself; nothing where nobody would see it move."""

from __future__ import annotations

import sys

from curation.cli.check import on_one_line
from curation.progress import Progress, ignore_progress

BAR_WIDTH = 30


def choose_progress() -> Progress:
    """Return what draws the progress: a bar, or nothing if the output is not a terminal."""
    return _show_bar if sys.stderr.isatty() else ignore_progress


def clear_progress(progress: Progress) -> None:
    """Remove the bar, if there is one."""
    if progress is _show_bar:
        print("\r\033[K", end="", file=sys.stderr, flush=True)


def _show_bar(stage: str, share: float) -> None:
    """Draw the progress over the line before."""
    done = round(BAR_WIDTH * share)
    bar = "#" * done + "." * (BAR_WIDTH - done)
    print(f"\r[{bar}] {share:4.0%} {on_one_line(stage)}\033[K", end="", file=sys.stderr, flush=True)
