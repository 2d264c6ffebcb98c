import numpy as np
import pytest

from curation.charts.truth_panels import draw_comparison


def test_comparison_gives_true_and_estimated_one_scale():
    actual, estimated = np.array([[40.0, 10], [0, 50]]), np.array([[38.0, 12], [1, 49]])
    figure = draw_comparison(actual, estimated, ["a", "b"])
    first, second, third = (each for each in figure.data if each.type == "heatmap")
    assert first.zmax == second.zmax == 50
    assert third.z.tolist() == [[2, 2], [1, 1]]


def test_comparison_of_perfect_estimates_works():
    figure = draw_comparison(np.zeros((2, 2)), np.zeros((2, 2)), ["a", "b"], dark=True)
    *_, difference = (each for each in figure.data if each.type == "heatmap")
    assert difference.z.tolist() == [[0, 0], [0, 0]] and difference.zmax > 0


@pytest.mark.parametrize("count", [2, 10, 16, 20, 40, 60])
def test_names_of_panels_do_not_run_into_each_other_on_a_narrow_page(count):
    names = [f"species number {k} of the long list" for k in range(count)]
    layout = draw_comparison(np.eye(count), np.eye(count), names).layout
    assert layout.xaxis.domain[1] - layout.xaxis.domain[0] > 0.95 / 3 - 0.01
    # 628 pixels are left of 1024; names that slant stand closer by the root of two
    wide = (628 - layout.margin.l - layout.margin.r) * 0.95 / 3 / count
    high = (layout.height - layout.margin.t - layout.margin.b) / count
    slant = 0.7 if layout.xaxis.tickangle == -45 else 1
    for axis, cell in ((layout.xaxis, slant * wide), (layout.yaxis, high)):
        places = np.array(axis.tickvals)
        assert np.diff(places).min(initial=count) * cell >= axis.tickfont.size - 0.7
        assert len(set(axis.ticktext)) == len(places)
