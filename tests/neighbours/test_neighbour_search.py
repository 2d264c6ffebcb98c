"""Neighbours of a dataset: what it is compared by, what is kept, what follows."""

import numpy as np
import pytest
from PIL import Image

import curation
from curation.errors import InputError
from curation.neighbours import neighbour_search
from curation.neighbours.compared_features import LOG_PROBABILITIES

RNG = np.random.default_rng(0)


def write_index(root, n=60, *, embeddings=None):
    """Write two classes that the model tells apart; no content."""
    root.mkdir(exist_ok=True)
    labels = np.arange(n) % 2
    sure = 0.6 + 0.3 * np.random.default_rng(1).random(n)
    probs = np.where(labels[:, None] == np.arange(2), sure[:, None], 1 - sure[:, None])
    np.save(root / "labels.npy", labels)
    np.save(root / "probs.npy", probs)
    if embeddings is not None:
        np.save(root / "embeddings.npy", embeddings)
    return root


def two_clusters(n=60):
    rng = np.random.default_rng(2)
    return np.stack([np.arange(n) % 2, 1 - np.arange(n) % 2], 1) + rng.normal(0, 0.1, (n, 2))


def test_embeddings_next_to_the_data_come_first(tmp_path):
    dataset = curation.load(write_index(tmp_path / "a", embeddings=two_clusters()))
    found = curation.find_neighbours(dataset)
    assert (found.source, found.of_content) == ("embeddings.npy", True)
    assert (found.count_labels(dataset.labels, dataset.labels) == 10).all()


def test_embeddings_are_compared_by_direction(tmp_path):
    rows = two_clusters()
    scaled = rows * np.random.default_rng(3).uniform(0.1, 9, (60, 1))
    one = curation.find_neighbours(curation.load(write_index(tmp_path / "a", embeddings=rows)))
    two = curation.find_neighbours(curation.load(write_index(tmp_path / "b", embeddings=scaled)))
    unit = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    apart = np.linalg.norm(unit[:, None] - unit[None], axis=2)
    np.fill_diagonal(apart, np.inf)
    np.testing.assert_allclose(one.distances, np.sort(apart, axis=1)[:, :10], atol=1e-5)
    np.testing.assert_allclose(two.distances, one.distances, atol=1e-5)


def test_without_content_the_probabilities_serve_but_tell_no_copies_and_no_outliers(tmp_path):
    dataset = curation.load(write_index(tmp_path / "a"))
    found = curation.find_neighbours(dataset)
    assert (found.source, found.of_content) == (LOG_PROBABILITIES, False)
    assert (found.count_labels(dataset.labels, dataset.labels) == 10).all()
    assert not len(found.outliers) and not found.similar.found.any()


def test_it_is_read_from_the_cache_until_the_features_change(tmp_path, monkeypatch):
    root = write_index(tmp_path / "a", embeddings=two_clusters())
    first = curation.find_neighbours(curation.load(root))
    with monkeypatch.context() as patched:
        patched.setattr(neighbour_search, "find_compared", None)  # nothing may be computed
        again = curation.find_neighbours(curation.load(root))
    for name in ("nearest", "distances", "places"):
        assert (getattr(again, name) == getattr(first, name)).all()
    assert (again.source, again.key, again.notes) == (first.source, first.key, first.notes)
    np.save(root / "embeddings.npy", two_clusters()[::-1])
    assert curation.find_neighbours(curation.load(root)).key != first.key


def test_a_broken_cache_is_made_again(tmp_path):
    root = write_index(tmp_path / "a", embeddings=two_clusters())
    first = curation.find_neighbours(curation.load(root))
    for path in (tmp_path / "cache").rglob(f"{first.key}.npz"):
        path.write_bytes(path.read_bytes()[:100])
    assert (curation.find_neighbours(curation.load(root)).nearest == first.nearest).all()


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (np.ones((59, 2)), "embeddings.npy: 59 rows for 60 examples."),
        (np.full((60, 2), np.nan), "hold NaN or infinity; the first is row 0"),
        (np.ones(60), "cannot be features"),
    ],
)
def test_features_that_do_not_fit_are_refused_in_words(tmp_path, rows, words):
    dataset = curation.load(write_index(tmp_path / "a", embeddings=rows))
    with pytest.raises(InputError) as error:
        curation.find_neighbours(dataset)
    assert words in error.value.problem and error.value.remedy


