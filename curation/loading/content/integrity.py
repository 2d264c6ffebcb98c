"""Checks whether a picture can be shown, by its header and its end, without decoding it.

This finds a file that is cut off or not a picture. A file whose end looks unusual is decoded before
it is reported, so an intact file is never reported. Damage in the middle is only found with `deep`.
"""

from __future__ import annotations

import io
import os
from typing import Any, BinaryIO

from curation.errors import ContentError
from curation.loading.content.images import check_webp_size, open_image, read_header
from curation.loading.content.signatures import HEAD_BYTES, sniff

TAIL_BYTES = 256  # some cameras and tools pad the end
DEEP_CHECK_PIXELS = 64  # a thumbnail is enough to know that every byte decodes
END_MARKERS = {"JPEG": b"\xff\xd9", "PNG": b"IEND", "GIF": b";"}
STRIP_TAGS = ((273, 279), (324, 325))  # TIFF tags: where strips or tiles begin; their lengths


def check_image(source: bytes | BinaryIO, *, deep: bool = False) -> None:
    """Raise `ContentError` if the picture cannot be shown.

    >>> check_image(b"")
    Traceback (most recent call last):
    curation.errors.ContentError: empty (zero bytes). Fetch the file again from where it came from.
    """
    file = io.BytesIO(source) if isinstance(source, bytes) else source
    try:
        whole = not deep and _looks_whole(file)
    except ContentError:
        raise
    except Exception:  # a header made to break readers; decoding reports what is wrong
        whole = False
    if not whole:
        file.seek(0)
        open_image(file, size=DEEP_CHECK_PIXELS)


def _looks_whole(file: BinaryIO) -> bool:
    """Return whether a picture's header can be read and its end is present."""
    head = file.read(HEAD_BYTES)
    format = sniff(head)
    length = file.seek(0, os.SEEK_END)
    if format in END_MARKERS:
        file.seek(max(0, length - TAIL_BYTES))
        if END_MARKERS[format] not in file.read():
            return False
    if format == "BMP" and not 54 <= int.from_bytes(head[2:6], "little") <= length:
        return False
    file.seek(0)
    if format == "WebP":  # reading this header would already start the decoder
        check_webp_size(file)
        return int.from_bytes(head[4:8], "little") + 8 <= length
    picture = read_header(file, format)
    return format != "TIFF" or _holds_its_strips(picture, length)


def _holds_its_strips(picture: Any, length: int) -> bool:
    for starts, sizes in STRIP_TAGS:
        if starts in picture.tag_v2 and sizes in picture.tag_v2:
            pairs = zip(picture.tag_v2[starts], picture.tag_v2[sizes], strict=False)
            return all(start + size <= length for start, size in pairs)
    return False


def check_text(text: object) -> None:
    """Raise `ContentError` if there is no text to read."""
    if not isinstance(text, str):
        raise ContentError("missing (no text)", "Fill in the text in the table.", "missing")
    if not text.strip():
        raise ContentError("empty (no letters)", "Fill in the text in the table.", "empty")
