"""How long a task will still take, from how long its finished part took."""

from __future__ import annotations

import time
from collections.abc import Callable

from curation.progress import Progress
from curation.wording import count_of


class TimedProgress:
    """Reports progress with the time that is left, once enough is done to tell."""

    def __init__(self, progress: Progress, clock: Callable[[], float] = time.monotonic) -> None:
        self._progress = progress
        self._clock = clock
        self._start: tuple[float, float] | None = None  # when, and the share done by then

    def begin(self, share: float) -> None:
        """Note that the even part of the work begins here."""
        self._start = (self._clock(), share)

    def report(self, stage: str, share: float) -> None:
        """Report a stage and the share done; may raise what the caller raises to stop."""
        self._progress(f"{stage}{self._describe_left(share)}", share)

    def _describe_left(self, share: float) -> str:
        if self._start is None or share <= self._start[1]:
            return ""
        passed = self._clock() - self._start[0]
        return f" ({describe_seconds(passed * (1 - share) / (share - self._start[1]))} left)"


def describe_seconds(seconds: float) -> str:
    """Return a duration in words, rounded as a person would.

    >>> describe_seconds(3), describe_seconds(47), describe_seconds(130), describe_seconds(9000)
    ('a few seconds', 'about 50 seconds', 'about 2 minutes', 'about 2.5 hours')
    """
    if seconds < 10:
        return "a few seconds"
    if seconds < 55:
        return f"about {round(seconds, -1):.0f} seconds"
    if seconds < 55 * 60:
        return f"about {count_of(max(1, round(seconds / 60)), 'minute')}"
    return f"about {seconds / 3600:.1f} hours"
