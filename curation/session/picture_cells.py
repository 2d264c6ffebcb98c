"""Pictures of any kind in memory, as the bytes of a picture file."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from curation.errors import InputError
from curation.loading.vocabulary import IMAGE_SUFFIXES

CHANNELS = (1, 3, 4)
SAVED_MODES = ("1", "L", "LA", "P", "RGB", "RGBA", "I;16")  # that a PNG can hold
FAST = 1  # PNG's level of compression; higher ones take several times as long

Note = Callable[[bytes], None]  # takes what identifies a picture


def is_picture(value: Any) -> bool:
    """Return whether a value is a picture: an image, its pixels, or the path of an image file.

    >>> is_picture(np.zeros((2, 2))), is_picture(Path("cat.jpg")), is_picture("a cat")
    (True, True, False)
    """
    if isinstance(value, Image.Image):
        return True
    if isinstance(value, str | os.PathLike):
        return str(value).lower().endswith(IMAGE_SUFFIXES) and (
            not isinstance(value, str) or Path(value).is_file()
        )
    shape = getattr(value, "shape", None)
    return shape is not None and len(shape) in (2, 3)


def encode_cell(value: Any, where: str, note: Note) -> bytes | None:
    """Return the bytes of a picture file; None if there is no picture.

    `note` is called with the pixels of a picture in memory, and with the bytes of a file: a later
    version of Pillow may write the same pixels differently.
    """
    if isinstance(value, Mapping):  # as Hugging Face stores it
        value = value.get("bytes") or value.get("path")
    if value is None or isinstance(value, float) or (isinstance(value, str) and not value):
        note(b"none")
        return None
    if isinstance(value, str | os.PathLike):
        value = _read_file(value, where)
    if isinstance(value, bytes):
        note(value)
        return value
    image = value if isinstance(value, Image.Image) else _make_image(_read_pixels(value, where))
    if image.mode not in SAVED_MODES:
        image = image.convert("RGB")
    note(f"{image.mode} {image.size}".encode() + image.tobytes())
    file = io.BytesIO()
    image.save(file, "PNG", compress_level=FAST)
    return file.getvalue()


def _read_file(path: str | os.PathLike[str], where: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise InputError(
            f"{where}: the picture {os.fspath(path)} cannot be read: {error.strerror or error}.",
            "Pass paths that are complete, or relative to the working folder.",
        ) from error


def _read_pixels(value: Any, where: str) -> NDArray[np.uint8]:
    """Return pixels as 8-bit values, (height, width) or with 3 or 4 channels last."""
    for step in ("detach", "cpu", "numpy"):  # a tensor
        value = getattr(value, step)() if hasattr(value, step) else value
    pixels = np.asarray(value)
    if pixels.ndim == 3 and pixels.shape[0] in CHANNELS and pixels.shape[2] not in CHANNELS:
        pixels = np.moveaxis(pixels, 0, 2)
    fits = pixels.ndim == 2 or (pixels.ndim == 3 and pixels.shape[2] in CHANNELS)
    if not fits or pixels.dtype.kind not in "buif" or not pixels.size:
        raise InputError(
            f"{where}: a picture of shape {np.shape(value)} and type {pixels.dtype}.",
            "Pass pixels as (height, width), (height, width, 3) or (3, height, width).",
        )
    return _to_bytes(pixels[..., 0] if pixels.shape[2:] == (1,) else pixels)


def _to_bytes(pixels: NDArray[Any]) -> NDArray[np.uint8]:
    """Return pixels from 0 to 255; those outside 0 to 1 and 0 to 255 are stretched to fit.

    >>> _to_bytes(np.array([[0.0, 0.5, 1.0]])), _to_bytes(np.array([[-1.0, 0.0, 3.0]]))
    (array([[  0, 128, 255]], dtype=uint8), array([[  0,  64, 255]], dtype=uint8))
    """
    if pixels.dtype == np.uint8:
        return pixels
    values = np.nan_to_num(pixels.astype(np.float64))
    low, high = float(values.min()), float(values.max())
    whole = pixels.dtype.kind in "ui"
    if low < 0 or high > 255:  # such as normalized tensors
        values = (values - low) / ((high - low) or 1) * 255
    elif high <= 1 and not whole:
        values = values * 255
    return np.asarray(np.rint(values), dtype=np.uint8)


def _make_image(pixels: NDArray[np.uint8]) -> Image.Image:
    return Image.fromarray(np.ascontiguousarray(pixels))
