import numpy as np
import pytest
from hypothesis import given

from curation.core import count, prune
from tests.oracle import slow_confident_joint, slow_counted, slow_error_counts, slow_masks
from tests.problems import problems


def best_other(labels, pred_probs):
    others = pred_probs.copy()
    others[np.arange(len(labels)), labels] = -1
    return others.max(axis=1)


def prune_all(labels, pred_probs):
    m = pred_probs.shape[1]
    guesses = slow_counted(labels, pred_probs)
    errors = prune.count_errors(slow_confident_joint(labels, guesses, m), labels)
    members = prune.Members.of(labels, m)
    confidence = count.read_self_confidence(labels, pred_probs)
    return (
        errors,
        prune.prune_by_class(errors, members, confidence),
        prune.prune_by_noise_rate(
            errors, labels, members, pred_probs, confidence, best_other(labels, pred_probs)
        ),
    )


@given(problems())
def test_pruning_agrees_with_the_papers_loop(problem):
    labels, pred_probs = problem
    errors, by_class, by_noise_rate = prune_all(labels, pred_probs)
    guesses = slow_counted(labels, pred_probs)
    expected = slow_masks(labels, pred_probs, guesses)
    counts = slow_confident_joint(labels, guesses, pred_probs.shape[1])
    assert errors.tolist() == slow_error_counts(counts, labels)
    assert set(np.flatnonzero(by_class)) == expected["prune_by_class"]
    assert set(np.flatnonzero(by_noise_rate)) == expected["prune_by_noise_rate"]


@given(problems())
def test_error_counts_keep_the_total_of_every_given_class(problem):
    labels, pred_probs = problem
    errors = prune_all(labels, pred_probs)[0]
    assert errors.sum(axis=1).tolist() == np.bincount(labels, minlength=len(errors)).tolist()
    assert (errors >= 0).all()


@given(problems())
def test_no_class_is_ever_flagged_completely(problem):
    labels, pred_probs = problem
    _, by_class, by_noise_rate = prune_all(labels, pred_probs)
    for label in set(labels):
        assert not by_class[labels == label].all()
        assert not by_noise_rate[labels == label].all()


def test_prune_by_class_flags_exactly_as_many_as_estimated_when_all_tie():
    labels = np.zeros(6, int)
    errors = np.array([[4, 2], [0, 0]])
    mask = prune.prune_by_class(errors, prune.Members.of(labels, 2), np.zeros(6))
    assert mask.tolist() == [True, True, False, False, False, False]  # the lower indices


def test_prune_by_noise_rate_takes_the_widest_margins_of_each_pair():
    labels = np.array([0, 0, 0, 0])
    pred_probs = np.array([[0.5, 0.3, 0.2], [0.1, 0.8, 0.1], [0.2, 0.1, 0.7], [0.2, 0.5, 0.3]])
    errors = np.array([[2, 1, 1], [0, 0, 0], [0, 0, 0]])
    # margins to class 1: -.2 .7 -.1 .3; to class 2: -.3 0 .5 .1
    others = best_other(labels, pred_probs)
    members = prune.Members.of(labels, 3)
    mask = prune.prune_by_noise_rate(errors, labels, members, pred_probs, pred_probs[:, 0], others)
    assert mask.tolist() == [False, True, True, False]


@pytest.mark.parametrize("wide", [1, 3, 1000])
@pytest.mark.parametrize("cells", [1, 7, 1000])
@given(problem=problems())
def test_how_pairs_are_put_together_changes_nothing(cells, wide, problem):
    labels, pred_probs = problem
    expected = prune_all(labels, pred_probs)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(prune, "CELLS_AT_ONCE", cells)
        patch.setattr(prune, "WIDE", wide)
        found = prune_all(labels, pred_probs)
    for before, after in zip(expected, found, strict=True):
        assert (before == after).all()
