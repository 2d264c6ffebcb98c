"""The demo data is what demo_data/README.md says it is, and can be made again."""

import csv
import importlib
import io
import json
import platform
import re
import subprocess
import sys
from collections import Counter
from importlib.metadata import version
from itertools import combinations
from pathlib import Path
from types import ModuleType

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest
from PIL import Image

DEMO = Path(__file__).parent.parent / "demo_data"
OBJECTS, DIGITS, REVIEWS = DEMO / "objects", DEMO / "digits", DEMO / "reviews"
MEGABYTE = 1_000_000
STARS = ["1 star", "3 stars", "5 stars"]
SUM_TOLERANCE = (
    1e-6  # probabilities are rounded to 5 decimals, then made to add up; float32 on disk
)


@pytest.fixture
def demo_module(monkeypatch: pytest.MonkeyPatch):
    """Return a function that imports one of the modules beside build.py."""
    pytest.importorskip("sklearn", reason="the demo data is made with scikit-learn")

    def load(name: str) -> ModuleType:
        monkeypatch.syspath_prepend(str(DEMO))
        return importlib.import_module(name)

    return load


def read_objects() -> tuple[list[str], np.ndarray, np.ndarray, np.ndarray]:
    """Return class ids, given and true labels as class numbers, and probabilities."""
    classes = pd.read_csv(OBJECTS / "classes.csv")["id"].tolist()
    given, true = pd.read_csv(OBJECTS / "labels.csv"), pd.read_csv(OBJECTS / "true_labels.csv")
    assert given["id"].tolist() == true["id"].tolist()
    numbers = {name: number for number, name in enumerate(classes)}
    return (
        classes,
        given["label"].map(numbers).to_numpy(),
        true["label"].map(numbers).to_numpy(),
        np.load(OBJECTS / "probs.npy"),
    )


def read_reviews() -> pd.DataFrame:
    reviews = pd.read_csv(REVIEWS / "reviews.csv", keep_default_na=False)
    true = pd.read_csv(REVIEWS / "true_labels.csv")
    assert reviews["id"].tolist() == true["id"].tolist()
    return reviews.assign(true=true["label"])


def files_of(folder: Path) -> dict[str, bytes]:
    """Return the bytes of all the data below a folder, by name."""
    parts = [folder / name for name in ("objects", "digits", "reviews")]
    paths = [path for part in parts for path in part.rglob("*") if path.is_file()]
    paths = [path for path in paths if ".curation" not in path.parts]  # decisions on the demo
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


# --- All three ---


def test_rebuilding_gives_the_same_bytes(tmp_path: Path) -> None:
    built_with = json.loads((DEMO / "BUILT_WITH.json").read_text("utf-8"))
    here = {name: version(name) for name in built_with if name != "python"}
    here["python"] = ".".join(platform.python_version_tuple()[:2])
    if here != built_with:
        pytest.skip(f"the demo data was built with {built_with}, this is {here}")
    command = [sys.executable, str(DEMO / "build.py"), "--out", str(tmp_path)]
    subprocess.run(command, check=True, capture_output=True, timeout=280)
    rebuilt, kept = files_of(tmp_path), files_of(DEMO)
    assert rebuilt.keys() == kept.keys()
    assert [name for name in kept if kept[name] != rebuilt[name]] == []


def test_everything_together_is_under_12_megabytes() -> None:
    assert sum(len(data) for data in files_of(DEMO).values()) < 12 * MEGABYTE


def test_each_row_is_held_out_exactly_once_and_not_trained_on_then(demo_module) -> None:
    labels = np.arange(40) % 4
    folds = demo_module("_model").folds(labels, seed=1)
    assert len(folds) == 4
    assert sorted(np.concatenate([held_out for _, held_out in folds])) == list(range(40))
    assert all(not set(train) & set(held_out) for train, held_out in folds)


