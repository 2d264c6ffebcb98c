"""The claims that no bet has rejected so far: an interval that holds at every look."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from curation.core.matrix import FloatArray
from curation.quality.betting import Bets

Rejection = Callable[[int], tuple[float, float]]  # a value and its slope


class Range(NamedTuple):
    """Whole numbers from low to high, both included."""

    low: int
    high: int

    def clip_to(self, other: Range) -> Range:
        """Return the part inside the other range, or its nearest end if there is none."""
        return Range(*(min(max(end, other.low), other.high) for end in self))


def find_claims(bets: Bets, log_level: float, possible: Range, guess: float) -> Range:
    """Return the counts that the bets on one sum have not rejected at any look.

    If every count is rejected, which happens in fewer than 1 - confidence of all audits, the
    answer is the one from the last look at which some count was left.
    """
    inside = round(guess) if np.isfinite(guess) else possible.low
    most = len(bets.log_payoff)
    found = _search(bets, most, log_level, possible, inside)
    if found:
        return found
    least, found = 0, possible
    while most - least > 1:
        looks = (least + most) // 2
        now = _search(bets, looks, log_level, possible, inside)
        least, most, found = (looks, most, now) if now else (least, looks, found)
    return found


def _search(bets: Bets, looks: int, log_level: float, possible: Range, inside: int) -> Range | None:
    if not looks:
        return possible
    first = Bets(*(each[:looks] for each in vars(bets).values()))

    def reject(count: int) -> tuple[float, float]:
        most, slope = first.most_wealth(float(count))
        return most - log_level, slope

    return find_interval(reject, possible, inside)


def find_interval(reject: Rejection, possible: Range, inside: int) -> Range | None:
    """Return the possible numbers whose rejection is below 0, or None if there are none.

    The rejection is convex. `inside` is a guess at a number that is not rejected.
    """
    inside = min(max(inside, possible.low), possible.high)
    if reject(inside)[0] >= 0:
        inside = _find_least(reject, possible)
        if reject(inside)[0] >= 0:
            return None
    return Range(_find_end(reject, inside, possible.low), _find_end(reject, inside, possible.high))


def _find_end(reject: Rejection, accepted: int, end: int) -> int:
    """Return the last number that is not rejected on the way from an accepted one to the end.

    A convex curve lies above its tangents and below its chords. So the tangent at a rejected
    number leads to a number that is still rejected, or to the end that is sought; the chord from
    there to an accepted number leads to an accepted one. One step of bisection is added to each
    round, so that a strange curve cannot take long.
    """
    step = abs(end - accepted) // 64 + 1  # most intervals end near their middle
    while True:
        rejected = max(end, accepted - step) if end < accepted else min(end, accepted + step)
        value, slope = reject(rejected)
        if value >= 0:
            break
        if rejected == end:
            return end
        accepted, step = rejected, 2 * step
    accepted_value, _ = reject(accepted)
    while abs(rejected - accepted) > 1:
        low, high = min(accepted, rejected) + 1, max(accepted, rejected) - 1
        tangent = rejected - value / slope if slope else rejected
        chord = accepted + (rejected - accepted) * accepted_value / (accepted_value - value)
        for guess in (tangent, chord, (accepted + rejected) / 2):
            if not low <= high:
                break
            # Rounded towards the rejected number, else the last step to the end would be missed.
            place = math.floor(guess) if rejected < accepted else math.ceil(guess)
            place = min(max(place, low), high)
            here, steepness = reject(place)
            if here < 0:
                accepted, accepted_value = place, here
            else:
                rejected, value, slope = place, here, steepness
            low, high = min(accepted, rejected) + 1, max(accepted, rejected) - 1
    return accepted


def _find_least(reject: Rejection, possible: Range) -> int:
    low, high = possible
    while low < high:
        middle = (low + high) // 2
        if reject(middle)[0] <= reject(middle + 1)[0]:
            high = middle
        else:
            low = middle + 1
    return low


# Shares are tried on three nested grids; the ends are rounded outwards on the finest.
COARSE_STEPS = 8
FINER_STEPS = 8
FINEST = COARSE_STEPS * FINER_STEPS**2


def find_shares(
    reject: Callable[[FloatArray], FloatArray], low: float, high: float, guess: float
) -> tuple[float, float] | None:
    """Return the ends of the shares between low and high that are not rejected, or None.

    `reject` takes several shares at once; those below 0 are not rejected. Shares are looked for
    on a grid, so ends are up to 1 / 512 too far out.
    """
    known: dict[int, float] = {}

    def try_all(places: list[int]) -> None:
        new = [place for place in places if place not in known and 0 <= place <= FINEST]
        inside = [place for place in new if low <= place / FINEST <= high]
        known.update(dict.fromkeys(new, np.inf))
        if inside:
            values = reject(np.array(inside) / FINEST)
            known.update(zip(inside, values.tolist(), strict=True))

    step = FINEST // COARSE_STEPS
    try_all([*range(0, FINEST + 1, step), *(round(end * FINEST) for end in (low, guess, high))])
    while True:
        accepted = sorted(place for place, value in known.items() if value < 0)
        if accepted:
            ends = [accepted[0] - step, accepted[-1]]
        else:  # the interval is narrower than the grid: look next to the least rejected share
            least = min(known, key=lambda place: known[place])
            ends = [least - step, least]
        if step == 1:
            break
        finer = step // FINER_STEPS
        try_all([place for end in ends for place in range(end, end + step + 1, finer)])
        step = finer
    if not accepted:
        return None
    return max(low, (accepted[0] - 1) / FINEST), min(high, (accepted[-1] + 1) / FINEST)
