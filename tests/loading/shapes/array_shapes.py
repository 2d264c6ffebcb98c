"""Arrays under the names that people give them."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tests.loading.shapes.shape_list import (
    GIVEN,
    GIVEN_2,
    LABELS,
    LABELS_2,
    P_SPAM,
    PROBS,
    csv,
    save_probs,
    shape,
    write,
)  # fmt: skip

NUMBERS = ("0", "1", "2")


@shape("labels.txt and probs.npy", written=".txt")
def _(at: Path) -> None:
    write(at, "labels.txt", "\n".join(LABELS) + "\n")
    save_probs(at)


@shape("labels.txt with numbers and Windows line ends", classes=NUMBERS, written=".txt")
def _(at: Path) -> None:
    write(at, "labels.txt", "\r\n".join(map(str, GIVEN)))
    save_probs(at)


@shape("np.savetxt of labels and of probabilities", classes=NUMBERS)
def _(at: Path) -> None:
    np.savetxt(at / "labels.txt", GIVEN)
    np.savetxt(at / "probs.txt", PROBS)


@shape("labels.txt with a file name before each label", kind="image")
def _(at: Path) -> None:
    write(at, "labels.txt", "".join(f"img_{k}.jpg {y}\n" for k, y in enumerate(LABELS)))
    save_probs(at)


@shape("np.savez with labels and probabilities by position", classes=NUMBERS, opens="arrays.npz")
def _(at: Path) -> None:
    np.savez(at / "arrays.npz", GIVEN, PROBS)


@shape("an .npz with y_test and y_proba", classes=NUMBERS, opens="results.npz")
def _(at: Path) -> None:
    np.savez(at / "results.npz", y_test=GIVEN, y_proba=PROBS, X_test=np.random.rand(36, 5))


@shape(
    "an .npz whose keys say nothing about the labels",
    asks="npz.no_labels",
    choices=2,
    opens="a.npz",
)
def _(at: Path) -> None:
    np.savez(at / "a.npz", first=GIVEN, second=GIVEN[::-1], third=PROBS)


@shape(
    "an .npz whose arrays were chosen", classes=NUMBERS, opens="a.npz",
    overrides={"label_column": "first", "prob_array": "third"},
)  # fmt: skip
def _(at: Path) -> None:
    np.savez(at / "a.npz", first=GIVEN, second=GIVEN[::-1], third=PROBS, fourth=PROBS[::-1])


@shape(
    "an .npz with two arrays of probabilities",
    asks="npz.no_probabilities",
    choices=2,
    opens="a.npz",
)
def _(at: Path) -> None:
    np.savez(at / "a.npz", labels=GIVEN, bert=PROBS, svm=PROBS[::-1])


@shape("y_true.npy, y_pred.npy and proba.npy", classes=NUMBERS, code="table.true_as_given")
def _(at: Path) -> None:
    np.save(at / "y_true.npy", GIVEN)
    np.save(at / "y_pred.npy", PROBS.argmax(axis=1))
    np.save(at / "proba.npy", PROBS)


@shape("a binary model's probs.npy of one dimension", asks="probs.binary", choices=2)
def _(at: Path) -> None:
    np.save(at / "labels.npy", GIVEN_2)
    np.save(at / "probs.npy", P_SPAM)


@shape(
    "a binary model's probs.npy, answered", classes=("0", "1"), overrides={"positive_class": "1"}
)
def _(at: Path) -> None:
    np.save(at / "labels.npy", GIVEN_2)
    np.save(at / "probs.npy", P_SPAM)


@shape("p_spam.npy", classes=("ham", "spam"), code="probs.binary_named")
def _(at: Path) -> None:
    write(at, "labels.csv", csv("label", LABELS_2))
    np.save(at / "p_spam.npy", P_SPAM)


@shape("a column p_spam next to the labels", classes=("ham", "spam"), code="probs.binary_named")
def _(at: Path) -> None:
    write(at, "mails.csv", csv("id,label,p_spam", range(36), LABELS_2, P_SPAM))


@shape("a column score next to the labels", asks="probs.binary", choices=2)
def _(at: Path) -> None:
    write(at, "mails.csv", csv("id,label,score", range(36), LABELS_2, P_SPAM))


@shape("a file with the column prob", asks="probs.binary", choices=2)
def _(at: Path) -> None:
    write(at, "labels.csv", csv("id,label", range(36), LABELS_2))
    write(at, "preds.csv", csv("id,prob", range(36), P_SPAM))


@shape("labels -1 and 1, with one score", asks="labels.minus_one", choices=2)
def _(at: Path) -> None:
    write(at, "mails.csv", csv("id,label,score", range(36), 2 * GIVEN_2 - 1, P_SPAM))


@shape(
    "labels -1 and 1, with one score, answered", classes=("-1", "1"), asks="probs.binary",
    choices=2, overrides={"classes": ["-1", "1"]},
)  # fmt: skip
def _(at: Path) -> None:
    write(at, "mails.csv", csv("id,label,score", range(36), 2 * GIVEN_2 - 1, P_SPAM))


@shape("the confidence in the predicted class is no probability", asks="folder.no_probabilities")
def _(at: Path) -> None:
    sure = np.maximum(P_SPAM, 1 - P_SPAM)
    write(at, "mails.csv", csv("id,label,score", range(36), LABELS_2, sure))