def test_a_model_that_only_memorises_is_no_better_than_chance_out_of_sample(demo_module) -> None:
    tree = pytest.importorskip("sklearn.tree").DecisionTreeClassifier(random_state=0)
    rng = np.random.default_rng(0)
    features, labels = rng.random((400, 5)), rng.integers(0, 2, 400)
    pred_probs = demo_module("_model").predict_out_of_sample(tree, features, labels, seed=0)
    assert (tree.fit(features, labels).predict(features) == labels).mean() == 1.0
    assert 0.4 < (pred_probs.argmax(axis=1) == labels).mean() < 0.6


# --- Objects ---


def test_objects_are_1700_pictures_of_16_classes_and_every_picture_opens() -> None:
    classes, given, _, pred_probs = read_objects()
    images = pd.read_csv(OBJECTS / "labels.csv")["image"]
    assert (len(classes), len(images), images.nunique()) == (16, 1700, 1700)
    assert pred_probs.shape == (1700, 16)
    assert pred_probs.dtype == np.float32
    assert len(list((OBJECTS / "images").iterdir())) == 1700
    for name in images:
        with Image.open(OBJECTS / name) as picture:
            picture.load()
            assert picture.size == (128, 128)


def test_two_classes_of_objects_share_one_name() -> None:
    names = pd.read_csv(OBJECTS / "classes.csv").groupby("name")["id"].apply(list)
    assert {name: ids for name, ids in names.items() if len(ids) > 1} == {
        "maillot": ["n03710637", "n03710721"]
    }


def test_file_names_of_objects_do_not_reveal_the_class() -> None:
    names = pd.read_csv(OBJECTS / "labels.csv")["image"]
    assert names.str.fullmatch(r"images/obj-\d{4}\.jpg").all()
    _, _, true, _ = read_objects()
    assert (true[1:] == true[:-1]).mean() < 0.15  # not sorted by class either


def test_object_labels_are_wrong_at_exactly_the_stated_rates(demo_module) -> None:
    objects = demo_module("_objects")
    classes, given, true, _ = read_objects()
    for number, name in enumerate(classes):
        labels = Counter(classes[label] for label in given[true == number])
        count = sum(labels.values())
        related = {to: share for (of, to), share in objects.RELATED_ERRORS.items() if of == name}
        for other, share in related.items():
            assert labels[other] == round(share * count)
        unrelated = set(labels) - {name, *related}
        assert len(unrelated) <= objects.UNRELATED_CLASSES
        assert sum(labels[other] for other in unrelated) == round(0.03 * count)


@pytest.mark.parametrize(
    ("specific", "general"),
    [
        ("missile", "projectile"),
        ("bathtub", "tub"),
        ("cuirass", "breastplate"),
        ("sidewinder", "horned_viper"),
        ("ear", "corn"),
        ("space_bar", "keyboard"),
    ],
)
def test_specific_objects_get_the_general_label_far_more_often_than_the_reverse(
    specific: str, general: str
) -> None:
    names = pd.read_csv(OBJECTS / "classes.csv")["name"].tolist()
    _, given, true, _ = read_objects()
    one, other = names.index(specific), names.index(general)
    forth = ((true == one) & (given == other)).sum()
    back = ((true == other) & (given == one)).sum()
    assert forth >= 3 * back > 0


def test_the_two_maillots_are_confused_equally_both_ways() -> None:
    classes, given, true, _ = read_objects()
    one, other = classes.index("n03710637"), classes.index("n03710721")
    forth = ((true == one) & (given == other)).sum()
    assert forth == ((true == other) & (given == one)).sum() == 31


def test_the_model_recognises_most_objects_once_the_maillots_are_one_class() -> None:
    classes, given, true, pred_probs = read_objects()
    assert np.abs(pred_probs.sum(axis=1, dtype=float) - 1).max() < SUM_TOLERANCE
    assert pred_probs.min() >= 0
    twin, first = classes.index("n03710721"), classes.index("n03710637")
    predicted = pred_probs.argmax(axis=1)
    folded_guess, folded_true = (np.where(part == twin, first, part) for part in (predicted, true))
    assert (folded_guess == folded_true).mean() > 0.9
    assert (predicted == given).mean() < (predicted == true).mean()  # it did not learn the noise


# --- Digits ---


