import re

from hypothesis import given
from hypothesis import strategies as st

from curation.wording import shorten_apart

# few letters and long runs of them, so that many names begin and end alike
NAMES = st.lists(st.from_regex(r"(aaaaaaaa|b|…| \\(1\\)){0,6}", fullmatch=True), max_size=12)


@given(NAMES, st.integers(8, 22))
def test_shortened_names_stay_distinct(names, length):
    short = shorten_apart(names, length)
    assert len(set(zip(names, short, strict=True))) == len(set(names)) == len(set(short))
    for name, text in zip(names, short, strict=True):
        assert len(name) > length + 2 or text.startswith(name)


def test_the_part_that_differs_is_kept():
    names = [f"species number {k} of the long list" for k in range(60)]
    for length in (12, 16, 22):
        short = shorten_apart(names, length)
        assert all(re.search(rf"\b{k}\b", text) for k, text in enumerate(short))
        assert max(map(len, short)) <= length
