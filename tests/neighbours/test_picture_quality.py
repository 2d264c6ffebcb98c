"""Dark, blurry and odd pictures."""

import numpy as np
from PIL import Image

from curation.neighbours.picture_quality import (
    BLURRY_BELOW,
    DARK_BELOW,
    PictureQuality,
    measure_light,
    measure_sharpness,
)


def noise(size=(64, 64)):
    pixels = np.random.default_rng(0).integers(0, 256, (*size, 3), dtype=np.uint8)
    return Image.fromarray(pixels)


def test_light_of_a_grey_picture_is_its_grey():
    assert measure_light(Image.new("RGB", (20, 20), (51, 51, 51))) == np.float64(51 / 255)
    red = measure_light(Image.new("RGB", (20, 20), (255, 0, 0)))
    assert abs(red - np.sqrt(0.241)) < 1e-9


def test_one_lit_pixel_does_not_make_a_dark_picture_light():
    image = Image.new("RGB", (20, 20), (10, 10, 10))
    image.putpixel((3, 3), (255, 255, 255))
    assert measure_light(image) < DARK_BELOW < measure_light(noise())


def test_a_picture_without_edges_is_blurry():
    wave = np.sin(np.linspace(0, np.pi, 64))
    greys = (255 * np.outer(wave, wave)).astype(np.uint8)  # light in the middle, dark around it
    shuffled = np.random.default_rng(0).permutation(greys.ravel()).reshape(64, 64)
    assert measure_sharpness(Image.fromarray(greys).convert("RGB")) < BLURRY_BELOW
    assert measure_sharpness(Image.fromarray(shuffled).convert("RGB")) > BLURRY_BELOW


def test_a_drawing_of_few_greys_is_not_blurry():
    image = Image.new("L", (64, 64), 255)
    image.paste(200, (20, 20, 40, 40))
    assert measure_sharpness(image.convert("RGB")) > BLURRY_BELOW


def test_size_and_shape_are_compared_with_the_median():
    fine = [0.9, 0.9, 100, 100]
    rows = [fine, fine, fine, [0.9, 0.9, 20, 20], [0.9, 0.9, 300, 60], [0.1, 0.1, 100, 100]]
    quality = PictureQuality(np.array([*rows, [np.nan] * 4], np.float32))
    said = [quality.describe(row) for row in range(7)]
    assert said == ["", "", "", "odd size", "odd shape", "dark and blurry", ""]
    assert quality.rows.tolist() == [5, 4, 3]


def test_no_picture_can_be_read():
    quality = PictureQuality(np.full((3, 4), np.nan, np.float32))
    assert not len(quality.rows) and quality.describe(1) == ""