def test_digits_are_scikit_learns_own_with_their_own_labels() -> None:
    digits = pytest.importorskip("sklearn.datasets").load_digits()
    table = pq.read_table(DIGITS / "digits.parquet")
    assert table["label"].to_pylist() == [str(label) for label in digits.target]
    assert str(table.schema.field("image").type) == "struct<bytes: binary, path: string>"
    assert b"huggingface" in table.schema.metadata


def test_every_digit_opens() -> None:
    pictures = pq.read_table(DIGITS / "digits.parquet")["image"].to_pylist()
    assert len(pictures) == 1797
    for picture in pictures:
        with Image.open(io.BytesIO(picture["bytes"])) as image:
            image.load()
            assert (image.format, image.size) == ("PNG", (48, 48))


def test_probabilities_of_digits_are_in_another_order_and_join_by_id() -> None:
    digits = pq.read_table(DIGITS / "digits.parquet").to_pandas()
    table = pq.read_table(DIGITS / "pred_probs.parquet").to_pandas()
    assert table.columns.tolist() == ["id", *"0123456789"]
    assert sorted(table["id"]) == sorted(digits["id"])
    assert (table["id"] != digits["id"]).mean() > 0.99
    joined = table.set_index("id").loc[digits["id"]].to_numpy()
    assert np.abs(joined.sum(axis=1) - 1).max() < SUM_TOLERANCE
    assert (joined.argmax(axis=1) == digits["label"].astype(int)).mean() > 0.95


# --- Reviews ---


def test_3000_reviews_are_given_9_12_and_79_percent_of_the_stars() -> None:
    shares = read_reviews()["label"].value_counts(normalize=True)
    assert shares.round(4).to_dict() == {"5 stars": 0.79, "3 stars": 0.12, "1 star": 0.09}


def test_stars_are_wrong_as_often_as_stated(demo_module) -> None:
    reviews = read_reviews()
    counts = pd.crosstab(reviews["label"], reviews["true"]).loc[STARS, STARS].to_numpy()
    assert (counts == demo_module("_reviews").COUNTS).all()
    assert (reviews["label"] != reviews["true"]).sum() == 164


def test_all_reviews_are_distinct_and_no_two_read_alike() -> None:
    texts = read_reviews()["text"]
    assert texts.str.lower().nunique() == 3000
    triples = [word_triples(text) for text in texts]
    holders: dict[tuple[str, ...], list[int]] = {}
    for number, own in enumerate(triples):
        for triple in own:
            holders.setdefault(triple, []).append(number)
    shared = Counter(pair for rows in holders.values() for pair in combinations(rows, 2))
    alike = [
        (texts[one], texts[other])
        for (one, other), count in shared.items()
        if count / len(triples[one] | triples[other]) >= 0.4
    ]
    assert alike == []


def word_triples(text: str) -> set[tuple[str, ...]]:
    words = re.findall(r"[a-z0-9']+", text.lower())
    return set(zip(words, words[1:], words[2:], strict=False)) or {tuple(words)}


def test_reviews_contain_text_that_breaks_simple_csv_readers() -> None:
    texts = read_reviews()["text"]
    assert texts.str.contains(",").mean() > 0.5
    assert texts.str.contains('"').sum() > 100
    assert texts.str.contains("\n").sum() > 500
    assert texts.str.len().min() < 30
    assert texts.str.len().max() > 600
    assert not texts.str.contains(r"[{}\[\]$~|]|  ").any()  # no template shows through
    with open(REVIEWS / "reviews.csv", encoding="utf-8", newline="") as file:
        assert {len(row) for row in csv.reader(file)} == {8}


def test_the_model_predicts_most_reviews_correctly() -> None:
    reviews = read_reviews()
    pred_probs = reviews[[f"p_{name}" for name in STARS]].to_numpy()
    assert np.abs(pred_probs.sum(axis=1) - 1).max() < SUM_TOLERANCE
    assert pred_probs.min() >= 0
    predicted = np.array(STARS)[pred_probs.argmax(axis=1)]
    assert (predicted == reviews["true"]).mean() > 0.93
    assert (predicted == reviews["label"]).mean() < (predicted == reviews["true"]).mean()
