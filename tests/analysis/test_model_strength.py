"""What a model is worth: by hand, scikit-learn as an oracle, and the words for a weak one."""

import numpy as np
import pytest
from hypothesis import given
from sklearn.calibration import calibration_curve
from sklearn.metrics import accuracy_score, log_loss

import curation
from curation.analysis.model_strength import MIN_AGREEMENT, find_miscalibrated
from tests.problems import noisy_problem, problems


def slow_calibration_error(sure, agrees):
    """Return the expected calibration error from scikit-learn's curve, bin by bin."""
    shares, confidence = calibration_curve(agrees, sure, n_bins=10)
    inner = np.linspace(0, 1, 11)[1:-1]
    sizes = np.bincount(np.searchsorted(inner, sure), minlength=10)
    return float((sizes[sizes > 0] * np.abs(shares - confidence)).sum() / len(sure))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("dtype", ["float64", "float32", "float16"])
def test_figures_are_scikit_learns(seed, dtype):
    labels, pred_probs, _ = noisy_problem(np.random.default_rng(seed))
    pred_probs = pred_probs.astype(dtype)
    strength = curation.analyze(labels, pred_probs).strength
    exact = pred_probs.astype(float)
    sure, predicted = exact.max(axis=1), exact.argmax(axis=1)
    shares = np.bincount(labels, minlength=6) / len(labels)
    assert strength.agreement == accuracy_score(labels, predicted)
    assert strength.mean_confidence == pytest.approx(sure.mean())
    if dtype == "float64":  # rows of the others add up to 1 only nearly, which it warns of
        assert strength.log_loss == pytest.approx(log_loss(labels, exact))
    guess = np.tile(shares, (len(labels), 1))
    assert strength.shares_log_loss == pytest.approx(log_loss(labels, guess))
    assert strength.calibration_error == pytest.approx(
        slow_calibration_error(sure, labels == predicted)
    )
    for label in range(6):
        chosen = predicted == label
        assert strength.by_class.examples[label] == chosen.sum()
        assert strength.by_class.agreement[label] == pytest.approx((labels == label)[chosen].mean())
        assert strength.class_calibration_error[label] == pytest.approx(
            slow_calibration_error(sure[chosen], (labels == label)[chosen])
        )
    shares, confidence = calibration_curve(labels == predicted, sure, n_bins=10)
    filled = strength.by_bin.examples > 0
    assert strength.by_bin.agreement[filled] == pytest.approx(shares)
    assert strength.by_bin.mean_confidence[filled] == pytest.approx(confidence)


@given(problems())
def test_what_is_always_true_of_a_strength(problem):
    labels, pred_probs = problem
    strength = curation.analyze(labels, pred_probs).strength
    assert 0 <= strength.agreement <= 1 and 0 <= strength.calibration_error <= 1
    assert strength.by_bin.examples.sum() == strength.by_class.examples.sum() == len(labels)
    assert strength.calibration_error <= 1e-12 + (
        strength.by_class.examples @ strength.class_calibration_error / len(labels)
    )  # errors of classes may cancel, never add
    assert np.isfinite(strength.log_loss) and not np.isnan(strength.class_calibration_error).any()
    assert all(isinstance(each, str) for each in [strength.describe(), *strength.warnings()])


def test_a_weak_model_is_called_so_in_a_curators_words():
    # 11 of 20 agree; all are 0.55 sure
    labels = np.repeat([0, 1], 10)
    predicted = labels.copy()
    predicted[:9] = 1
    probs = np.where(predicted[:, None] == [0, 1], 0.55, 0.45)
    strength = curation.analyze(labels, probs).strength
    assert strength.is_weak and not strength.is_miscalibrated
    assert strength.summarize().startswith(
        "The model finds the given label likeliest for only 55 %; many flags will be its own "
        "mistakes. Do not read the estimate as a number. Log loss"
    )
    assert strength.warnings()[0].startswith(
        "The model finds the given label likeliest for only 55 %; many flags will be its own "
        "mistakes. Do not read the estimate as a number: below 85 %"
    )


def test_a_model_at_the_limit_is_not_called_weak():
    labels = np.zeros(20, int)
    labels[17:] = 1
    probs = np.where(np.arange(20)[:, None] < 17, [0.9, 0.1], [0.6, 0.4])
    strength = curation.analyze(labels, probs).strength
    assert strength.agreement == MIN_AGREEMENT
    assert strength.warnings() == []
    assert strength.summarize().startswith("The model finds the given label likeliest for 85 %. L")


@pytest.mark.parametrize(
    ("sure", "said"),
    [
        (
            0.99,
            "The model is too sure of itself: on average it is 99 % sure of its likeliest class, ",
        ),
        (
            0.55,
            "The model is not sure enough of itself: on average it is 55 % sure of its likeliest",
        ),
    ],
)
def test_a_badly_calibrated_model_is_called_so(sure, said):
    labels, predicted = np.arange(1000) % 2, np.arange(1000) % 2
    predicted[::5] ^= 1  # 80 % agree
    probs = np.where(predicted[:, None] == [0, 1], sure, 1 - sure)
    found = [each for each in curation.analyze(labels, probs).strength.warnings() if said in each]
    assert len(found) == 1 and "and the label is that class for 80 %." in found[0]
    assert (
        said.partition(":")[0] + ". Log loss"
        in curation.analyze(labels, probs).strength.summarize()
    )


def test_a_model_that_fits_worse_than_guessing_is_called_so():
    labels, predicted = np.arange(1000) % 2, np.arange(1000) % 2
    predicted[::5] ^= 1
    probs = np.where(predicted[:, None] == [0, 1], 0.999, 0.001)
    found = " ".join(curation.analyze(labels, probs).strength.warnings())
    assert "worse than guessing by the share of each class (log loss 1.38 against 0.69)" in found


def test_an_unsure_constant_model_is_not_called_sure():
    labels, probs = np.arange(300) % 2, np.tile([0.6, 0.4], (300, 1))
    found = " ".join(curation.analyze(labels, probs).strength.warnings())
    assert "the sizes of the classes say more about the labels than the model does" in found
    assert "is sure of" not in found


def test_a_calibrated_model_on_few_examples_is_not_blamed_for_chance():
    rng = np.random.default_rng(0)
    blamed, by_chance = 0, []
    for _ in range(200):
        sure = rng.uniform(0.5, 1, 40)
        labels = (rng.random(40) > sure).astype(int)
        strength = curation.analyze(labels, np.column_stack([sure, 1 - sure])).strength
        by_chance.append(strength.calibration_error)
        blamed += strength.is_miscalibrated
    assert np.mean(by_chance) > 0.1 and blamed <= 10  # as large as the limit, and yet not blamed


def test_classes_are_listed_by_calibration_error_without_the_rare_ones():
    sure = np.array([0.9] * 50 + [0.6] * 50 + [0.6] * 3)
    predicted = np.repeat([0, 1, 2], [50, 50, 3])
    labels = predicted.copy()
    labels[:30] = 1  # class 0 is wrong more than half of the time, though sure
    probs = np.full((103, 3), 0.0)
    probs[:] = ((1 - sure) / 2)[:, None]
    probs[np.arange(103), predicted] = sure
    strength = curation.analyze(labels, probs).strength
    assert strength.class_calibration_error == pytest.approx([0.5, 0.4, 0.4])
    assert find_miscalibrated(strength).tolist() == [0, 1]
    assert find_miscalibrated(strength, min_examples=1).tolist()[0] == 0
