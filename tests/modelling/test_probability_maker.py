"""From labels to probabilities that `load` finds: texts, pictures, tables, features."""

from __future__ import annotations

import errno
import re

import numpy as np
import pytest
from PIL import Image

import curation
from curation.errors import InputError
from curation.modelling import probability_maker
from curation.report import Severity
from tests.modelling.conftest import write_texts


def write_pictures(root, *, n=24, size=20):
    """Write class folders of pictures: cats have stripes across, dogs down."""
    rng = np.random.default_rng(0)
    for label, axis in (("cat", 0), ("dog", 1)):
        (root / label).mkdir(parents=True)
        for k in range(n):
            stripes = (np.indices((size, size))[axis] + rng.integers(0, 6)) % 6 < 3
            pixels = (stripes * 180 + rng.integers(0, 60, (size, size))).astype(np.uint8)
            Image.fromarray(pixels).save(root / label / f"{k:02}.png")
    return root


def write_table(root, *, n=80):
    rng = np.random.default_rng(0)
    rows = ["id,label,label_name,age,town"]
    for k in range(n):
        y = k % 2
        age = "" if k == 5 else f"{rng.normal(30 + 20 * y, 5):.1f}"
        rows.append(f"e{k},{y},{('no', 'yes')[y]},{age},{('north', 'south')[y ^ (k % 7 == 0)]}")
    root.mkdir()
    (root / "labels.csv").write_text("\n".join(rows))
    return root


def test_texts_and_labels_lead_to_the_first_issue(texts):
    made = curation.make_probs(curation.load_labelled(texts))
    dataset = curation.load(texts)
    assert np.allclose(dataset.pred_probs[0 : len(dataset)], made.pred_probs)
    findings = curation.analyze(dataset.labels, dataset.pred_probs, dataset.class_names)
    assert set(findings.issues().tolist()) <= set(range(6)) and len(findings.issues()) >= 4
    assert not dataset.report.of(Severity.WARN)


def test_class_folders_of_pictures_lead_to_probabilities(tmp_path):
    root = write_pictures(tmp_path / "photos")
    made = curation.make_probs(curation.load_labelled(root))
    assert made.strength.agreement > 0.9
    assert any("weak for photographs" in note for note in made.notes)
    assert len(curation.load(root)) == 48


def test_a_table_is_learned_from_its_other_columns_but_not_from_the_label_again(tmp_path):
    root = write_table(tmp_path / "table")
    made = curation.make_probs(curation.load_labelled(root))
    assert made.features == "2 columns"
    assert "The column 'label_name' repeats the label and is left out." in made.notes
    assert 0.8 < made.strength.agreement
    assert curation.load(root).class_names == ("0", "1")


def test_embeddings_next_to_the_data_are_used(texts):
    data = curation.load_labelled(texts)
    rng = np.random.default_rng(0)
    np.save(texts / "embeddings.npy", np.eye(3)[data.labels] + 0.1 * rng.normal(size=(90, 3)))
    made = curation.make_probs(curation.load_labelled(texts))
    assert made.features == "embeddings.npy" and made.strength.agreement == 1
    assert {each.name for each in made.models} == {"linear", "neighbours"}


def test_embeddings_outside_the_folder_are_not_read(texts, tmp_path):
    np.save(tmp_path / "elsewhere.npy", np.zeros((90, 3)))
    (texts / "embeddings.npy").symlink_to(tmp_path / "elsewhere.npy")
    made = curation.make_probs(curation.load_labelled(texts))
    assert made.features == "words and parts of words"


def test_the_result_depends_on_the_seed_alone(labelled, tmp_path):
    made = [
        curation.make_probs(labelled, seed=seed, out=tmp_path / f"{k}.npz")
        for k, seed in enumerate((1, 1, 2))
    ]
    assert made[0].pred_probs.tobytes() == made[1].pred_probs.tobytes()
    assert made[0].pred_probs.tobytes() != made[2].pred_probs.tobytes()


