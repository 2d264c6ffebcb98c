import numpy as np

from curation.charts import plots

NAME = '<b>tag</b> & "q"'
SHOWN = '&lt;b&gt;tag&lt;/b&gt; &amp; "q"'  # as plotly draws it: NAME itself


def test_quotation_marks_in_names_are_drawn_as_they_are():
    share = np.array([0.5, 0.5])
    figure = plots.priors([NAME, "cat"], share, share, dark=False)
    assert figure.layout.xaxis.ticktext[0] == SHOWN
    assert [bars.hovertext[0] for bars in figure.data] == [SHOWN, SHOWN]
    figure = plots.class_graph(
        [NAME, "cat"], np.array([[0, 0], [1, 0]]), np.array([9, 9]), np.array([[0, 1]]),
        np.array([3]), [NAME], node_hover=[NAME, "cat"], ids=[0, 1],
    )  # fmt: skip
    discs, lines = figure.data[-2:]
    assert (discs.text[0], discs.hovertext[0], lines.hovertext[0]) == (SHOWN, SHOWN, SHOWN)
