"""Where examples are on the map: on their two principal axes, or by UMAP if it is installed."""

from __future__ import annotations

import importlib.util
import threading
import warnings
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from curation.dataset import Dataset
from curation.errors import InputError
from curation.neighbours.compared_features import SEED, find_compared
from curation.neighbours.neighbour_cache import read_arrays, save_arrays
from curation.neighbours.neighbour_search import Neighbours, place_on_map
from curation.progress import Progress, part

Layout = Literal["pca", "umap"]
LAYOUTS: tuple[Layout, ...] = get_args(Layout)
INSTALL_UMAP = "pip install 'confident-curation[umap]'"
FEWEST = 4  # examples; UMAP fails on fewer
_ONE_AT_A_TIME = threading.Lock()  # numba may end the process if two threads use it at once


def has_umap() -> bool:
    """Return whether UMAP is installed."""
    return importlib.util.find_spec("umap") is not None


def find_places(neighbours: Neighbours, layout: Layout) -> NDArray[np.uint16] | None:
    """Return the places of the examples (n, 2); None where UMAP has not made them yet."""
    if layout == "pca":
        return neighbours.places
    arrays = read_arrays(_name(neighbours))
    return None if arrays is None else np.asarray(arrays["places"], np.uint16)


def make_umap(dataset: Dataset, neighbours: Neighbours, progress: Progress) -> NDArray[np.uint16]:
    """Return the places that UMAP finds, with a fixed seed, and keep them.

    While UMAP works, it cannot be stopped: a stop takes effect when it is done.
    """
    kept = find_places(neighbours, "umap")
    if kept is not None:
        return kept
    compared = find_compared(dataset, None, part(progress, "Reading the examples", 0.0, 0.3))
    if compared.usable.sum() < FEWEST:
        raise InputError(
            f"UMAP needs at least {FEWEST} examples that can be compared.",
            "Use the layout by principal axes.",
        )
    progress("Laying out the map with UMAP", 0.3)
    with _ONE_AT_A_TIME:
        found = _fit(compared.matrix[compared.usable])
    progress("Laying out the map with UMAP", 1.0)
    whole = np.zeros((len(dataset), 2), np.float32)
    whole[compared.usable] = found
    places = place_on_map(whole, compared.usable)
    save_arrays(_name(neighbours), {"places": places})
    return places


def _fit(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of numba and of the single thread that a seed needs
        import umap

        return np.asarray(umap.UMAP(random_state=SEED).fit_transform(rows), np.float32)


def _name(neighbours: Neighbours) -> str:
    return f"{neighbours.key}-umap"
