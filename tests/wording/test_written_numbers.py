from hypothesis import given
from hypothesis import strategies as st

from curation.wording import percent_at_most, percent_range

SHARES = st.tuples(st.integers(0, 2_000_000), st.integers(1, 2_000_000)).map(
    lambda pair: min(pair) / pair[1]
)


@given(SHARES, SHARES)
def test_the_ends_of_an_interval_are_rounded_outwards(one, other):
    low, high = sorted((one, other))
    shown = [float(each) for each in percent_range(low, high).removesuffix(" %").split(" to ")]
    assert shown[0] <= 100 * low + 1e-8 and 100 * high - 1e-8 <= shown[1]
    assert (shown[0] == 0) == (low == 0) and (shown[1] == 100) == (high == 1)
    assert float(percent_at_most(high).removesuffix(" %")) >= 100 * high - 1e-8


def test_at_most_so_many_wrong_and_at_least_so_many_right_fit_together():
    assert (percent_at_most(0.3252), percent_range(1 - 0.3252, 0.9997)) == (
        "32.6 %", "67.4 to 99.97 %",
    )  # fmt: skip
