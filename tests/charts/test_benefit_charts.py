from curation.charts.benefit_charts import Line, accuracy_by_share

LINES = [
    Line("Confident joint", "chosen", [0.5, 1.0], [0.9, 0.92], [0.88, 0.9], [0.93, 0.94]),
    Line("Both prunings", "other", [0.5, 1.0], [0.89, 0.9], [0.8, 0.8], [1.0, 1.0]),
    Line("Random examples", "random", [0.5, 1.0], [0.86, 0.85], [0.84, 0.84], [0.88, 0.86]),
]


def test_every_line_begins_at_the_accuracy_of_the_given_labels():
    figure = accuracy_by_share(0.87, LINES, dark=False)
    assert figure.layout.shapes[0].y0 == 0.87
    assert [trace.y[0] for trace in figure.data] == [0.87] * 3
    drawn = {trace.name: trace for trace in figure.data}
    assert list(drawn["Confident joint"].y[1:]) == [0.9, 0.92]
    assert list(drawn["Random examples"].customdata) == [0, 0.5, 1.0]  # drawn a little aside


def test_intervals_are_drawn_where_they_are_and_not_on_the_other_methods():
    figure = accuracy_by_share(0.87, LINES, dark=True)
    drawn = {trace.name: trace for trace in figure.data}
    bars = drawn["Confident joint"].error_y
    assert [round(each, 9) for each in bars.array] == [0, 0.03, 0.02]
    assert [round(each, 9) for each in bars.arrayminus] == [0, 0.02, 0.02]
    assert drawn["Both prunings"].error_y.array is None


def test_the_axis_holds_what_is_drawn_and_no_share_beyond_100_percent():
    assert figure_ends(0.87, LINES) == (0.83, 0.95)  # the other methods' intervals are not drawn
    sure = [Line("Confident joint", "chosen", [1.0], [1.0], [0.99], [1.03])]
    assert figure_ends(1.0, sure) == (0.98, 1.0025)
    same = [Line("Confident joint", "chosen", [1.0], [1.0], [1.0], [1.0])]
    assert figure_ends(1.0, same) == (0.99, 1.0025)


def figure_ends(given, lines):
    low, high = accuracy_by_share(given, lines, dark=False).layout.yaxis.range
    return round(low, 6), round(high, 6)
