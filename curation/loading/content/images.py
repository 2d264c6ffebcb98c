"""Opens a picture from untrusted bytes: upright, in RGB, within a memory budget.

Six formats are read, each only by its own decoder. The size is checked in the header, before any
pixel is decoded: a file of 11 kB can hold a picture of 400 MB. Any fault in the bytes
becomes a `ContentError` with a reason short enough to be shown instead of the picture.

`Image.open` is not used: it warns about large pictures. A warning cannot be silenced in a single
thread, and it must not become an error in ours.
"""

from __future__ import annotations

import io
import os
from typing import Any, BinaryIO

import numpy as np
from PIL import Image, ImageCms, ImageFile
from PIL.BmpImagePlugin import BmpImageFile
from PIL.GifImagePlugin import GifImageFile
from PIL.JpegImagePlugin import JpegImageFile
from PIL.PngImagePlugin import PngImageFile
from PIL.TiffImagePlugin import TiffImageFile
from PIL.WebPImagePlugin import WebPImageFile

from curation.dataset import Picture
from curation.errors import ContentError
from curation.loading.content.signatures import HEAD_BYTES, sniff

# 50 megapixels in colour, 200 in grey. Decoding and shrinking stay below 300 MB together.
MAX_MEMORY_BYTES = 200_000_000
MAX_PIXELS = 200_000_000  # above this even a format that decodes at 1/8 takes seconds
LARGE_PIXELS = 16_000_000  # larger pictures are shrunk before their colours are converted,
WORKING_PIXELS = 6_000_000  # to this, which is more than a screen shows
MAX_COUNTED_GIF_BYTES = 8_000_000  # counting the frames of a larger file could take seconds
MAX_COUNTED_PAGES = 1_000
BACKGROUND = (255, 255, 255)  # what shows through transparent parts


class _Jpeg(JpegImageFile):
    """A JPEG whose resolution is not looked up: that reads EXIF, which warns when it is broken."""

    def _read_dpi_from_exif(self) -> None:
        pass


READERS: dict[str, type[ImageFile.ImageFile]] = {
    "JPEG": _Jpeg,  # not the plugin's factory: a phone's second picture is not a frame
    "PNG": PngImageFile,
    "WebP": WebPImageFile,
    "GIF": GifImageFile,
    "BMP": BmpImageFile,
    "TIFF": TiffImageFile,
}
WIDE_MODES = ("I", "F", "I;16", "I;16L", "I;16B", "I;16N")
SMOOTH_MODES = ("L", "RGB", "CMYK", "YCbCr")  # neighbouring pixels may be averaged as they are

