"""The figure of the noise map, and the sentences about it."""

from __future__ import annotations

import textwrap

import numpy as np
import plotly.graph_objects as go

from curation import wording
from curation.analysis import matrices, matrix_sentences
from curation.analysis.matrices import OTHER, Matrix, MatrixView
from curation.charts import heatmaps
from curation.charts.heatmap_layout import NAME_LENGTH, in_plotly
from curation.ui.noise.map_choice import REGION_CLASSES, Choice, find_view
from curation.ui.shell.cache import of_analysis
from curation.ui.shell.setup import Frame

OTHER_NAME = "(other)"
NO_EXAMPLE = "no example in these pairs"
# Hover sentences make up most of a figure: names are bold on small maps, cut on large ones.
MAX_CLASSES_WITH_BOLD_NAMES = 20
MAX_CLASSES_WITH_WHOLE_NAMES = 61


def draw(
    frame: Frame, choice: Choice, view: MatrixView, chosen: tuple[int, int] | None, dark: bool
) -> go.Figure:
    """Return the figure of a view."""
    matrix, overview = choice.matrix, view.block > 1
    note = f"<br>the largest of {view.block} × {view.block} pairs · click to open"
    change = find_change(frame, choice, view) if frame.comparison else None
    return heatmaps.heatmap(
        view.values,
        [_name(frame, label) for label in view.row_classes],
        [_name(frame, label) for label in view.column_classes],
        write_hover(frame, view, change, diagonal=choice.diagonal),
        np.stack([view.givens, view.trues], axis=-1),
        write=lambda value: matrix_sentences.write_number(matrix, value),
        column_title="likeliest class" if matrix == "confusion" else "true label, as estimated",
        title=f"{wording.MATRIX_NAMES[matrix]} · {wording.shorten(frame.dataset.name, 20)}",
        bar_title="share" if matrix in matrices.SHARES else "examples",
        log=choice.log,
        diverging=matrix == "difference",
        dark=dark,
        chosen=chosen,
        hover_note=note if overview else "",
        change=change,
        scale=find_scale(view, change),
    )


def find_scale(view: MatrixView, change: heatmaps.Change | None) -> np.ndarray:
    """Return the values that set the colours: all except those of "(other)".

    Its cells add up so many pairs that all single pairs would look pale next to them.
    """
    others = (view.givens == OTHER) | (view.trues == OTHER)
    return np.where(others, np.nan, change.before if change else view.values)


def find_change(frame: Frame, choice: Choice, view: MatrixView) -> heatmaps.Change:
    """Return how a view differs from the labels as given."""
    given = frame.given
    before = find_view(given, choice, given).values
    return heatmaps.Change(
        before,
        matrices.find_changes(choice.matrix, view.values, before),
        lambda difference: matrix_sentences.write_change(choice.matrix, difference),
    )


def _name(frame: Frame, label: int) -> str:
    return OTHER_NAME if label == OTHER else frame.class_names[label]


def write_hover(
    frame: Frame, view: MatrixView, change: heatmaps.Change | None = None, *, diagonal: bool
) -> list[list[str]]:
    """Return a sentence for each cell, as HTML, and by how much it changed."""
    size = max(view.values.shape)
    names = [*frame.class_names, matrix_sentences.ANY_OTHER]  # OTHER is -1
    if size > MAX_CLASSES_WITH_WHOLE_NAMES:
        names = wording.shorten_apart(names, NAME_LENGTH)
    names = [_write_name(name, size) for name in names]
    values = np.where(np.isnan(view.values), _diagonal_values(frame, view), view.values)
    changes = np.zeros_like(values) if change is None else change.by
    cells = (values, view.givens, view.trues, changes)

    def write(value: float, given: int, true: int, by: float) -> str:
        more = f"<br>{matrix_sentences.describe_change(view.matrix, by)}" if by else ""
        if view.block > 1 and value == 0:
            return NO_EXAMPLE + more
        if given == true == OTHER:
            return matrix_sentences.describe_others(view.matrix, value, diagonal=diagonal) + more
        names_of_pair = names[given], names[true]
        said = matrix_sentences.describe(view.matrix, value, *names_of_pair, same=given == true)
        return said + more

    rows = zip(*(each.tolist() for each in cells), strict=True)
    return [[write(*cell) for cell in zip(*row, strict=True)] for row in rows]


def _diagonal_values(frame: Frame, view: MatrixView) -> np.ndarray:
    """Return the values of hidden cells: they are blank, but have a hover sentence."""
    return matrices.read_matrix(frame.findings, view.matrix)[view.givens, view.trues]


def _write_name(name: str, size: int) -> str:
    if size > MAX_CLASSES_WITH_WHOLE_NAMES:
        return in_plotly(wording.isolate(name))
    lines = textwrap.wrap(name, 48) or [name]
    written = "<br>".join(in_plotly(wording.isolate(line)) for line in lines)
    return f"<b>{written}</b>" if size <= MAX_CLASSES_WITH_BOLD_NAMES else written


def describe_view(frame: Frame, choice: Choice, view: MatrixView) -> str:
    """Return which classes the map shows, in a sentence."""
    count = len(frame.class_names)
    if not choice.diagonal and not np.nan_to_num(view.values).any():
        return "No class on this map is confused with another."
    if view.block > 1:
        return (
            f"All {count:,} classes. Each square shows the largest of {view.block} × {view.block} "
            "pairs of classes, so no confused pair is hidden. Click a square to open its classes."
        )
    if choice.view == "focus":
        shown = len(view.row_classes) - 1
        return (
            f"The {shown} classes of the most confused pairs, and the other {count - shown:,} "
            f"together as {OTHER_NAME}, which adds up so many pairs that it is off the colour "
            "scale. Click a cell to see its examples."
        )
    if choice.view == "region":
        return (
            f"A region of {REGION_CLASSES} × {REGION_CLASSES} of {count:,} classes. "
            "Click a cell to see its examples."
        )
    return "Click a cell to see its examples."


def describe_changes(frame: Frame, matrix: Matrix) -> str:
    """Return how many pairs of classes the decisions changed, and how these are marked."""
    findings, given = frame.findings, frame.given
    changed = of_analysis(
        findings, ("changed pairs", matrix), lambda: matrices.count_changes(matrix, findings, given)
    )
    count = len(frame.class_names)
    least = "half a percentage point" if matrix in matrices.SHARES else "half an example"
    if not changed:
        return f"No pair of classes differs from the labels as given by {least} or more."
    verb = "differs" if changed == 1 else "differ"
    return (
        f"{changed:,} of {count * (count - 1):,} pairs of classes {verb} from the labels as given "
        f"by {least} or more: ▲ more, ▼ less. Colours use the scale of the labels as given."
    )
