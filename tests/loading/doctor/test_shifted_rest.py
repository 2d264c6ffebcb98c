"""Rows that are shifted from some row on are found, and honest sets are not suspected of it."""

import numpy as np

from curation.loading.doctor.agreement import diagnose_agreement
from curation.loading.doctor.row_alignment import find_shifted_rest


def predict(labels, right, num_classes, rng):
    """Return predictions that are right with these chances, and any class otherwise."""
    guess = rng.integers(0, num_classes, len(labels))
    return np.where(rng.random(len(labels)) < right, labels, guess)


def honest_sets(count):
    """Yield labels and predictions of rows that belong together, of many kinds."""
    rng = np.random.default_rng(11)
    for turn in range(count):
        num_classes = int(rng.integers(2, 30))
        size = int(rng.integers(50, 4000))
        sizes = rng.dirichlet(np.full(num_classes, rng.choice([0.5, 5.0])))
        labels = rng.choice(num_classes, size, p=sizes)
        right = rng.uniform(0, 1, num_classes)[labels]  # some classes are hard, some hopeless
        kind = turn % 6
        if kind == 0:  # sorted by class
            labels = np.sort(labels)
            right = rng.uniform(0, 1, num_classes)[labels]
        elif kind == 1:  # a second source on which the model fails
            right = np.where(np.arange(size) < size * rng.uniform(0.2, 0.9), 0.95, 0.1)
        elif kind == 2:  # long runs of one class, as frames of films have them
            labels = np.repeat(rng.permutation(labels), rng.integers(1, 9, size))[:size]
            right = rng.uniform(0, 1, num_classes)[labels]
        elif kind == 3:  # harder and harder
            right = np.linspace(1, 0, size)
        elif kind == 4:  # one class after the other, in turn
            labels = np.arange(size) % num_classes
            right = np.where(np.arange(size) < size / 2, 0.9, 0.4)
        predicted = predict(labels, right, num_classes, rng)
        if kind == 4:  # where each class is mostly taken for one and the same other
            wrong = (predicted != labels) & (rng.random(size) < 0.6)
            predicted = np.where(wrong, rng.permutation(num_classes)[labels], predicted)
        if kind == 5 and num_classes > 2:  # two classes that the second half calls each other
            half = np.arange(size) > size / 2
            predicted = np.where(half & (predicted < 2), 1 - predicted, predicted)
        yield labels, predicted


def test_honest_sets_are_not_suspected():
    assert [find_shifted_rest(*each)[0] for each in honest_sets(400)] == [0] * 400


def test_a_second_half_with_swapped_labels_is_not_a_shift():
    rng = np.random.default_rng(2)
    labels = rng.integers(0, 2, 2000)
    predicted = predict(labels, 0.95, 2, rng)
    predicted[1000:] = 1 - predicted[1000:]
    assert find_shifted_rest(labels, predicted) == (0, 0)


def test_shift_of_the_last_rows_is_found():
    rng = np.random.default_rng(3)
    for _ in range(100):
        labels = rng.integers(0, 20, 2000)
        predicted = predict(labels, 0.9, 20, rng)
        predicted[1900:] = np.roll(predicted[1900:], 1)
        shift, start = find_shifted_rest(labels, predicted)
        assert shift == -1
        assert abs(start - 1900) <= 10


def test_fast_search_agrees_with_a_loop():
    rng = np.random.default_rng(4)
    labels = rng.integers(0, 4, 150)
    predicted = predict(labels, 0.9, 4, rng)
    predicted[60:] = np.roll(predicted[60:], 3)
    # Row k is better shifted by 3 if the prediction is the label of row k - 3 and not its own.
    gain = [int(predicted[k] == labels[k - 3]) - int(predicted[k] == labels[k]) for k in range(150)]
    sums = [sum(gain[k:]) for k in range(150)]
    assert find_shifted_rest(labels, predicted) == (-3, sums.index(max(sums)))


def test_warning_says_from_where_and_how_well():
    labels = np.arange(300) ** 2 // 5 % 7
    predicted = np.append(labels[:200], np.roll(labels[200:], 1))
    (found,) = diagnose_agreement(labels, predicted, np.full(300, 0.6), list("abcdefg"))
    # Rows 201 to 299 hold the prediction of the row before them, row 200 that of row 299. In 15
    # of these rows that is the same label.
    assert sum(labels[k - 1] == labels[k] for k in range(201, 300)) == 15
    assert found.code == "rows.shifted"
    assert found.what == (
        "The model agrees with the labels in 100.0 % of the examples before row 200, and in 15.0 % "
        "from there on. With the probabilities moved up by 1 row, it agrees with these in 99.0 %."
    )
    assert found.count == 100
    assert found.first_rows == ("row 200",)
    ids = [f"e{k}" for k in range(300)]
    classes, sure = list("abcdefg"), np.full(300, 0.6)
    (found,) = diagnose_agreement(labels, predicted, sure, classes, ids=ids)
    assert found.first_rows == ("e200",)
