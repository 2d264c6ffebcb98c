"""Every kind of data in memory becomes the dataset that it is."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from curation.errors import BlockedError, InputError
from tests.session.conftest import COUNT, NAMES, open_data


class Pairs:
    """Pictures and labels, as torchvision's datasets give them."""

    classes = list(NAMES)

    def __init__(self, pictures, labels):
        self.pictures, self.labels = pictures, labels

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, row):
        return self.pictures[row], self.labels[row]


def test_table_with_names_as_labels(memory):
    frame = pd.DataFrame({"review": memory.texts, "mood": memory.labels, "shop": range(COUNT)})
    dataset = open_data(frame, memory.probs, "mood").dataset
    assert dataset.class_names == NAMES and dataset.labels.tolist() == memory.codes.tolist()
    assert dataset.kind == "text" and dataset.content.text(7) == "text number 7"
    assert dataset.extras["shop"][7] == "7"
    assert np.array_equal(np.array(dataset.pred_probs), memory.probs)


def test_index_of_a_table_names_its_examples(memory):
    frame = pd.DataFrame({"text": memory.texts, "label": memory.labels})
    frame.index = [f"r{row}" for row in range(COUNT)]
    assert open_data(frame, memory.probs).dataset.ids[7] == "r7"


def test_index_that_repeats_is_not_used(memory):
    frame = pd.DataFrame({"text": memory.texts, "label": memory.labels}, index=[0] * COUNT)
    assert open_data(frame, memory.probs).dataset.ids[7] == "7"


def test_probabilities_are_put_in_the_order_of_the_table(memory):
    frame = pd.DataFrame({"text": memory.texts, "label": memory.labels})
    frame.index = [f"r{row}" for row in range(COUNT)]
    probs = pd.DataFrame(memory.probs, index=frame.index, columns=NAMES)
    shuffled = probs.sample(frac=1, random_state=1)[["eel", "cat", "dog"]]
    dataset = open_data(frame, shuffled, class_names=NAMES).dataset
    assert np.array_equal(np.array(dataset.pred_probs), memory.probs)


def test_index_of_the_probabilities_that_only_counts_is_refused(memory):
    frame = pd.DataFrame({"text": memory.texts, "label": memory.labels}).iloc[::-1]
    with pytest.raises(InputError, match=r"begins with \[0, 1, 2\], that of the data with \[59, 5"):
        open_data(frame, pd.DataFrame(memory.probs[::-1], columns=NAMES))


def test_list_of_texts(memory):
    dataset = open_data(memory.texts, memory.probs, memory.labels).dataset
    assert dataset.kind == "text" and dataset.content.text(3) == "text number 3"


def test_rows_without_a_label_are_left_out(memory):
    labels = [None, float("nan"), *memory.labels[2:]]
    dataset = open_data(memory.texts, memory.probs, labels).dataset
    assert dataset.source_rows.tolist() == list(range(2, COUNT))
    assert np.array_equal(np.array(dataset.pred_probs), memory.probs[2:])


@pytest.mark.parametrize(
    "make",
    [
        lambda pixels: pixels,
        lambda pixels: list(pixels),
        lambda pixels: [Image.fromarray(each) for each in pixels],
        lambda pixels: pixels / 255,
        lambda pixels: np.moveaxis(pixels, 3, 1),  # channels first, as tensors have them
        lambda pixels: pd.Series([Image.fromarray(each) for each in pixels]),
    ],
    ids=["array", "list", "PIL", "floats", "channels first", "series"],
)
def test_pictures_keep_every_pixel(memory, make):
    dataset = open_data(make(memory.pixels), memory.probs, memory.labels).dataset
    assert dataset.kind == "image"
    for row in (0, COUNT - 1):
        assert np.array_equal(np.array(dataset.content.image(row).image), memory.pixels[row])


def test_pairs_of_pictures_and_numbers_have_the_class_names_of_their_dataset(memory):
    pairs = Pairs([Image.fromarray(each) for each in memory.pixels], memory.codes)
    dataset = open_data(pairs, memory.probs).dataset
    assert dataset.class_names == NAMES and dataset.kind == "image"
    assert dataset.labels.tolist() == memory.codes.tolist()


def test_list_of_pairs_of_texts_and_names(memory):
    pairs = list(zip(memory.texts, memory.labels, strict=True))
    dataset = open_data(pairs, memory.probs).dataset
    assert dataset.class_names == NAMES and dataset.content.text(1) == "text number 1"


