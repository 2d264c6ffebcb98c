"""Filters as a link: what is written is what is read, and nonsense means nothing."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import parse_qsl, urlencode

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from curation.review.example_status import STATUSES
from curation.review.filter_link import PARAMETERS, read_filters, read_status
from curation.review.queue_filters import QUEUE_ORDERS, SCOPES, Filters
from curation.store.actions import Action, IssueKind
from tests.review.filter_links import write_filters

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=9)
classes = st.lists(st.sampled_from([0, 1]), unique=True).map(tuple)
margins = st.tuples(st.floats(-1, 1), st.floats(-1, 1)).map(lambda two: tuple(sorted(two)))
filters = st.builds(
    Filters,
    scope=st.sampled_from(sorted(SCOPES)),
    order=st.sampled_from(QUEUE_ORDERS),
    seed=st.integers(0, 999_999),
    given=classes,
    suggested=classes,
    pair=st.none() | st.just((1, 0)),
    margin=st.none() | margins,
    search=texts,
    actions=st.lists(st.sampled_from(Action), unique=True).map(tuple),
    kinds=st.lists(st.sampled_from(IssueKind), unique=True).map(tuple),
    new_label=st.none() | texts.filter(bool),
    curator=st.none() | texts.filter(bool),
    note=texts,
    tags=st.lists(st.from_regex(r"[\w-]{1,6}", fullmatch=True), unique=True).map(tuple),
)
shared = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


@shared
@given(filters=filters, status=st.sampled_from(STATUSES), column=st.booleans(), cell=texts)
def test_a_link_gives_back_the_filters_it_was_made_of(pets, filters, status, column, cell):
    if column:
        filters = replace(filters, column="shop", value=cell or None, cell=cell)
    address = urlencode(write_filters(filters, status))
    link = dict(parse_qsl(address, keep_blank_values=True))
    assert set(link) <= set(PARAMETERS)
    assert read_filters(link, pets, filters.method) == (filters, [])
    assert read_status(link) == status


def test_no_filter_is_an_empty_link():
    assert write_filters(Filters()) == {}


def test_any_status_means_all_examples_and_what_is_left_means_the_flagged(pets):
    scope_of = lambda **link: read_filters(link, pets, "both")[0].scope  # noqa: E731
    assert scope_of() == scope_of(status="undecided") == "flagged"
    assert scope_of(status="all") == scope_of(status="decided") == "all"
    assert scope_of(status="all", scope="flagged") == "flagged"


def test_classes_are_named_by_name_or_index_and_several_by_index(pets):
    for text, labels in (("dog", (1,)), ("1", (1,)), ("0,1", (0, 1)), ("1,1", (1,)), ("", ())):
        assert read_filters({"given": text}, pets, "both")[0].given == labels


@pytest.mark.parametrize(
    "link",
    [
        {"scope": "everything"}, {"order": "labels"}, {"seed": "-1"}, {"seed": "9" * 30},
        {"margin": "1,-1"}, {"margin": "nan,nan"}, {"margin": "0"}, {"pair": "0"},
        {"action": "destroy"}, {"kind": "spelling,"}, {"column": "__class__", "value": "x"},
        {"value": "x"}, {"cell": "x"}, {"status": "unknown"}, {"by": ""},
    ],
)  # fmt: skip
def test_a_link_that_means_nothing_filters_nothing(pets, link):
    assert read_filters(link, pets, "both") == (Filters(method="both"), [])


def test_a_class_that_is_not_there_is_reported(pets):
    filters, unknown = read_filters({"given": "unicorn", "true": "0,9"}, pets, "both")
    assert (filters.given, filters.suggested, unknown) == ((), (0,), ["unicorn", "0,9"])
