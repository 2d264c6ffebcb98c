import numpy as np
import pytest

from curation.charts import heatmap_layout, heatmaps
from curation.charts.colours import ink_values


def write(value: float) -> str:
    return f"{value:g}"


def draw(values, names=None, **options):
    values = np.asarray(values, float)
    names = names or [f"class {k}" for k in range(len(values))]
    hover = [[f"cell {i} {j}" for j in range(len(values))] for i in range(len(values))]
    targets = np.stack(np.indices(values.shape), axis=-1) + 100
    return heatmaps.heatmap(values, names, names, hover, targets, write=write, **options)


def numbers_in(figure):
    return [each for each in figure.layout.annotations if each.xref == "x"]


def test_every_cell_can_be_hit_and_says_its_own_sentence():
    figure = draw([[np.nan, 2], [3, 0]])
    cells = figure.data[-1]
    assert cells.hovertext == ("cell 0 0", "cell 0 1", "cell 1 0", "cell 1 1")
    assert np.array(cells.customdata).tolist() == [[100, 100], [100, 101], [101, 100], [101, 101]]
    assert list(zip(cells.x, cells.y, strict=True)) == [(0, 0), (1, 0), (0, 1), (1, 1)]
    assert figure.layout.hoverdistance == -1


def test_rows_run_from_the_top():
    figure = draw(np.eye(3))
    assert figure.layout.yaxis.range == (2.5, -0.5)
    assert figure.layout.xaxis.range == (-0.5, 2.5)


def test_small_maps_write_their_numbers_and_leave_zero_and_blank_empty():
    numbers = numbers_in(draw([[np.nan, 2], [3, 0]]))
    assert [(each.x, each.y, each.text) for each in numbers] == [(1, 0, "2"), (0, 1, "3")]
    assert not numbers_in(draw(np.ones((20, 20))))


def test_only_the_chosen_cell_is_framed():
    cells = draw(np.ones((60, 60)), chosen=(7, 31)).data[-1]
    assert cells.selectedpoints == (7 * 60 + 31,)
    assert (cells.x[7 * 60 + 31], cells.y[7 * 60 + 31]) == (31, 7)
    assert cells.marker.opacity == cells.unselected.marker.opacity == 0
    assert draw(np.ones((2, 2))).data[-1].selectedpoints is None


def test_names_are_literal_cut_and_on_one_line():
    hostile = ["<b>x</b> & y", "a very long class name\nover two lines"]
    assert draw(np.ones((2, 2)), hostile).layout.xaxis.ticktext == (
        "&lt;b&gt;x&lt;/b&gt; &amp; y",
        "a very long …two lines",
    )


@pytest.mark.parametrize("count", [2, 10, 60, 100, 200])
def test_cells_are_square_and_names_do_not_overlap(count):
    figure = draw(np.ones((count, count)))
    margin = figure.layout.margin
    assert figure.layout.height - margin.t - margin.b == pytest.approx(
        heatmap_layout.WIDTH - margin.l - margin.r, abs=2
    )
    room = heatmap_layout.find_room([f"class {k}" for k in range(count)], ["x"] * count)
    assert room.every * room.cell >= room.font - 0.7


def test_names_that_differ_are_shown_differently():
    names = [f"species number {k} of the long list" for k in range(60)]
    axis = draw(np.ones((60, 60)), names).layout.yaxis
    assert len(axis.ticktext) == len(set(axis.ticktext)) == 60
    assert all(f"…{k} of" in text for k, text in enumerate(axis.ticktext))
    assert axis.tickfont.size >= 8


def test_long_names_leave_room_for_the_map_however_alike_they_are():
    names = [f"{'x' * 300}{k}{'y' * 300}{'z' * (k % 7)}" for k in range(30)]
    axis = draw(np.ones((30, 30)), names).layout.yaxis
    assert len(set(axis.ticktext)) == 30 and max(map(len, axis.ticktext)) < 30


@pytest.mark.parametrize("count", [10, 40, 60])
def test_titles_are_clear_of_the_names_in_a_wider_font_too(count):
    # DejaVu Sans, which pictures are set in where nothing else is there: digits of 0.636 em
    names = [f"{10**14 + k}" for k in range(count)]
    figure = draw(np.ones((count, count)), names, title="a <b>")
    column_title, row_title = figure.layout.annotations[:2]
    margin, font = figure.layout.margin, figure.layout.yaxis.tickfont.size
    across = 4 + 0.636 * font * 15
    assert row_title.textangle == -90 and row_title.xshift + 13 / 2 < -across
    assert row_title.xshift - 13 / 2 > -margin.l
    rise = across if figure.layout.xaxis.tickangle == -90 else 0.72 * across + font
    assert rise < column_title.yshift - 13 / 2 and column_title.yshift + 13 / 2 < margin.t - 24
    assert figure.layout.title.text == "a &lt;b&gt;"


