"""How far a long task has come, and how its caller can stop it.

`load` and `analyze` take a `progress`: a function that is called from time to time with the current
stage and the share of the work done, from 0 to 1. It may raise an exception to stop the work, which
is passed on to the caller. It is always called from the thread that called `load` or `analyze`.
"""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[str, float], None]


def ignore_progress(stage: str, share: float) -> None:
    """Do nothing; the default if the caller does not want progress."""


def part(progress: Progress, stage: str, start: float, stop: float) -> Callable[[float], None]:
    """Return a function that reports one stage's share done as progress of the whole task.

    >>> part(lambda stage, share: print(f"{stage}: {share:.2f}"), "Counting", 0.5, 0.9)(0.25)
    Counting: 0.60
    """
    return lambda share: progress(stage, start + share * (stop - start))
