"""Temperature and averaging: they help the log loss, and no label has a part in its own row."""

from __future__ import annotations

import numpy as np
import pytest

from curation.modelling.model_average import (
    apply_temperature,
    average_out_of_fold,
    fit_temperature,
    log_loss,
    scale_out_of_fold,
    weigh_models,
)


def draw(n=2000, m=4, temperature=1.0, seed=0, strength=2.0):
    """Return labels drawn from true chances, those chances at a temperature, and folds."""
    rng = np.random.default_rng(seed)
    chances = apply_temperature(rng.dirichlet(np.ones(m), n), 1 / strength)
    labels = np.array([rng.choice(m, p=each) for each in chances])
    return labels, apply_temperature(chances, temperature), np.arange(n) % 4


@pytest.mark.parametrize("temperature", [0.4, 2.5])
def test_the_temperature_of_a_model_is_found_again(temperature):
    labels, probs, held = draw(temperature=temperature)
    assert fit_temperature(labels, probs) == pytest.approx(1 / temperature, rel=0.15)
    scaled = scale_out_of_fold(labels, probs, held)
    assert log_loss(labels, scaled.pred_probs) < log_loss(labels, probs)


def test_calibrated_probabilities_stay_as_they_are():
    labels, probs, held = draw()
    scaled = scale_out_of_fold(labels, probs, held)
    assert scaled.temperature == 1 and scaled.pred_probs is probs


def test_scaling_keeps_the_order_of_the_classes_and_what_is_impossible():
    probs = np.array([[0.7, 0.3, 0.0], [0.2, 0.5, 0.3]])
    scaled = apply_temperature(probs, 3.0)
    assert (scaled.argsort(axis=1) == probs.argsort(axis=1)).all()
    assert scaled[0, 2] == 0 and np.allclose(scaled.sum(axis=1), 1)


def test_no_label_has_a_part_in_the_scaling_or_weights_of_its_own_row():
    labels, probs, held = draw(temperature=0.3)
    other = draw(temperature=0.6, seed=0, strength=1.0)[1]
    changed = labels.copy()
    changed[10] = (changed[10] + 1) % 4
    scaled = [scale_out_of_fold(each, probs, held).pred_probs for each in (labels, changed)]
    assert (scaled[0][10] == scaled[1][10]).all() and (scaled[0] != scaled[1]).any()
    averages = [average_out_of_fold(each, [probs, other], held)[0] for each in (labels, changed)]
    assert (averages[0][10] == averages[1][10]).all() and (averages[0] != averages[1]).any()


def test_the_average_of_two_models_is_better_than_either():
    labels, probs, held = draw(n=3000)
    rng = np.random.default_rng(1)
    blurred = [
        apply_temperature(probs * np.exp(rng.normal(size=probs.shape)), 1.2) for _ in range(2)
    ]
    average, weights = average_out_of_fold(labels, blurred, held)
    assert log_loss(labels, average) < min(log_loss(labels, each) for each in blurred)
    assert weights.sum() == pytest.approx(1) and np.allclose(average.sum(axis=1), 1)


def test_a_model_that_knows_nothing_weighs_little():
    rng = np.random.default_rng(0)
    good, guess = rng.uniform(0.6, 1, 500), np.full(500, 0.25)
    assert weigh_models(np.stack([good, guess]))[0] > 0.99
    assert weigh_models(np.stack([good, good])).tolist() == [0.5, 0.5]


def test_no_other_weights_give_a_smaller_log_loss():
    chances = np.random.default_rng(0).beta(2, 1, (2, 400))
    found = weigh_models(chances)
    losses = {
        w: -np.log(w * chances[0] + (1 - w) * chances[1]).mean() for w in np.linspace(0, 1, 101)
    }
    assert found[0] == pytest.approx(min(losses, key=losses.get), abs=0.03)
