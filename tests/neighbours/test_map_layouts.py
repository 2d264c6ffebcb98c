"""UMAP's layout, where it is installed: kept, and the same every time."""

import numpy as np
import pytest

import curation
from curation.errors import InputError
from curation.neighbours.map_layouts import find_places, make_umap
from tests.neighbours.test_neighbour_search import two_clusters, write_index


def test_umap_keeps_clusters_apart_and_is_made_once(tmp_path):
    pytest.importorskip("umap")
    dataset = curation.load(write_index(tmp_path / "a", embeddings=two_clusters()))
    neighbours = curation.find_neighbours(dataset)
    assert find_places(neighbours, "umap") is None
    places = make_umap(dataset, neighbours, lambda stage, share: None)
    assert (find_places(neighbours, "umap") == places).all()
    one, other = (places[dataset.labels == label].mean(axis=0) for label in (0, 1))
    assert np.linalg.norm(one - other) > 500


def test_too_few_examples_are_refused(tmp_path):
    dataset = curation.load(write_index(tmp_path / "few", 3))
    with pytest.raises(InputError, match="at least 4 examples"):
        make_umap(dataset, curation.find_neighbours(dataset), lambda stage, share: None)
