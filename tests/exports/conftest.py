from __future__ import annotations

import pytest

from tests.bench import Bench


@pytest.fixture
def exported(small: Bench) -> Bench:
    """An export of decisions by two curators, for annotation tools to read."""
    small.decide(1, "relabel", "eel").decide(2, "keep", by="ana").decide(2, "exclude", by="bo")
    small.decide(5, "ambiguous", labels=["cat", "dog"]).decide(6, "needs_review")
    small.export(method="confusion")
    return small
