"""What a heatmap of classes can show: six matrices, whole, in part, or as an overview.

Every matrix is shown as [given, true], so that a position means the same pair of classes in all.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np

from curation.analysis import focus
from curation.analysis.array_analysis import estimate_joint
from curation.analysis.findings import Findings, Method
from curation.core import noise
from curation.core.count import count_pairs, find_cutoffs
from curation.core.matrix import BoolArray, FloatArray, IntArray
from curation.core.overlap import rank_overlaps

Matrix = Literal[
    "joint", "confident_joint", "noise_matrix", "inverse_noise_matrix", "confusion", "difference"
]
MATRICES: tuple[Matrix, ...] = get_args(Matrix)
Basis = Literal["confusion", "confident_joint"]
SHARES: tuple[Matrix, ...] = ("noise_matrix", "inverse_noise_matrix")  # the others count examples

# A changed label moves the thresholds, and so changes every estimate a little. A cell counts as
# changed only from here on: half an example, or a share of half a percent.
CHANGED_EXAMPLES, CHANGED_SHARE = 0.5, 0.005

OTHER = -1  # stands for all classes that are not shown


@dataclass(frozen=True)
class Cell:
    """A pair of classes: the given label, and the label that is probably true."""

    given: int
    true: int

    @property
    def is_diagonal(self) -> bool:
        return self.given == self.true


@dataclass(frozen=True, eq=False)
class MatrixView:
    """A part of a matrix to draw: values [given, true], and the classes of its cells.

    In an overview a square covers `block` x `block` pairs and shows the largest: `givens` and
    `trues` name that pair for each square, `squares` the square of each class.
    """

    matrix: Matrix
    values: FloatArray  # NaN: not drawn
    givens: IntArray  # (rows, columns) the given class of each cell, or OTHER
    trues: IntArray  # (rows, columns) its true class, or OTHER
    block: int = 1
    squares: IntArray | None = None
    heads: IntArray | None = None  # in an overview, the first class of each square's classes

    @property
    def row_classes(self) -> IntArray:
        """The class that names each row."""
        return self.givens[:, 0] if self.heads is None else self.heads

    @property
    def column_classes(self) -> IntArray:
        return self.trues[0] if self.heads is None else self.heads

    def find(self, cell: Cell) -> tuple[int, int] | None:
        """Return the row and column where a cell is drawn, if it is."""
        if self.squares is not None and OTHER not in (cell.given, cell.true):
            return int(self.squares[cell.given]), int(self.squares[cell.true])
        rows, columns = np.nonzero((self.givens == cell.given) & (self.trues == cell.true))
        return (int(rows[0]), int(columns[0])) if len(rows) else None


def read_matrix(findings: Findings, matrix: Matrix) -> FloatArray:
    """Return a whole matrix as [given, true]; the joint and the difference in examples."""
    total = len(findings.labels)
    if matrix == "joint":
        return total * findings.joint
    if matrix == "confident_joint":
        return findings.confident_joint.astype(np.float64)
    if matrix == "noise_matrix":
        return findings.noise_matrix
    if matrix == "inverse_noise_matrix":
        return findings.inverse_noise_matrix.T  # it is [true, given]
    if matrix == "confusion":
        return findings.confusion.astype(np.float64)
    return total * (findings.joint - estimate_joint(findings.confusion, findings.labels))


def view_classes(
    findings: Findings, matrix: Matrix, givens: IntArray, trues: IntArray
) -> MatrixView:
    """Return the cells of some given and some true classes, in the order they are named."""
    values = read_matrix(findings, matrix)[np.ix_(givens, trues)]
    return MatrixView(matrix, values, *np.meshgrid(givens, trues, indexing="ij"))


def view_with_others(
    findings: Findings, matrix: Matrix, classes: IntArray, *, diagonal: bool = True
) -> MatrixView:
    """Return the cells of some classes, with all other classes together in a last row and column.

    Counts and the joint are summed; the conditional matrices are computed from the summed joint.
    Without the diagonal, the last cell counts only confusions between two of the other classes.
    """
    whole = findings.joint if matrix in SHARES else read_matrix(findings, matrix)
    summed = focus.gather_others(whole, classes)
    values, total = summed, 1.0
    if matrix == "noise_matrix":
        values, total = noise.estimate_noise_matrix(summed), float(summed[:, -1].sum())
    elif matrix == "inverse_noise_matrix":
        values, total = noise.estimate_inverse_noise_matrix(summed).T, float(summed[-1].sum())
    if not diagonal:
        others = np.delete(np.arange(len(whole)), classes)
        among = whole[np.ix_(others, others)]
        np.fill_diagonal(among, 0)
        values[-1, -1] = among.sum() / (total or 1.0)
    shown = np.append(classes, OTHER)
    return MatrixView(matrix, values, *np.meshgrid(shown, shown, indexing="ij"))


def view_overview(
    findings: Findings, matrix: Matrix, order: IntArray, block: int, *, diagonal: bool
) -> MatrixView:
    """Return all classes, each square the largest cell of a block of the ordered classes.

    For differences, the one farthest from zero is taken. Without the diagonal, a diagonal cell is
    never the largest.
    """
    values = read_matrix(findings, matrix)[np.ix_(order, order)]
    sizes = np.abs(values)
    if not diagonal:
        np.fill_diagonal(sizes, -1)
    rows, columns = focus.find_peaks(sizes, block)
    shown = np.where(sizes[rows, columns] < 0, np.nan, values[rows, columns])
    squares = np.argsort(order) // block
    return MatrixView(matrix, shown, order[rows], order[columns], block, squares, order[::block])


def hide_diagonal(view: MatrixView) -> MatrixView:
    """Return the view without the cells whose given class is the true one."""
    same = (view.givens == view.trues) & (view.givens != OTHER)
    return replace(view, values=np.where(same, np.nan, view.values))


def find_changes(matrix: Matrix, now: FloatArray, before: FloatArray) -> FloatArray:
    """Return by how much cells changed; 0 if that is too little or the cell is not drawn.

    >>> find_changes("joint", np.array([3., 8., np.nan]), np.array([3.4, 2., 1.]))
    array([0., 6., 0.])
    """
    least = CHANGED_SHARE if matrix in SHARES else CHANGED_EXAMPLES
    difference = now - before
    return np.where(np.abs(difference) >= least, difference, 0.0)  # NaN is not larger


def count_changes(matrix: Matrix, now: Findings, before: Findings) -> int:
    """Return how many pairs of two different classes changed."""
    changes = find_changes(matrix, read_matrix(now, matrix), read_matrix(before, matrix))
    np.fill_diagonal(changes, 0)
    return int(np.count_nonzero(changes))


def find_largest_cell(findings: Findings, view: MatrixView | None = None) -> Cell | None:
    """Return the pair with the most examples counted off the diagonal, if any was.

    With a view, it is the largest that is drawn with its own classes, if there is one.
    """
    given, true = rank_overlaps(findings.confident_joint)
    if not len(given):
        return None
    first = 0
    if view is not None and view.squares is None:  # an overview draws all pairs
        drawn = np.isin(given, view.row_classes) & np.isin(true, view.column_classes)
        first = int(drawn.argmax())  # 0 if none is drawn
    return Cell(int(given[first]), int(true[first]))


def find_basis(
    findings: Findings, matrix: Matrix, cell: Cell, shown: IntArray | None = None
) -> Basis | None:
    """Return which counts the examples of a cell come from; None for a method's flags.

    Counts have their own examples. A difference has those of the larger of its two estimates. The
    other matrices are estimates, and a method picks the examples for them.
    """
    if matrix == "difference":
        classes = np.arange(len(findings.joint))
        part = np.ix_(_is(classes, cell.given, shown), _is(classes, cell.true, shown))
        return "confusion" if read_matrix(findings, matrix)[part].sum() < 0 else "confident_joint"
    return matrix if matrix in ("confusion", "confident_joint") else None


def find_rows(
    findings: Findings, cell: Cell, method: Method, shown: IntArray | None = None, *,
    likeliest: bool = False,
) -> IntArray:  # fmt: skip
    """Return the examples of a cell, the most suspect first.

    Off the diagonal, they have the given label, the method flags them, and the other class is
    suggested. On the diagonal, they are counted into their given class. With `likeliest`, the other
    class is the model's likeliest, flagged or not. `shown` are the classes that are not OTHER.
    """
    in_cell = _is(findings.labels, cell.given, shown)
    if likeliest:
        in_cell &= _is(findings.predicted_labels, cell.true, shown)
    elif cell.is_diagonal and cell.given != OTHER:
        sure = findings.self_confidence >= find_cutoffs(findings.thresholds)[cell.given]
        in_cell &= sure & ~findings.mask("confident_joint")  # and no other class won
    else:
        in_cell &= findings.mask(method) & _is(findings.suggested_labels, cell.true, shown)
    rows = np.flatnonzero(in_cell)
    return rows[np.argsort(findings.normalized_margin[rows], kind="stable")]


def _is(labels: IntArray, label: int, shown: IntArray | None) -> BoolArray:
    if label != OTHER:
        inside: BoolArray = labels == label
        return inside
    outside: BoolArray = np.isin(labels, [] if shown is None else shown, invert=True)
    return outside


def count_true_joint(labels: IntArray, true_labels: IntArray, num_classes: int) -> FloatArray:
    """Return the joint of given and true labels, for the examples whose true label is known.

    A true label below 0 is unknown.

    >>> count_true_joint(np.array([0, 0, 1, 1, 1]), np.array([0, 1, 1, 1, -1]), 2)
    array([[0.25, 0.25],
           [0.  , 0.5 ]])
    """
    pairs = count_pairs(labels, true_labels, num_classes)
    return pairs / max(1, int(pairs.sum()))
