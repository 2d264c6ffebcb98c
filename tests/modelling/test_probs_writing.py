"""Saved probabilities are found and joined again, whatever happens to the files around them."""

from __future__ import annotations

import errno
import os

import numpy as np
import pytest

import curation
from curation.errors import BlockedError, InputError
from tests.modelling.conftest import write_texts


def draw(data):
    rng = np.random.default_rng(0)
    probs = rng.dirichlet(np.ones(len(data.class_names)), len(data))
    probs[np.arange(len(data)), data.labels] += 2
    return probs / probs.sum(axis=1, keepdims=True)


def probs_of(dataset):
    return np.asarray(dataset.pred_probs[0 : len(dataset)])


def test_columns_in_another_order_are_joined_by_name(labelled, texts):
    probs = draw(labelled)
    curation.save_probs(labelled, probs[:, ::-1], columns=labelled.class_names[::-1])
    dataset = curation.load(texts)
    order = [dataset.class_names.index(name) for name in labelled.class_names]
    assert np.allclose(probs_of(dataset)[:, order], probs, atol=1e-6)


def test_rows_are_found_by_id_after_the_label_file_was_sorted(labelled, texts):
    probs = draw(labelled)
    curation.save_probs(labelled, probs)
    path = texts / "texts.csv"
    head, *rows = path.read_text().splitlines()
    path.write_text("\n".join([head, *reversed(rows)]))
    assert np.allclose(probs_of(curation.load(texts)), probs[::-1], atol=1e-6)


def test_a_file_of_other_ids_is_refused(labelled, texts):
    curation.save_probs(labelled, draw(labelled))
    path = texts / "texts.csv"
    path.write_text(path.read_text().replace("\ne", "\nother"))
    with pytest.raises(BlockedError, match="have no probabilities"):
        curation.load(texts)


def test_without_ids_rows_go_by_position_and_unlabelled_rows_keep_their_place(tmp_path):
    root = write_texts(tmp_path / "pets", header="label,text")
    path = root / "texts.csv"
    head, *rows = path.read_text().splitlines()
    path.write_text("\n".join([head, ",no label here", *rows, ",nor here"]))
    data = curation.load_labelled(root)
    assert len(data) == 90 and data.num_source_rows == 92
    probs = draw(data)
    curation.save_probs(data, probs)
    assert np.allclose(probs_of(curation.load(root)), probs, atol=1e-6)


def test_unlabelled_rows_with_ids_need_no_probabilities(texts):
    path = texts / "texts.csv"
    path.write_text(path.read_text() + "e90,,no label\n")
    data = curation.load_labelled(texts)
    curation.save_probs(data, draw(data))
    assert len(curation.load(texts)) == 90


def test_labels_counted_from_one_are_classes_as_written(tmp_path):
    root = tmp_path / "stars"
    root.mkdir()
    rows = [f"e{k},{1 + k % 5},word{k % 5}" for k in range(25)]
    (root / "labels.csv").write_text("\n".join(["id,label,text", *rows]))
    data = curation.load_labelled(root)
    assert data.class_names == ("1", "2", "3", "4", "5")
    curation.save_probs(data, draw(data))
    assert (curation.load(root).labels == data.labels).all()


def test_two_tables_in_one_folder_keep_their_own_probabilities(texts):
    (texts / "more.csv").write_text((texts / "texts.csv").read_text())
    saved = {}
    for name in ("texts.csv", "more.csv"):
        data = curation.load_labelled(texts / name)
        saved[name] = draw(data) if name == "texts.csv" else np.full((90, 3), 1 / 3)
        path = curation.save_probs(data, saved[name])
        assert path.name == name.replace(".csv", ".probs.npz")
    for name, probs in saved.items():
        assert np.allclose(probs_of(curation.load(texts / name)), probs, atol=1e-6)


def test_a_read_only_folder_is_left_alone_and_its_probabilities_found(texts, tmp_path):
    texts.chmod(0o555)
    try:
        data = curation.load_labelled(texts)
        path = curation.save_probs(data, draw(data))
        assert path.is_relative_to(tmp_path / "home")
        assert [each.name for each in texts.iterdir()] == ["texts.csv"]
        dataset = curation.load(texts)
        assert np.allclose(probs_of(dataset), draw(data), atol=1e-6)
        assert "probs.personal" in {each.code for each in dataset.report.diagnoses}
    finally:
        texts.chmod(0o755)


@pytest.mark.parametrize("step", ["savez", "replace"])
def test_a_full_disk_leaves_nothing_half_written(labelled, texts, monkeypatch, step):
    curation.save_probs(labelled, draw(labelled))
    before = (texts / "probs.npz").read_bytes()

    def fail(*given, **options):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(*{"savez": (np, "savez"), "replace": (os, "replace")}[step], fail)
    with pytest.raises(InputError, match="NOT saved.*the disk is full"):
        curation.save_probs(labelled, np.full((90, 3), 1 / 3))
    assert (texts / "probs.npz").read_bytes() == before
    assert sorted(each.name for each in texts.iterdir()) == ["probs.npz", "texts.csv"]


BAD = [
    (np.full((90, 2), 0.5), {}, "do not fit the 3 classes"),
    (np.full((80, 3), 1 / 3), {}, "do not fit 90 examples"),
    (np.full((90, 3), 0.9), {}, "adds up to 2.7"),
    (np.full((90, 3), 1 / 3), {"columns": ["cat", "dog", "yak"]}, "eel are missing"),
    (np.full((90, 3), 1 / 3), {"columns": ["cat", "cat", "dog"]}, "do not fit the 3 classes"),
    (np.full((90, 3), 1 / 3), {"out": "probs.csv"}, "does not end in .npz"),
]


@pytest.mark.parametrize(("probs", "options", "said"), BAD)
def test_what_does_not_belong_is_refused(labelled, texts, probs, options, said):
    with pytest.raises(InputError, match=said):
        curation.save_probs(labelled, probs, **options)
    assert not (texts / "probs.npz").exists()


def test_a_broken_record_of_how_they_were_made_does_not_matter(labelled, texts):
    curation.save_probs(labelled, draw(labelled), made={"models": [{"name": 3}, 7]})
    assert len(curation.load(texts)) == 90


def test_names_that_do_not_fit_the_columns_are_refused(texts):
    rows = np.full((90, 3), 1 / 3)
    np.savez(texts / "probs.npz", pred_probs=rows, columns=np.array(["cat", "dog"]))
    with pytest.raises(BlockedError, match="2 names for 3 columns"):
        curation.load(texts)