def test_a_stop_leaves_nothing_behind(tmp_path):
    class Stop(Exception):
        pass

    def stop(stage, share):
        if share > 0.3:
            raise Stop

    dataset = curation.load(write_index(tmp_path / "a", embeddings=two_clusters()))
    with pytest.raises(Stop):
        curation.find_neighbours(dataset, progress=stop)
    assert not list((tmp_path / "cache").rglob("*.npz"))


def test_outliers_rank_as_cleanlabs_do(tmp_path):
    from cleanlab.outlier import OutOfDistribution

    rows = np.random.default_rng(5).normal(size=(200, 3))  # it takes cosines of wider ones
    rows[:4] += 9
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    dataset = curation.load(write_index(tmp_path / "a", 200, embeddings=rows))
    found = curation.find_neighbours(dataset)
    scores = OutOfDistribution({"k": 10}).fit_score(features=rows)
    assert (np.argsort(-found.mean_distance) == np.argsort(scores)).mean() > 0.98  # rounding


def test_an_example_far_from_all_others_is_an_outlier(tmp_path):
    rows = 1 + 0.1 * np.random.default_rng(0).random((60, 3))
    rows[17] = -1
    found = curation.find_neighbours(curation.load(write_index(tmp_path / "a", embeddings=rows)))
    assert found.outliers.tolist() == [17]


def test_pictures_that_cannot_be_read_have_no_neighbours(tmp_path):
    rng = np.random.default_rng(0)
    for name in ("cat", "dog"):
        (tmp_path / "p" / name).mkdir(parents=True)
    for k in range(20):
        pixels = rng.integers(0, 255, (16, 16, 3), dtype=np.uint8)
        Image.fromarray(pixels).save(tmp_path / "p" / ("cat", "dog")[k % 2] / f"{k}.png")
    bad = tmp_path / "p" / "cat" / "0.png"
    bad.write_bytes(b"no picture")
    labelled = curation.load_labelled(tmp_path / "p")
    curation.save_probs(labelled, np.full((20, 2), 0.5))
    dataset = curation.load(tmp_path / "p")
    found = curation.find_neighbours(dataset)
    lost = [row for row, each in enumerate(dataset.ids) if str(each).endswith("cat/0.png")]
    assert (np.flatnonzero(~found.usable) == lost).all() and len(lost) == 1
    assert not np.isin(found.nearest[found.usable], lost).any()
    assert found.count_labels(dataset.labels, dataset.labels)[lost] == 0
    assert found.pictures is not None and np.isnan(found.measures[lost]).all()


def test_texts_with_the_same_words_are_neighbours(tmp_path):
    root = tmp_path / "t"
    root.mkdir()
    texts = [f"purr meow whisker {k}" if k % 2 else f"bark leash bone {k}" for k in range(40)]
    lines = [f"e{k},{('dog', 'cat')[k % 2]},{text}" for k, text in enumerate(texts)]
    (root / "labels.csv").write_text("id,label,text\n" + "\n".join(lines) + "\n")
    labels = np.arange(40) % 2
    np.save(root / "probs.npy", np.where(labels[:, None] == [1, 0], 0.8, 0.2))
    dataset = curation.load(root)
    found = curation.find_neighbours(dataset)
    assert found.source == "words and parts of words"
    assert (found.count_labels(dataset.labels, dataset.labels) == 10).all()


def test_rows_of_a_table_are_compared_by_its_numbers(tmp_path):
    root = write_index(tmp_path / "a")
    (root / "labels.npy").unlink()
    lines = [f"e{k},{'ab'[k % 2]},{100 * (k % 2) + k / 60},{k % 2 + k / 600}" for k in range(60)]
    (root / "labels.csv").write_text("id,label,size,hue\n" + "\n".join(lines) + "\n")
    dataset = curation.load(root)
    found = curation.find_neighbours(dataset)
    assert (found.source, found.of_content) == ("2 columns", True)
    assert (found.count_labels(dataset.labels, dataset.labels) == 10).all()


def test_the_score_is_the_mean_of_the_margins_of_neighbours_and_probabilities(tmp_path):
    dataset = curation.load(write_index(tmp_path / "a", embeddings=two_clusters()))
    findings = curation.analyze(dataset.labels, dataset.pred_probs)
    found = curation.find_neighbours(dataset)
    score = curation.score_neighbours(findings, found)
    for row in range(60):
        labels = [int(dataset.labels[each]) for each in found.nearest[row]]
        given = labels.count(int(dataset.labels[row]))
        other = labels.count(int(findings.suggested_labels[row]))
        by_hand = ((given - other) / 10 + findings.normalized_margin[row]) / 2
        assert score[row] == pytest.approx(by_hand)
