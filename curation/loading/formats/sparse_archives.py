"""Sparse matrices that SciPy saved as .npz: recognized, and not read."""

from __future__ import annotations

from collections.abc import Collection

from curation.loading.report_builder import stop

SPARSE_KEYS = frozenset({"indices", "indptr", "shape", "data"})


def is_sparse(keys: Collection[str]) -> bool:
    """Return whether the arrays of an archive are the parts of a sparse matrix."""
    return SPARSE_KEYS <= set(keys)


def refuse_sparse(keys: Collection[str], name: str) -> None:
    """Stop at a sparse matrix, of which no single array holds the probabilities."""
    if not is_sparse(keys):
        return
    raise stop(
        code="npz.sparse",
        where=name,
        what="it is a sparse matrix, as scipy.sparse.save_npz writes it.",
        fix="Save it as an array: "
        f'np.save("probs.npy", scipy.sparse.load_npz("{name}").toarray()).',
        why="Its arrays are the places of values that are not 0, and not rows and columns.",
    )