def test_paths_of_pictures_are_read_from_where_they_are(memory, tmp_path):
    frame = pd.DataFrame({"label": memory.labels})
    frame["image"] = [str(tmp_path / f"{row}.png") for row in range(COUNT)]
    for path, pixels in zip(frame["image"], memory.pixels, strict=True):
        Image.fromarray(pixels).save(path)
    for data, labels in ((frame, None), (frame["image"].tolist(), memory.labels)):
        dataset = open_data(data, memory.probs, labels).dataset
        assert np.array_equal(np.array(dataset.content.image(9).image), memory.pixels[9])


def test_features_are_columns_of_their_own(memory):
    features = np.random.default_rng(1).normal(size=(COUNT, 4))
    dataset = open_data(features, memory.probs, memory.codes, class_names=NAMES).dataset
    assert dataset.class_names == NAMES
    assert float(dataset.extras["feature_3"][5]) == features[5, 3]


def test_more_features_than_can_be_read_are_kept_for_models(memory):
    features = np.random.default_rng(1).normal(size=(COUNT, 300))
    prepared = open_data(features, memory.probs, memory.codes)
    assert not prepared.dataset.extras
    assert np.array_equal(np.load(prepared.folder / "features.npy"), features)


@pytest.mark.client
def test_hugging_face_dataset_with_pictures_and_class_names(memory):
    datasets = pytest.importorskip("datasets", reason="python devtools/clients.py FOLDER")
    features = datasets.Features(
        {"photo": datasets.Image(), "animal": datasets.ClassLabel(names=list(NAMES))}
    )
    pictures = [Image.fromarray(each) for each in memory.pixels]
    columns = {"photo": pictures, "animal": memory.codes.tolist()}
    whole = datasets.Dataset.from_dict(columns, features=features)
    dataset = open_data(whole.select(range(50)), memory.probs[:50]).dataset
    assert dataset.class_names == NAMES and dataset.labels.tolist() == memory.codes[:50].tolist()
    assert np.array_equal(np.array(dataset.content.image(9).image), memory.pixels[9])
    with pytest.raises(InputError, match=r"Choose one of its parts: train\."):
        open_data(datasets.DatasetDict(train=whole), memory.probs)


def test_without_probabilities_it_says_how_to_make_them(memory):
    with pytest.raises(InputError, match="make_probs=True"):
        open_data(memory.texts, labels=memory.labels)


def test_probabilities_are_made_if_asked_for_and_only_once(memory, capsys):
    words = {"cat": "purr meow", "dog": "bark woof", "eel": "swim wet"}
    texts = [f"{words[label]} {row}" for row, label in enumerate(memory.labels)]
    made = open_data(texts, labels=memory.labels, make_probs=True)
    assert "Out-of-sample probabilities" in capsys.readouterr().out
    again = open_data(texts, labels=memory.labels, make_probs=True)
    assert capsys.readouterr().out == "" and again.folder == made.folder
    assert np.array_equal(np.array(made.dataset.pred_probs), np.array(again.dataset.pred_probs))


@pytest.mark.parametrize(
    ("data", "labels", "words"),
    [
        ([], None, "The data is empty."),
        ("reviews.csv", None, "A str cannot be opened."),
        ({"train": [1]}, None, "A dict cannot be opened."),
        ([object()], ["a"], "The first example is a object."),
        (["a", "b"], None, "There are no labels."),
        (["a", "b"], ["x"], "There are 1 labels for 2 examples."),
        (["a", "b"], [["x"], ["y"]], "A label is \"['x']\", a list."),
        (pd.DataFrame({"a": [1], "b": [2]}), None, "No column is called label. The columns are a,"),
        (pd.DataFrame({"a": [1], "b": [2]}), "c", "There is no column 'c'."),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "a", "Two columns are called 'a'."),
        (np.zeros((2, 2, 2, 2, 2)), [0, 1], "An array of shape (2, 2, 2, 2, 2)"),
    ],
)
def test_what_cannot_be_opened_says_why(data, labels, words):
    with pytest.raises(InputError) as caught:
        open_data(data, np.full((2, 2), 0.5), labels)
    assert words in caught.value.problem and caught.value.remedy


def test_shape_of_the_probabilities_is_compared_with_the_data(memory):
    with pytest.raises(InputError, match=r"the shape \(59, 3\), for 60 examples"):
        open_data(memory.texts, memory.probs[1:], memory.labels)


def test_setting_that_does_not_exist_is_refused(memory):
    with pytest.raises(BlockedError, match="text_colum"):
        open_data(memory.texts, memory.probs, memory.labels, text_colum="text")
