"""What the doctor found so far, and the checks that are made later."""

from __future__ import annotations

import threading

from curation.report import Checks, Report

EARLY, WHOLE = Report(passed=("a",)), Report(passed=("a", "b"))


def test_what_was_found_so_far_is_there_at_once():
    checks = Checks(EARLY, lambda: WHOLE)
    assert checks.latest == EARLY and not checks.done
    assert checks.finish() == WHOLE
    assert checks.latest == WHOLE and checks.done
    assert Checks(EARLY).done and Checks(EARLY).finish() == EARLY


def test_the_remaining_checks_are_made_once_and_others_wait_for_them():
    begun, go_on, made = threading.Event(), threading.Event(), []

    def complete():
        begun.set()
        go_on.wait(30)
        made.append(1)
        return WHOLE

    checks, found = Checks(EARLY, complete), []
    threads = [threading.Thread(target=lambda: found.append(checks.finish())) for _ in range(3)]
    for thread in threads:
        thread.start()
    assert begun.wait(30) and checks.latest == EARLY and not found
    go_on.set()
    for thread in threads:
        thread.join()
    assert made == [1] and found == [WHOLE] * 3


def test_checks_that_failed_are_made_again_when_they_are_asked_for():
    answers = iter([OSError("the disk is gone"), WHOLE])

    def complete():
        answer = next(answers)
        if isinstance(answer, Exception):
            raise answer
        return answer

    checks = Checks(EARLY, complete)
    try:
        checks.finish()
    except OSError:
        assert not checks.done
    assert checks.finish() == WHOLE
