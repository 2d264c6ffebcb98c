"""Real data opens as it is."""

import numpy as np
import pytest

import curation
from tests import shared_data


@pytest.mark.parametrize("name", ["noise2_sparsity0", "noise4_sparsity6"])
def test_the_papers_own_files_open(name):
    dataset = curation.load(shared_data.find(f"paper/{name}.npz"))
    assert (len(dataset), len(dataset.class_names)) == (50_000, 10)
    assert dataset.true_labels is not None
    assert 0.1 < np.mean(dataset.true_labels != dataset.labels) < 0.45
    assert not dataset.report.blocked


def test_two_archives_in_a_folder_are_ambiguous():
    report = curation.check(shared_data.find("paper"))
    assert report.blocked
    assert "noise2_sparsity0.npz" in report.diagnoses[0].what


def test_mnist_opens_with_its_pictures():
    dataset = curation.load(shared_data.find("mnist"))
    assert (len(dataset), dataset.kind) == (10_000, "image")
    assert dataset.content.image(247).image.size == (28, 28)
    assert {each.code for each in dataset.report.diagnoses} <= {"probs.in_sample"}
