"""The time that is left, by a clock that the test sets."""

from __future__ import annotations

from curation.modelling.remaining_time import TimedProgress


def test_time_left_is_worked_out_from_what_is_done():
    now, said = [0.0], []
    timed = TimedProgress(lambda stage, share: said.append(stage), clock=lambda: now[0])
    timed.report("Reading", 0.1)
    timed.begin(0.2)
    timed.report("Fold 1", 0.2)
    now[0] = 60.0
    timed.report("Fold 2", 0.4)  # a fifth took a minute, three fifths are left
    assert said == ["Reading", "Fold 1", "Fold 2 (about 3 minutes left)"]