def test_groups_and_copies_never_straddle_folds(tmp_path):
    root = write_texts(tmp_path / "pets", header="id,label,text,group")
    lines = (root / "texts.csv").read_text().splitlines()
    lines.append(lines[1].replace("e0,", "e90,").replace(",g0", ",g99"))  # a copy in another group
    (root / "texts.csv").write_text("\n".join(lines))
    data = curation.load_labelled(root)
    made = curation.make_probs(data)
    for group in set(data.extras["group"]):
        assert len(set(made.folds[data.extras["group"] == group])) == 1
    assert made.folds[90] == made.folds[0]
    assert "Examples with the same 'group' stay together." in made.notes


def test_a_killed_run_continues_and_gives_the_same(labelled, tmp_path, monkeypatch):
    whole = curation.make_probs(labelled, out=tmp_path / "whole.npz")

    class Killed(BaseException):
        pass

    def kill(stage, share):
        if "bayes: fold 2" in stage:
            raise Killed

    with pytest.raises(Killed):
        curation.make_probs(labelled, out=tmp_path / "again.npz", progress=kill)
    assert not (tmp_path / "again.npz").exists()
    fitted = []
    make = probability_maker.make_estimator
    from curation.modelling import cross_validation

    def count(classifier, seed):
        fitted.append(classifier.name)
        return make(classifier, seed)

    monkeypatch.setattr(cross_validation, "make_estimator", count)
    again = curation.make_probs(labelled, out=tmp_path / "again.npz")
    assert fitted == ["bayes"] * 3  # the five finished folds were kept
    assert again.pred_probs.tobytes() == whole.pred_probs.tobytes()
    assert not any((tmp_path / "cache" / "curation" / "folds").iterdir())


def test_a_change_of_the_labels_begins_anew(labelled, texts):
    def stop(stage, share):
        if "bayes" in stage:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        curation.make_probs(labelled, progress=stop)
    path = texts / "texts.csv"
    path.write_text(path.read_text().replace("e0,dog", "e0,cat"))
    changed = curation.load_labelled(texts)
    resumed = curation.make_probs(changed)
    anew = curation.make_probs(changed, replace=True)
    assert resumed.pred_probs.tobytes() == anew.pred_probs.tobytes()


def test_one_model_can_be_chosen_and_an_estimator_given(labelled, tmp_path):
    made = curation.make_probs(labelled, models=["bayes"], out=tmp_path / "a.npz")
    assert [each.name for each in made.models] == ["bayes"]
    own = curation.make_probs(
        labelled, estimator="sklearn.naive_bayes:MultinomialNB", out=tmp_path / "b.npz"
    )
    assert own.models[0].weight == 1 and own.strength.agreement > 0.8


def test_a_weak_model_is_said_to_be_weak(texts):
    rng = np.random.default_rng(0)
    noise = rng.normal(size=(90, 4))
    made = curation.make_probs(curation.load_labelled(texts), features=noise)
    assert made.strength.is_weak
    assert "many flags will be its own mistakes" in "\n".join(made.describe())


def test_existing_probabilities_are_not_replaced_unasked(labelled, texts):
    made = curation.make_probs(labelled)
    before = made.path.read_bytes()
    with pytest.raises(InputError, match="already exists"):
        curation.make_probs(labelled)
    assert made.path.read_bytes() == before
    curation.make_probs(labelled, seed=5, replace=True)
    assert made.path.read_bytes() != before


def test_a_dataset_with_probabilities_of_its_own_keeps_them(texts):
    np.save(texts / "my_probs.npy", np.full((90, 3), 1 / 3))
    with pytest.raises(InputError, match="already has probabilities: my_probs.npy"):
        curation.make_probs(curation.load_labelled(texts))


def test_columns_of_probabilities_are_never_learned_from(tmp_path):
    root = tmp_path / "inside"
    root.mkdir()
    rows = [f"e{k},{'cat dog'.split()[k % 2]},{k % 2},{1 - k % 2}" for k in range(20)]
    (root / "labels.csv").write_text("\n".join(["id,label,p_dog,p_cat", *rows]))
    with pytest.raises(InputError, match="nothing to learn from"):
        curation.make_probs(curation.load_labelled(root))


