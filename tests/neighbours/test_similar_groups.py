"""Near-duplicates in groups, against cleanlab and by hand."""

from types import SimpleNamespace

import numpy as np

from curation.neighbours.nearest_rows import find_nearest
from curation.neighbours.similar_groups import find_groups


def groups_of(rows):
    matrix = np.asarray(rows, np.float32).reshape(len(rows), -1)
    return find_groups(*find_nearest(matrix, 3, lambda share: None))


# Distances to the nearest: 1 for most, so the limit is 0.13.
LINE = [0.0, 1.0, 2.0, 2.1, 3.1, 4.1, 5.1, 5.1, 5.2, 6.2, 7.2, 8.2]


def test_a_chain_of_close_examples_is_one_group():
    found = groups_of(LINE)
    assert found.groups.tolist() == [-1, -1, 0, 0, -1, -1, 1, 1, 1, -1, -1, -1]
    assert found.others(6).tolist() == [7, 8] and found.others(0).tolist() == []


def test_groups_with_different_labels_come_first_then_those_across_splits_then_the_closest():
    found = groups_of(LINE)
    same, other = np.zeros(12, int), np.zeros(12, int)
    other[3] = 1  # in the group of 2 and 3
    splits = np.array(["train"] * 12)
    assert found.order(same, None).tolist() == [6, 7, 8, 2, 3]
    assert found.order(other, None).tolist() == [2, 3, 6, 7, 8]
    splits[2] = "test"
    assert found.order(same, splits).tolist() == [2, 3, 6, 7, 8]
    assert found.find_mixed(splits).tolist() == [True, False]


def test_cleanlab_finds_the_same_near_duplicates():
    from cleanlab.datalab.internal.issue_manager.duplicate import NearDuplicateIssueManager
    from sklearn.neighbors import NearestNeighbors

    rng = np.random.default_rng(0)
    rows = rng.normal(size=(150, 4)).astype(np.float32)
    rows[:20] = rows[20:40] + rng.normal(0, 0.03, (20, 4))
    near, far = find_nearest(rows, 10, lambda share: None)
    search = NearestNeighbors(n_neighbors=10, metric="euclidean").fit(rows)
    checker = NearDuplicateIssueManager(SimpleNamespace(get_info=lambda name: {}))
    checker.find_issues(features=rows, knn_graph=search.kneighbors_graph(mode="distance"))
    theirs = checker.issues["is_near_duplicate_issue"].to_numpy()
    ours = find_groups(near, far)
    assert 20 < theirs.sum() < 60
    assert (ours.found == theirs).all()
