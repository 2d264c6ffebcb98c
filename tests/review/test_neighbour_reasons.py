"""What neighbours say, and the queues and orders that follow from them."""

from dataclasses import replace

import numpy as np
import pytest

import curation
from curation.neighbours import Neighbours
from curation.neighbours.map_area import Area
from curation.review.filter_link import read_filters
from curation.review.filter_sentences import describe_filters
from curation.review.neighbour_reasons import explain_neighbours, find_splits
from curation.review.queue_filters import Filters, QueueSource, find_rows
from tests.review.filter_links import write_filters

# The pets of conftest.py: labels 0 0 0 1 0 1 0 1; rows 1, 4 and 6 look like dogs.
NEAREST = [[2, 4], [3, 5], [0, 6], [1, 5], [3, 5], [3, 7], [5, 7], [5, 6]]


def make(distances, *, measures=None):
    places = np.stack([np.arange(1, 9) * 100, np.full(8, 500)], axis=1).astype(np.uint16)
    return Neighbours(
        nearest=np.array(NEAREST, np.int32),
        distances=np.array(distances, np.float32),
        places=places,
        source="embeddings.npy",
        of_content=True,
        notes=(),
        key="0123abcd",
        measures=measures,
    )


EVEN = [[1.0, 2.0]] * 8
COPIES = [[1.0, 2.0], [0.01, 2.0], [1.0, 2.0], [0.01, 2.0], *[[1.0, 2.0]] * 4]  # 1 and 3
FAR = [*[[1.0, 2.0]] * 7, [50.0, 60.0]]


@pytest.fixture
def source(pets, findings):
    def with_neighbours(distances, **more):
        return QueueSource(pets, findings, neighbours=make(distances, **more))

    return with_neighbours


def explain(source, row):
    return explain_neighbours(source.neighbours, source.findings, source.dataset, row)


def test_the_reason_counts_the_suggested_and_the_given_label(source):
    assert explain(source(EVEN), 1) == "All 2 nearest examples are labelled dog."
    assert explain(source(EVEN), 0) == "None of the 2 nearest examples are labelled dog, 2 cat."
    assert explain(source(EVEN), 7) == "1 of the 2 nearest examples is labelled cat, 1 dog."


def test_the_reason_tells_copies_with_another_label_and_in_another_split(source):
    found = source(COPIES)
    assert "It has 1 near-duplicate, labelled dog." in explain(found, 1)
    extras = {"Split": np.array(["train"] * 3 + ["test"] * 5, object)}
    found = replace(found, dataset=replace(found.dataset, extras=extras))
    assert find_splits(found.dataset).tolist() == ["train"] * 3 + ["test"] * 5
    assert "labelled cat, in the split train." in explain(found, 3)


def test_the_reason_tells_outliers_and_poor_pictures(source):
    assert explain(source(FAR), 7).endswith("It is unlike all other examples.")
    measures = np.tile(np.array([0.9, 0.9, 50, 50], np.float32), (8, 1))
    measures[2] = [0.1, 0.9, 5, 5]
    said = explain(source(EVEN, measures=measures), 2)
    assert said.endswith("The picture is dark and of an odd size.")


def test_an_example_without_neighbours_says_so(source):
    found = source(EVEN)
    found.neighbours.nearest[3] = -1
    assert explain(found, 3) == "It cannot be compared with other examples."


def test_each_kind_of_finding_has_its_own_queue(source):
    assert find_rows(source(COPIES), Filters(scope="near_duplicates")).tolist() == [1, 3]
    assert find_rows(source(FAR), Filters(scope="outliers")).tolist() == [7]
    measures = np.tile(np.array([0.9, 0.9, 50, 50], np.float32), (8, 1))
    measures[[2, 5], 0] = [0.2, 0.1]
    found = source(EVEN, measures=measures)
    assert find_rows(found, Filters(scope="picture_quality")).tolist() == [5, 2]
    for scope in ("near_duplicates", "outliers", "picture_quality"):
        assert not len(find_rows(source(EVEN), Filters(scope=scope)))


def test_without_neighbours_these_queues_are_empty(pets, findings):
    plain = QueueSource(pets, findings)
    area = Area("pca", "0123abcd", ((0, 0), (4000, 0), (4000, 4000))).write()
    for filters in (Filters(scope="near_duplicates"), Filters(scope="all", area=area)):
        assert filters.needs_neighbours and not len(find_rows(plain, filters))


def test_the_order_follows_the_score(source):
    found = source(EVEN)
    rows = find_rows(found, Filters(scope="all", order="neighbours"))
    scores = curation.score_neighbours(found.findings, found.neighbours)
    assert rows.tolist() == np.argsort(scores, kind="stable").tolist()
    assert rows.tolist() != find_rows(found, Filters(scope="all")).tolist()


def test_a_part_of_the_map_is_a_filter_like_others(source, pets):
    found = source(EVEN)
    area = Area("pca", "0123abcd", ((150, 0), (650, 0), (650, 900), (150, 900)))  # rows 1 to 5
    filters = Filters(scope="all", order="file", area=area.write())
    assert find_rows(found, filters).tolist() == [1, 2, 3, 4, 5]
    flagged = Filters(order="file", area=area.write())
    assert find_rows(found, flagged).tolist() == [1, 4]
    link = write_filters(filters, "all")
    assert read_filters({**link, "scope": "all"}, pets, "confident_joint")[0] == filters
    assert read_filters({"area": "pca.<b>"}, pets, "confident_joint")[0].area == ""
    assert "a part of the map" in describe_filters(filters, ["cat", "dog"])
