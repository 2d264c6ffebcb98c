"""What a queue holds, in words."""

from __future__ import annotations

import pytest

from curation.review.filter_sentences import describe_filters
from curation.review.queue_filters import Filters
from curation.store.actions import Action, IssueKind

NAMES = ("cat", "dog", "eel", "fox")


@pytest.mark.parametrize(
    ("filters", "words"),
    [
        (Filters(), "all classes · ordered by normalized margin"),
        (Filters(given=(0,), suggested=(1,)), "cat → dog · ordered by normalized margin"),
        (Filters(given=(0, 2)), "cat or eel → any · ordered by normalized margin"),
        (Filters(given=(0, 1, 2, 3)), "4 classes → any · ordered by normalized margin"),
        (
            Filters(scope="all", pair=(1, 0), order="file"),
            "all examples · dog ↔ cat · as in the file",
        ),
        (Filters(order="random", seed=7), "all classes · random sample, seed 7"),
        (
            Filters(margin=(-1, 0.25), column="shop", value="South", search=" a "),
            "all classes · margin −1.00 to 0.25 · shop: “South” · “a” · "
            "ordered by normalized margin",
        ),
        (
            Filters(
                actions=(Action.AMBIGUOUS,), kinds=(IssueKind.MULTI_LABEL,), curator="ana",
                note="why", order="self_confidence",
            ),
            "all classes · both · multi-label · decided by ana · note “why” · "
            "ordered by self-confidence",
        ),
    ],
)  # fmt: skip
def test_the_line_above_a_queue_says_what_it_holds(filters, words):
    assert describe_filters(filters, NAMES) == words
