"""`curate probs`: from labels to probabilities, and what they are worth."""

from __future__ import annotations

import numpy as np
import pytest

from curation.cli import main
from curation.cli.check import BLOCKED
from tests.modelling.conftest import write_texts


@pytest.fixture
def texts(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return write_texts(tmp_path / "pets")


def test_probs_then_check_proves_that_rows_and_classes_belong(texts, capsys):
    assert main(["check", str(texts)]) == BLOCKED
    assert "curate probs" in capsys.readouterr().out
    assert main(["probs", str(texts)]) == 0
    said = capsys.readouterr().out
    assert f"Saved as {texts / 'probs.npz'}." in said
    assert "linear: agrees with" in said and "finds the given label likeliest" in said
    assert main(["check", str(texts)]) == 0
    checked = capsys.readouterr().out
    assert "This dataset can be opened." in checked
    assert "made by Curation with 4 folds, seed 0" in checked


def test_a_table_can_be_opened_on_its_own(texts, capsys):
    assert main(["probs", str(texts / "texts.csv"), "--folds", "3", "--models", "bayes"]) == 0
    said = capsys.readouterr().out
    assert "texts.probs.npz" in said and "by 3 folds" in said
    assert main(["check", str(texts / "texts.csv")]) == 0


def test_the_models_learn_from_the_features_that_are_named(texts, capsys, tmp_path):
    rows = len((texts / "texts.csv").read_text().splitlines()) - 1
    np.save(tmp_path / "clip.npy", np.random.default_rng(0).normal(size=(rows, 3)))
    assert main(["probs", str(texts), "--features", str(tmp_path / "clip.npy")]) == 0
    assert "learned from clip.npy" in capsys.readouterr().out


def test_what_is_wrong_is_two_lines(texts, capsys):
    assert main(["probs", str(texts), "--estimator", "sklearn.svm:LinearSVC"]) == BLOCKED
    problem, remedy = capsys.readouterr().err.strip().splitlines()
    assert "has no predict_proba" in problem and "CalibratedClassifierCV" in remedy


def test_stopping_says_how_to_go_on(texts, capsys, monkeypatch):
    def stop(*given, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr("curation.modelling.make_probs", stop)
    assert main(["probs", str(texts)]) == BLOCKED
    assert "Run the same command again" in capsys.readouterr().err
    assert not (texts / "probs.npz").exists()


def test_several_files_are_averaged(texts, capsys):
    for seed in (1, 2):
        out = str(texts / f"m{seed}_probs.npz")
        assert main(["probs", str(texts), "--seed", str(seed), "--out", out]) == 0
    assert main(["probs", str(texts), "--average", "m1_probs.npz", "m2_probs.npz"]) == 0
    assert "m1_probs.npz: agrees with" in capsys.readouterr().out
    assert main(["check", str(texts)]) == 0
