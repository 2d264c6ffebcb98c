"""Estimate: from counts to the joint and what follows from it (Equation 3 and Algorithm 2).

Matrices are indexed in the order their subscripts are read: `joint[given, true]`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from curation.core.matrix import FloatArray, IntArray


def estimate_joint(counts: NDArray[Any], labels: IntArray) -> FloatArray:
    """Return the joint distribution of given and true labels (Algorithm 2).

    Each row of counts is rescaled to the number of examples given that label, then everything is
    divided by the number of examples: the joint sums to 1 and its rows to the given labels'
    shares. A given class with no count at all keeps its whole mass on the diagonal, because
    nothing contradicts its labels. Works for any count matrix, such as the confusion baseline.

    >>> estimate_joint(np.array([[2, 0], [1, 1]]), np.array([0, 0, 1, 1, 1, 1, 1, 1]))
    array([[0.25 , 0.   ],
           [0.375, 0.375]])
    """
    return rescale_counts(counts, np.bincount(labels, minlength=len(counts)))


def rescale_counts(counts: NDArray[Any], given_counts: IntArray) -> FloatArray:
    """Return the joint as `estimate_joint`, from the number of examples given each label.

    >>> rescale_counts(np.array([[2, 0], [1, 1]]), np.array([2, 6]))
    array([[0.25 , 0.   ],
           [0.375, 0.375]])
    """
    given_prior = given_counts / given_counts.sum()
    totals = counts.sum(axis=1, dtype=np.float64)
    empty = np.flatnonzero(totals == 0)
    joint: FloatArray = counts * (given_prior / np.where(totals > 0, totals, 1))[:, None]
    joint[empty, empty] = given_prior[empty]
    return joint


def estimate_noise_matrix(joint: FloatArray) -> FloatArray:
    """Return p(given | true) as `[given, true]`; columns sum to 1.

    A class that is no example's true label has no noise: its column is 1 on the diagonal.

    >>> estimate_noise_matrix(np.array([[.25, .25], [0., .5]])).round(2)
    array([[1.  , 0.33],
           [0.  , 0.67]])
    """
    return _condition_on_columns(joint)


def estimate_inverse_noise_matrix(joint: FloatArray) -> FloatArray:
    """Return p(true | given), the paper's mixing matrix, as `[true, given]`; columns sum to 1.

    Despite its name it is not the matrix inverse of the noise matrix. A class that no example
    was given has 1 on its diagonal.

    >>> estimate_inverse_noise_matrix(np.array([[.25, .25], [0., .5]]))
    array([[0.5, 0. ],
           [0.5, 1. ]])
    """
    return _condition_on_columns(joint.T)


def _condition_on_columns(matrix: FloatArray) -> FloatArray:
    totals = matrix.sum(axis=0)
    conditional = matrix / np.where(totals > 0, totals, 1)
    empty = np.flatnonzero(totals == 0)
    conditional[empty, empty] = 1
    return conditional


def estimate_class_weights(joint: FloatArray) -> FloatArray:
    """Return the weight of each class for training without the errors (Section 3.2).

    The weight of class i is latent_prior[i] / joint[i, i], that is 1 / p(given i | true i). If no
    label of a class is estimated to be right, it has no kept example to weight; its weight is 1.

    >>> estimate_class_weights(np.array([[.25, .25], [0., .5]]))
    array([1. , 1.5])
    """
    believed = joint.diagonal()
    weights = np.ones(len(joint))
    np.divide(joint.sum(axis=0), believed, out=weights, where=believed > 0)
    return weights


def measure_sparsity(joint: FloatArray) -> float:
    """Return the share of zeros off the diagonal of the joint (the paper's Definition 1).

    >>> measure_sparsity(np.array([[.25, .25], [0., .5]]))
    0.5
    """
    zeros = np.count_nonzero(joint == 0) - np.count_nonzero(joint.diagonal() == 0)
    return float(zeros / (len(joint) * (len(joint) - 1)))
