"""Arrays and columns of numbers that are pictures are shown as pictures; others are not."""

import numpy as np
import pytest

from curation.loading.content.picture_arrays import read_pictures
from tests.loading.conftest import find_diagnosis

RNG = np.random.default_rng(0)
BYTES = RNG.integers(0, 256, (30, 8, 8), dtype=np.uint8)


@pytest.fixture
def numbers(folder):
    folder.save("y_test.npy", folder.labels)
    folder.save("probs.npy", folder.probs)
    return folder


@pytest.mark.parametrize(
    "array",
    [
        BYTES,
        BYTES.reshape(30, 64),
        BYTES.astype(np.int64),
        BYTES / 255,
        BYTES[..., None],
        np.repeat(BYTES[:, None], 3, axis=1),
        np.repeat(BYTES[..., None], 3, axis=3),
    ],
    ids=["grey", "flat", "integers", "fractions", "one channel", "channels first", "colour"],
)
def test_every_layout_shows_the_same_pixels(numbers, array):
    numbers.save("x_test.npy", array)
    dataset = numbers.load()
    assert dataset.kind == "image"
    shown = np.asarray(dataset.content.image(11).image.convert("L"))
    np.testing.assert_array_equal(shown, BYTES[11])
    assert find_diagnosis(dataset, "content.pixels").where == "x_test.npy"


@pytest.mark.parametrize(
    "array",
    [
        RNG.normal(size=(30, 64)),
        RNG.random((30, 60)),
        RNG.integers(0, 1000, (30, 64)),
        RNG.integers(0, 256, (29, 8, 8), dtype=np.uint8),
        np.full((30, 64), np.nan),
    ],
    ids=["negative", "not a square", "too large", "other length", "not numbers"],
)
def test_other_numbers_are_not_shown_as_pictures(numbers, array):
    numbers.save("x_test.npy", array)
    assert numbers.load().kind == "index"


def test_array_of_the_same_split_is_taken(numbers):
    numbers.save("x_train.npy", BYTES[::-1])
    numbers.save("x_test.npy", BYTES)
    assert find_diagnosis(numbers.load(), "content.pixels").where == "x_test.npy"


def test_smaller_ranges_are_stretched():
    pixels = read_pictures(np.array([[0, 16] * 32], dtype=float).repeat(2, axis=0), sure=False)
    assert sorted(set(pixels[0].ravel().tolist())) == [0, 255]


def test_columns_of_pixels_are_not_shown_as_columns(folder):
    header = ",".join(f"pixel{k}" for k in range(64))
    rows = zip(folder.labels, BYTES.reshape(30, 64), strict=True)
    lines = [f"{label},x,{','.join(map(str, pixels))}" for label, pixels in rows]
    folder.write("train.csv", f"label,note,{header}\n" + "\n".join(lines) + "\n")
    folder.save("probs.npy", folder.probs)
    dataset = folder.load()
    assert list(dataset.extras) == ["note"]
    np.testing.assert_array_equal(np.asarray(dataset.content.image(3).image.convert("L")), BYTES[3])
