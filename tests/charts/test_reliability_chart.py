import numpy as np

from curation.charts.reliability_chart import reliability


def test_each_filled_bin_is_a_point_and_the_fullest_is_the_largest():
    figure = reliability(
        np.array([0, 4, 100]), np.array([0, 0.5, 0.9]), np.array([0, 0.25, 0.8]), dark=False
    )
    diagonal, points = figure.data
    assert (diagonal.x, diagonal.y) == ((0, 1), (0, 1))
    assert (points.x.tolist(), points.y.tolist()) == ([0.5, 0.9], [0.25, 0.8])
    assert points.customdata.tolist() == [4, 100] and points.marker.size.tolist() == [8.8, 20]