UPRIGHT = {  # EXIF orientation -> what turns the picture upright
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
ORIENTATION = 0x0112


def open_image(source: bytes | BinaryIO, *, size: int | None = None) -> Picture:
    """Return the picture in a file or in bytes, neither side longer than `size` pixels.

    Without `size` it keeps its own size, up to `LARGE_PIXELS`. Pictures are never enlarged. For an
    animation or a document of several pages the first is shown, and the note says "1 of n".
    """
    file = io.BytesIO(source) if isinstance(source, bytes) else source
    format = "file"
    try:
        format = sniff(file.read(HEAD_BYTES))
        file.seek(0)
        with read_header(file, format) as picture:
            return _decode(picture, format, size)
    except ContentError:
        raise
    except Exception as error:  # decoders fail in many ways on bytes made to break them
        raise _damaged(format, error) from None


def read_header(file: BinaryIO, format: str) -> ImageFile.ImageFile:
    """Return the picture with only its header read; refuse it if it is too large."""
    if format == "WebP":  # its decoder allocates the memory on opening
        check_webp_size(file)
    try:
        picture = READERS[format](file)
    except Exception as error:
        raise _damaged(format, error) from None
    _check_size(*picture.size, bytes_per_pixel=_bytes_per_pixel(picture, format))
    return picture


def check_webp_size(file: BinaryIO) -> None:
    """Refuse a WebP picture that is too large, by its first bytes."""
    _check_size(*_webp_size(file), bytes_per_pixel=12)


def shrink(image: Image.Image, size: int | None) -> Image.Image:
    """Return the image with neither side longer than `size`; small ones stay as they are."""
    if size is None or max(image.size) <= size:
        return image
    small = image.copy()
    small.thumbnail((size, size), Image.Resampling.LANCZOS, reducing_gap=2.0)
    return small


def to_rgb(image: Image.Image) -> tuple[Image.Image, str]:
    """Return the image in RGB on a white background, with a note if its brightness was scaled."""
    if image.mode in WIDE_MODES:
        return _scale_to_range(image)
    if image.mode == "LAB":
        lab, rgb = ImageCms.createProfile("LAB"), ImageCms.createProfile("sRGB")
        return ImageCms.profileToProfile(image, lab, rgb, outputMode="RGB") or image, ""
    if image.has_transparency_data:
        layer = image if image.mode == "RGBA" else image.convert("RGBA")
        ground = Image.new("RGB", layer.size, BACKGROUND)
        ground.paste(layer, mask=layer.getchannel("A"))
        return ground, ""
    return (image if image.mode == "RGB" else image.convert("RGB")), ""


def _decode(picture: ImageFile.ImageFile, format: str, size: int | None) -> Picture:
    original, frames = picture.size, _frames_note(picture, format)
    if format == "JPEG":
        side = min(size or max(original), _working_side(original))
        picture.draft(None, (side, side))
    picture.load()
    orientation = _orientation(picture)
    small = _shrink_to_work(picture, size)
    image, range_note = to_rgb(small)
    image = shrink(image, size)
    if orientation in UPRIGHT:
        image = image.transpose(UPRIGHT[orientation])
    if orientation in (5, 6, 7, 8):
        original = (original[1], original[0])
    elif format == "TIFF" and _is_turned(original, image.size):
        original = (original[1], original[0])  # this decoder turns pictures upright itself
    note = "; ".join(
        each for each in (frames, range_note, _size_note(original, image, size)) if each
    )
    return Picture(image, note, original)


def _frames_note(picture: ImageFile.ImageFile, format: str) -> str:
    if not getattr(picture, "is_animated", False):
        return ""
    if format == "TIFF":
        return f"page 1 of {_count_pages(picture)}"
    too_long = format == "GIF" and _length(picture.fp) > MAX_COUNTED_GIF_BYTES
    count = "several" if too_long else str(getattr(picture, "n_frames", 1))
    picture.seek(0)
    return f"frame 1 of {count}"


def _count_pages(picture: ImageFile.ImageFile) -> str:
    """Return how many pages a TIFF has; each must be visited, so counting stops at a limit."""
    count = 1
    try:
        while count <= MAX_COUNTED_PAGES:
            picture.seek(count)
            count += 1
    except EOFError:
        pass
    picture.seek(0)
    return str(count) if count <= MAX_COUNTED_PAGES else f"more than {MAX_COUNTED_PAGES}"


def _length(file: Any) -> int:
    here = file.tell()
    length = file.seek(0, os.SEEK_END)
    file.seek(here)
    return int(length)


def _size_note(original: tuple[int, int], image: Image.Image, size: int | None) -> str:
    if size is None and image.size != original:
        return f"shown smaller than its {original[0]} x {original[1]}"
    return ""


def _orientation(picture: ImageFile.ImageFile) -> int:
    try:
        return int(picture.getexif().get(ORIENTATION, 1))
    except Exception:  # a picture whose EXIF is broken is still worth showing
        return 1


def _is_turned(before: tuple[int, int], after: tuple[int, int]) -> bool:
    return (before[0] > before[1]) != (after[0] > after[1]) and before[0] != before[1]


def _working_side(size: tuple[int, int]) -> int:
    """Return the longer side of the picture while it is processed: its own, unless it is large."""
    pixels = size[0] * size[1]
    return (
        max(size) if pixels <= LARGE_PIXELS else int(max(size) * (WORKING_PIXELS / pixels) ** 0.5)
    )


def _shrink_to_work(picture: Image.Image, size: int | None) -> Image.Image:
    """Return the picture, made small enough to convert its colours if necessary."""
    side = _working_side(picture.size)
    if side >= max(picture.size):
        return picture
    goal = min(side, 4 * (size or side))  # four times what is asked for, so that it stays smooth
    if picture.mode in SMOOTH_MODES and "transparency" not in picture.info:
        return picture.reduce(-(-max(picture.size) // goal))
    scale = goal / max(picture.size)
    small = tuple(max(1, int(each * scale)) for each in picture.size)
    return picture.resize((small[0], small[1]), Image.Resampling.NEAREST)


def _scale_to_range(image: Image.Image) -> tuple[Image.Image, str]:
    """Return grey levels spread from the darkest to the brightest value in the picture."""
    values = np.array(image, dtype=np.float32)
    finite = np.isfinite(values)
    low = float(values.min(initial=np.inf, where=finite)) if finite.any() else 0.0
    high = float(values.max(initial=-np.inf, where=finite)) if finite.any() else 0.0
    if high > low:
        values -= low
        values *= 255 / (high - low)
    else:
        values[...] = 128
    np.nan_to_num(values, copy=False, nan=0.0, posinf=255.0, neginf=0.0)
    grey = Image.fromarray(values.round(out=values).clip(0, 255, out=values).astype(np.uint8))
    return grey.convert("RGB"), f"brightness scaled: black is {low:g}, white is {high:g}"


def _check_size(width: int, height: int, *, bytes_per_pixel: float) -> None:
    pixels = width * height
    if pixels > MAX_PIXELS or pixels * bytes_per_pixel > MAX_MEMORY_BYTES:
        raise ContentError(
            f"too large ({width} x {height})", "Save a smaller copy of the picture.", "too large"
        )


def _bytes_per_pixel(picture: Any, format: str) -> float:
    """Return how much memory decoding takes for each pixel, at most."""
    if format == "JPEG":
        return _jpeg_bytes_per_pixel(picture)
    if format == "TIFF":  # a strip or tile can hold the whole picture a second time
        tile = picture.tag_v2.get(322, 0) * picture.tag_v2.get(323, 0)
        pixels = max(1, picture.width * picture.height)
        # at least 2.5: above 80 megapixels this decoder warns, and a warning may be an error
        return float(max(2.5, 2 * _mode_bytes(picture.mode)) * max(1.0, tile / pixels))
    return _mode_bytes(picture.mode)


def _mode_bytes(mode: str) -> float:
    if mode in WIDE_MODES:
        return 2.0 if mode.startswith("I;16") else 4.0
    return 1.0 if mode in ("1", "L", "P") else 4.0


def _jpeg_bytes_per_pixel(picture: Any) -> float:
    """Large baseline JPEGs are decoded at 1/8; progressive ones are kept whole, at 16 bits each."""
    if not picture.info.get("progressive"):
        return 1.0
    areas = [across * down for _, across, down, _ in picture.layer]
    return float(2 * sum(areas) / max(areas) + 1)


def _webp_size(file: BinaryIO) -> tuple[int, int]:
    """Return width and height as a WebP file's first 30 bytes give them."""
    head = file.read(30).ljust(30, b"\0")
    file.seek(0)
    if head[12:16] == b"VP8X":
        return 1 + int.from_bytes(head[24:27], "little"), 1 + int.from_bytes(head[27:30], "little")
    if head[12:16] == b"VP8L":
        bits = int.from_bytes(head[21:25], "little")
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    width, height = int.from_bytes(head[26:28], "little"), int.from_bytes(head[28:30], "little")
    return width & 0x3FFF, height & 0x3FFF


def _damaged(format: str, error: Exception) -> ContentError:
    if isinstance(error, Image.DecompressionBombError | Image.DecompressionBombWarning):
        return ContentError("too large", "Save a smaller copy of the picture.", "too large")
    words = str(error).lower()
    cut = any(each in words for each in ("truncated", "cut", "not enough", "unexpected end"))
    reason = f"truncated {format}" if cut or isinstance(error, EOFError) else f"damaged {format}"
    return ContentError(reason, "Fetch the file again from where it came from.", "corrupt")
