"""A storage that does not answer is left alone for a while, and one request tries it again."""

from __future__ import annotations

import pytest

from curation.errors import NoAnswerError, StorageError
from curation.storage.storage_health import FIRST_PAUSE, LONGEST_PAUSE, StorageHealth


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def fail(health: StorageHealth) -> None:
    with pytest.raises(NoAnswerError, match="late"), health.asking():
        raise NoAnswerError("late", "")


def test_after_a_failure_nobody_asks_until_the_pause_is_over():
    clock = Clock()
    health = StorageHealth("s3://b", clock)
    fail(health)
    clock.now = 0.9 * FIRST_PAUSE
    with pytest.raises(NoAnswerError, match="s3://b does not answer"), health.asking():
        raise AssertionError("it was asked")
    clock.now = 1.1 * FIRST_PAUSE
    with health.asking():
        pass
    with health.asking():
        pass


def test_while_one_tries_again_the_others_wait():
    clock = Clock()
    health = StorageHealth("s3://b", clock)
    fail(health)
    clock.now = 1.1 * FIRST_PAUSE
    with health.asking(), pytest.raises(NoAnswerError), health.asking():
        raise AssertionError("a second one asked")


def test_the_pause_grows_up_to_a_limit():
    clock = Clock()
    health = StorageHealth("s3://b", clock)
    for _ in range(10):
        fail(health)
        clock.now += 10 * LONGEST_PAUSE
    fail(health)
    clock.now += 1.01 * LONGEST_PAUSE
    with health.asking():
        pass


def test_an_answer_that_refuses_is_an_answer():
    clock = Clock()
    health = StorageHealth("s3://b", clock)
    fail(health)
    clock.now = 1.1 * FIRST_PAUSE
    with pytest.raises(StorageError, match="denied"), health.asking():
        raise StorageError("denied", "")
    with health.asking():
        pass