def test_zero_is_the_palest_ink_on_every_scale():
    values = np.array([[0, 1], [10, 100.0]])
    for log in (False, True):
        ink = ink_values(values, log=log, diverging=False, write=write)
        assert ink.shown[0, 0] == ink.low == 0
        assert ink.shown[1, 1] == ink.high
        assert np.all(np.diff(ink.shown.ravel()) > 0)


def test_log_scale_names_powers_of_ten():
    ink = ink_values(np.array([[0, 1], [10, 100.0]]), log=True, diverging=False, write=write)
    assert ink.words == ["0", "1", "10", "100"]
    assert ink.ticks == pytest.approx([0, 0.5, 1.5, 2.5])


def test_log_scale_names_its_end_where_no_power_of_ten_is_near():
    ink = ink_values(np.array([[2, 6.0]]), log=True, diverging=False, write=write)
    assert ink.words == ["0", "6"]
    ink = ink_values(np.array([[1, 60.0]]), log=True, diverging=False, write=write)
    assert ink.words == ["0", "1", "10", "60"]


def test_differences_keep_their_sign_around_zero():
    values = np.array([[0, -10], [1, 100.0]])
    for log in (False, True):
        ink = ink_values(values, log=log, diverging=True, write=write)
        assert ink.low == -ink.high
        assert np.sign(ink.shown).tolist() == np.sign(values).tolist()


@pytest.mark.parametrize("log", [False, True])
@pytest.mark.parametrize("values", [np.zeros((2, 2)), np.full((2, 2), np.nan), [[0, np.nan]] * 2])
def test_nothing_to_colour_works(values, log):
    for diverging in (False, True):
        ink = ink_values(np.array(values, float), log=log, diverging=diverging, write=write)
        assert ink.low < ink.high
        draw(values, log=log, diverging=diverging)


def test_blank_cells_stay_blank_on_a_log_scale():
    ink = ink_values(np.array([[np.nan, 5.0]]), log=True, diverging=False, write=write)
    assert np.isnan(ink.shown[0, 0])


def change_of(values, before):
    by = np.nan_to_num(values - before)
    return heatmaps.Change(before, by, lambda by: f"{by:+g}")


def test_two_maps_that_are_compared_have_one_scale():
    now, before = np.array([[1.0, 9.0], [0.001, 0.0]]), np.array([[2.0, 4.0], [0.1, 0.0]])
    for log in (False, True):
        ink = ink_values(now, log=log, diverging=False, write=write, scale=before)
        alone = ink_values(before, log=log, diverging=False, write=write)
        assert (ink.low, ink.high, ink.ticks, ink.words) == (
            alone.low, alone.high, alone.ticks, alone.words,
        )  # fmt: skip
        assert ink.shown.min() >= ink.low  # what is beyond the scale has the ink of its end
        assert ink.shown[1, 1] == 0
    nothing = ink_values(now, log=False, diverging=False, write=write, scale=np.zeros((2, 2)))
    assert nothing.high == 9  # as given there was nothing to scale by


def test_small_maps_write_by_how_much_cells_changed_emptied_ones_too():
    now, before = np.array([[np.nan, 2.0], [0.0, 0.0]]), np.array([[5.0, 2.0], [4.0, 0.0]])
    written = numbers_in(draw(now, change=change_of(now, before)))
    assert [(each.x, each.y, each.text) for each in written] == [
        (1, 0, "2"), (0, 1, "0<br><span style='font-size:11px'>-4</span>"),
    ]  # fmt: skip


def test_large_maps_mark_changed_cells_with_arrows_that_take_no_clicks():
    before = np.ones((20, 20))
    now = before.copy()
    now[3, 7], now[11, 2] = 4, 0
    _, up, down, targets = draw(now, change=change_of(now, before)).data
    assert up.marker.symbol == "triangle-up" and down.marker.symbol == "triangle-down"
    assert (np.rint(up.y).tolist(), np.rint(up.x).tolist()) == ([3], [7])
    assert (np.rint(down.y).tolist(), np.rint(down.x).tolist()) == ([11], [2])
    assert up.hoverinfo == down.hoverinfo == "skip" and len(targets.x) == 400
    assert up.unselected.marker.opacity == 1
    assert len(draw(now).data) == 2
