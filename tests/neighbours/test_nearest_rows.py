"""The nearest rows of each row, against a slow loop."""

import numpy as np
import pytest

from curation.errors import InputError
from curation.neighbours import nearest_rows
from curation.neighbours.nearest_rows import find_nearest


def ignore(share):
    pass


def loop(matrix, count):
    """Compare every row with every other, in double precision."""
    rows = []
    for k, row in enumerate(matrix.astype(float)):
        apart = [(float(np.sqrt(((row - other) ** 2).sum())), j) for j, other in enumerate(matrix)]
        rows.append(sorted(each for each in apart if each[1] != k)[:count])
    return np.array([[j for _, j in row] for row in rows]), np.array(
        [[far for far, _ in row] for row in rows]
    )


def test_all_compared_finds_what_a_loop_finds():
    matrix = np.random.default_rng(1).normal(size=(80, 5)).astype(np.float32)
    near, far = find_nearest(matrix, 4, ignore)
    expected, distances = loop(matrix, 4)
    assert (near == expected).all()
    np.testing.assert_allclose(far, distances, rtol=1e-5)


def test_copies_far_from_zero_are_exactly_0_apart():
    matrix = np.random.default_rng(1).normal(1000, 1, size=(40, 64)).astype(np.float32)
    matrix[7] = matrix[31]
    near, far = find_nearest(matrix, 3, ignore)
    assert (near[7, 0], far[7, 0]) == (31, 0) and (near[31, 0], far[31, 0]) == (7, 0)


def test_faiss_finds_nearly_all_of_them_and_the_same_every_time(monkeypatch):
    pytest.importorskip("faiss")
    rng = np.random.default_rng(3)
    centres = rng.normal(size=(30, 16))
    matrix = (centres[rng.integers(0, 30, 4000)] + 0.3 * rng.normal(size=(4000, 16))).astype("f4")
    exact, _ = find_nearest(matrix, 10, ignore)
    monkeypatch.setattr(nearest_rows, "ALL_COMPARED", 100)
    near, far = find_nearest(matrix, 10, ignore)
    again, _ = find_nearest(matrix, 10, ignore)
    found = np.mean([len(set(a) & set(b)) / 10 for a, b in zip(near, exact, strict=True)])
    assert found > 0.95
    assert (near == again).all()
    assert not (near == np.arange(4000)[:, None]).any() and (near >= 0).all()
    assert (np.diff(far, axis=1) >= 0).all()


def test_cells_with_too_few_rows_are_made_up_for(monkeypatch):
    pytest.importorskip("faiss")
    monkeypatch.setattr(nearest_rows, "ALL_COMPARED", 10)
    monkeypatch.setattr(nearest_rows, "CELLS_SEARCHED", 1)
    matrix = np.random.default_rng(3).normal(size=(1200, 3)).astype(np.float32)
    near, _ = find_nearest(matrix, 40, ignore)
    assert (near >= 0).all() and all(len(set(row)) == 40 for row in near)


def test_large_data_without_faiss_is_refused_with_the_command_to_install_it(monkeypatch):
    monkeypatch.setattr(nearest_rows, "has_faiss", lambda: False)
    with pytest.raises(InputError, match="100,001 examples needs faiss") as error:
        nearest_rows.check_size(100_001)
    assert "confident-curation[neighbours]" in error.value.remedy


def test_the_search_can_be_stopped():
    class Stop(Exception):
        pass

    def stop(share):
        raise Stop

    with pytest.raises(Stop):
        find_nearest(np.zeros((5, 2), np.float32), 2, stop)
