"""What cleaning is worth, from a dataset to the sentence; and that nothing is computed twice."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import curation
from curation.errors import InputError
from curation.modelling import benefit_measure
from curation.modelling.benefit_measure import recall_benefit
from curation.modelling.benefit_split import DecidedLabels
from tests.modelling.conftest import write_known


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write_known(tmp_path_factory.mktemp("known") / "pets")


@pytest.fixture
def known(folder):
    return curation.load(folder)


def measure(data, **options):
    return curation.measure_benefit(data, **{"runs": 3, "model": "linear"} | options)


def correct_all(data):
    return replace(
        DecidedLabels.none(data), labels=data.true_labels, confirmed=np.ones(len(data), bool)
    )


def test_cleaning_helps_where_labels_are_wrong_and_says_so(known):
    found = measure(known, decided=correct_all(known), runs=10)
    given, decided = found.score("given"), found.score("decisions")
    assert found.against == "true" and decided.accuracy > given.accuracy
    assert decided.gain.is_up
    assert found.decisions_sentence().startswith(
        f"Applying the {decided.changed:,.0f} decisions that change a training label raised the "
        "accuracy on held-out examples from "
    )
    assert "random examples changed it by" in found.sentence()


def test_accuracy_and_gain_are_those_of_the_runs(known):
    found = measure(known)
    place = found.arms.index(found.score("both", 0.6).arm)
    own = [trial.correct[place].mean() for trial in found.trials]
    base = [trial.correct[0].mean() for trial in found.trials]
    score = found.score("both", 0.6)
    assert score.accuracy == pytest.approx(np.mean(own))
    assert score.spread == pytest.approx(np.std(own, ddof=1))
    assert score.gain.estimate == pytest.approx(np.mean(own) - np.mean(base))


def test_nothing_to_clean_is_said(tmp_path):
    data = curation.load(write_known(tmp_path / "clean", wrong=0, apart=12))
    found = measure(data)
    assert found.sentence() == (
        "“Confident joint” flags nothing in the training examples, so there is nothing to gain or "
        "lose."
    )
    assert found.decisions_sentence() is None


def test_random_labels_are_not_said_to_have_been_cleaned(tmp_path):
    data = curation.load(write_known(tmp_path / "random"))
    rng = np.random.default_rng(0)
    noise = rng.normal(size=(len(data), 4)).astype(np.float32)
    said = measure(data, features=noise, model="linear").sentence()
    assert "did not measurably change the accuracy on held-out examples: from " in said


def test_the_noisiest_classes_are_scored_alone(known):
    found = measure(known)
    assert len(found.noisy_classes) == 1  # a fifth of three
    label = int(found.noisy_classes[0])
    wanted = np.mean([trial.correct[0][known.true_labels[trial.rows] == label].mean()
                      for trial in found.trials])  # fmt: skip
    assert found.noisy_scores[0].accuracy == pytest.approx(wanted)


def test_a_finished_result_is_recalled_without_training(known, monkeypatch):
    decided = DecidedLabels.none(known)
    options = {"decided": decided, "against": "true", "method": "both", "model": "linear"}
    assert recall_benefit(known, runs=3, **options) is None
    whole = measure(known, **options)
    monkeypatch.setattr(benefit_measure, "run_trial", None)
    again = recall_benefit(known, runs=3, **options)
    assert again.sentence() == whole.sentence() and again.describe() == whole.describe()
    assert again.scores == whole.scores == measure(known, **options).scores
    assert recall_benefit(known, runs=2, **options).num_held_out == 60
    assert recall_benefit(known, runs=4, **options) is None
    assert recall_benefit(known, runs=3, **options | {"decided": correct_all(known)}) is None
    assert recall_benefit(known, runs=3, **options | {"model": "neighbours"}) is None


def test_a_stopped_measurement_continues_with_its_finished_runs(known, monkeypatch):
    def stop(stage, share):
        if stage.startswith("Run 2"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        measure(known, progress=stop)
    seeds = []
    run = benefit_measure.run_trial

    def count(experiment, seed, tick):
        seeds.append(seed)
        return run(experiment, seed, tick)

    monkeypatch.setattr(benefit_measure, "run_trial", count)
    resumed = measure(known)
    assert seeds == [1, 2]
    assert resumed.scores == measure(known, seed=0).scores


def test_a_run_that_was_cut_short_on_disk_is_made_again(known, tmp_path):
    whole = measure(known)
    for path in (tmp_path / "cache").rglob("run-*.npz"):
        path.write_bytes(path.read_bytes()[:100])
    assert measure(known).scores == whole.scores


def test_a_full_disk_costs_only_the_memory_of_it(known, tmp_path, monkeypatch):
    def full(*given, **options):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("numpy.savez_compressed", full)
    assert measure(known).sentence()
    assert not list((tmp_path / "cache").rglob("*.np*"))


def test_the_progress_never_goes_back_and_tells_the_time_left(known):
    shares, stages = [], []
    measure(known, progress=lambda stage, share: (stages.append(stage), shares.append(share)))
    assert shares == sorted(shares) and shares[0] == 0 and shares[-1] < 1
    assert any("left)" in stage for stage in stages) and stages[-1].startswith("Run 3 of 3")


def test_an_estimator_of_ones_own_is_used_and_never_kept(known, tmp_path):
    from sklearn.neighbors import KNeighborsClassifier

    found = measure(known, model=None, estimator=KNeighborsClassifier(5))
    assert any("takes no weights" in note for note in found.notes)
    assert not list((tmp_path / "cache").rglob("run-*.npz"))


def test_a_test_split_is_measured_over_its_examples(folder, tmp_path):
    root = write_known(tmp_path / "split")
    lines = (root / "texts.csv").read_text().splitlines()
    split = ["split", *("test" if k % 3 == 0 else "train" for k in range(240))]
    joined = [f"{line},{each}" for line, each in zip(lines, split, strict=True)]
    (root / "texts.csv").write_text("\n".join(joined))
    found = measure(curation.load(root), against="split")
    assert found.is_fixed and {len(trial.rows) for trial in found.trials} == {80}
    assert "over the examples of the test split" in " ".join(found.describe())


REFUSED = [
    ({"against": "confirmed"}, "too few examples to compare with the labels that people confirmed"),
    ({"method": "best"}, "There is no method 'best'"),
    ({"runs": 1}, "1 runs cannot be used"),
    ({"model": "forest"}, "There is no model 'forest'"),
    ({"estimator": "sklearn.svm:LinearSVC"}, "has no predict_proba"),
    ({"features": np.full((240, 2), np.nan)}, "hold NaN"),
]


@pytest.mark.parametrize(("options", "said"), REFUSED, ids=lambda each: str(each)[:20])
def test_what_cannot_be_measured_is_refused_with_words(known, options, said):
    with pytest.raises(InputError, match=said):
        measure(known, **options)
