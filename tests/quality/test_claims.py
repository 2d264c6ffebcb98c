"""The search for the claims that are not rejected."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from curation.quality.claims import Range, find_interval, find_shares


@given(
    st.floats(-50, 250), st.floats(0.01, 3), st.floats(-60, 5), st.integers(0, 200), st.booleans()
)
def test_ends_are_those_of_trying_every_number(centre, steepness, depth, guess, round_curve):
    def reject(number):
        far = number - centre
        if round_curve:
            return steepness * far * far / 20 + depth, steepness * far / 10
        return steepness * abs(far) + depth, steepness * np.sign(far)

    accepted = [number for number in range(201) if reject(number)[0] < 0]
    expected = Range(accepted[0], accepted[-1]) if accepted else None
    assert find_interval(reject, Range(0, 200), guess) == expected


def test_a_large_range_takes_few_steps():
    asked = []

    def reject(number):
        asked.append(number)
        return ((number - 30_000) / 9_000) ** 2 - 1, 2 * (number - 30_000) / 9_000**2

    assert find_interval(reject, Range(0, 1_281_167), 33_000) == Range(21_001, 38_999)
    assert len(asked) < 60


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_shares_are_found_to_a_five_hundredth(one, two, guess):
    low, high = min(one, two), max(one, two)

    def reject(shares):
        return np.where((shares >= low) & (shares <= high), -1.0, np.abs(shares - (low + high) / 2))

    found = find_shares(reject, 0.0, 1.0, guess)
    if found is None:
        assert high - low < 1 / 512
    else:
        assert found[0] <= low and high <= found[1]
        assert low - found[0] < 2 / 512 and found[1] - high < 2 / 512


def test_ranges_are_clipped_to_what_is_possible():
    assert Range(3, 9).clip_to(Range(5, 7)) == Range(5, 7)
    assert Range(8, 9).clip_to(Range(5, 7)) == Range(7, 7)