BAD_FEATURES = [
    (np.zeros((5, 2)), "5 rows for 90 examples"),
    (np.full((90, 2), np.nan), "90 rows hold NaN"),
    (np.zeros(90), "cannot be features"),
]


@pytest.mark.parametrize(("features", "said"), BAD_FEATURES, ids=["rows", "nan", "shape"])
def test_features_that_do_not_fit_are_refused(labelled, texts, features, said):
    with pytest.raises(InputError, match=said):
        curation.make_probs(labelled, features=features)
    assert not (texts / "probs.npz").exists()


def test_an_estimator_without_probabilities_is_refused_before_the_work(labelled, texts):
    with pytest.raises(InputError, match="has no predict_proba"):
        curation.make_probs(labelled, estimator="sklearn.svm:LinearSVC")
    assert not (texts / "probs.npz").exists()


def test_texts_that_are_all_empty_are_refused(tmp_path):
    root = tmp_path / "empty"
    root.mkdir()
    rows = [f'e{k},{"cat dog".split()[k % 2]},"  "' for k in range(12)]
    (root / "labels.csv").write_text("\n".join(["id,label,text", *rows]))
    with pytest.raises(InputError, match="12 of 12 examples have no text"):
        curation.make_probs(curation.load_labelled(root, text_column="text"))


def test_one_empty_text_is_named_and_predicted_by_the_shares(texts):
    path = texts / "texts.csv"
    path.write_text(path.read_text() + "e90,cat,\n")
    made = curation.make_probs(curation.load_labelled(texts))
    assert any("1 example: has no text (e90)" in note for note in made.notes)
    assert made.pred_probs[90].max() < 0.5


def test_pictures_that_cannot_be_read_are_named(tmp_path):
    root = write_pictures(tmp_path / "photos")
    (root / "cat" / "00.png").write_bytes(b"no picture")
    made = curation.make_probs(curation.load_labelled(root))
    assert any("cat/00.png" in note for note in made.notes)
    for path in root.rglob("*.png"):
        path.write_bytes(b"no picture")
    with pytest.raises(InputError, match="48 of 48 examples cannot be read"):
        curation.make_probs(curation.load_labelled(root), replace=True)


def test_a_class_with_one_example_is_refused_and_can_be_allowed(texts):
    path = texts / "texts.csv"
    path.write_text(path.read_text() + "e90,yak,alone on the hill\n")
    with pytest.raises(InputError, match="The class 'yak' has only one example"):
        curation.make_probs(curation.load_labelled(texts))
    made = curation.make_probs(curation.load_labelled(texts), allow_rare=True)
    assert made.pred_probs[90, 3] == 0
    assert any("'yak'" in note for note in made.notes)


def test_one_group_for_all_examples_is_refused_and_nothing_is_written(tmp_path):
    root = write_texts(tmp_path / "grouped", header="id,label,text,group")
    path = root / "texts.csv"
    path.write_text(re.sub(r"g\d+$", "all", path.read_text(), flags=re.MULTILINE))
    with pytest.raises(InputError, match="All examples belong to one group"):
        curation.make_probs(curation.load_labelled(root))
    assert [each.name for each in root.iterdir() if each.is_file()] == ["texts.csv"]


def test_a_disk_that_is_full_in_the_middle_costs_only_the_finished_folds(
    labelled, tmp_path, monkeypatch
):
    whole = curation.make_probs(labelled, out=tmp_path / "whole.npz")

    def full(*given, **options):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("numpy.save", full)  # of a finished fold
    again = curation.make_probs(labelled, out=tmp_path / "again.npz")
    assert again.pred_probs.tobytes() == whole.pred_probs.tobytes()
    assert not list((tmp_path / "cache").rglob("*.npy*"))


def test_too_many_cells_for_the_memory_are_refused(labelled, monkeypatch):
    monkeypatch.setattr(probability_maker, "MEMORY_LIMIT", 1000)
    with pytest.raises(InputError, match="GB of memory"):
        curation.make_probs(labelled)


def test_scikit_learn_is_not_loaded_before_it_is_needed():
    import subprocess
    import sys

    code = "import sys, curation, curation.modelling; assert 'sklearn' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
