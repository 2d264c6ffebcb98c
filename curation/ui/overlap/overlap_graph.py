"""The overlaps as a graph of classes, which shows clusters of confused classes."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from curation.analysis.class_graph import ClassGraph, lay_out_classes
from curation.analysis.class_pairs import count_given, describe_directions
from curation.charts import plots
from curation.core.overlap import Pair
from curation.ui.overlap.pair_choice import View, filter_by, pick
from curation.ui.shell.cache import of_analysis
from curation.ui.shell.setup import Frame, is_dark
from curation.wording import count_of, isolate, verb_of

KEY = "overlap.map"
MAX_NARROW_COLUMNS = 8  # of classes next to each other; a phone has no room for the names of more


def show_map(frame: Frame, view: View, chosen: Pair | None) -> None:
    """Show the graph; a click on a line chooses its pair, on a class shows that class's pairs."""
    graph = of_analysis(
        frame.findings, ("class graph", view.only),
        lambda: lay_out_classes(
            view.pairs, len(frame.class_names), every_class=view.only is None
        ),
    )  # fmt: skip
    if not graph.pairs:
        st.info("No example of this class is counted as another class, or the other way round.")
        return
    many = np.ptp(graph.places[:, 0]) > MAX_NARROW_COLUMNS
    with st.container(key="wide-graph" if many else "small-graph"):
        st.plotly_chart(
            _draw(frame, graph, chosen), key=KEY, on_select=_clicked, selection_mode="points",
            config={"displayModeBar": False},
            alt="Classes as discs, overlaps between them as lines, thicker for more examples",
        )  # fmt: skip
    st.caption(_explain(frame, graph, view))


def _clicked() -> None:
    points = st.session_state[KEY].selection.points
    classes = [int(each) for each in points[0]["customdata"]] if points else []
    if len(classes) == 2:
        pick(*classes)
    elif len(classes) == 1:
        filter_by(classes[0])


def _draw(frame: Frame, graph: ClassGraph, chosen: Pair | None) -> go.Figure:
    names = frame.class_names
    place = {label: index for index, label in enumerate(graph.labels)}
    sizes = count_given(frame.findings)[list(graph.labels)]
    edges = np.array([(place[pair.a], place[pair.b]) for pair in graph.pairs])
    return plots.class_graph(
        [names[label] for label in graph.labels],
        graph.places,
        sizes,
        edges,
        np.array([pair.total for pair in graph.pairs]),
        [_say(frame, pair) for pair in graph.pairs],
        node_hover=[
            f"{isolate(names[label])}: {count_of(size, 'example')}"
            for label, size in zip(graph.labels, sizes.tolist(), strict=True)
        ],
        ids=graph.labels,
        selected=None if chosen is None else (chosen.a, chosen.b),
        dark=is_dark(),
    )


def _say(frame: Frame, pair: Pair) -> str:
    said = describe_directions(pair, frame.class_names[pair.a], frame.class_names[pair.b])
    if frame.comparison is None:
        return said
    before = frame.given.confident_joint
    return f"{said}; as given {before[pair.a, pair.b]:,} and {before[pair.b, pair.a]:,}"


def _explain(frame: Frame, graph: ClassGraph, view: View) -> str:
    words = [
        "Each disc is a class and each line an overlap; larger or thicker means more examples. "
        "Click a line to see that pair, or a disc to see that class's pairs."
    ]
    if graph.left_out:
        words.append(f"{count_of(graph.left_out, 'weaker pair is', 'weaker pairs are')} not drawn.")
    without = len(frame.class_names) - len(graph.labels)
    if without and view.only is None:
        verb = verb_of(without, "is", "are")
        words.append(f"{count_of(without, 'class', 'classes')} without a line {verb} not drawn.")
    return " ".join(words)
