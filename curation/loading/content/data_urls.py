"""A picture as text inside a page, so that nothing has to be fetched to show it."""

from __future__ import annotations

import base64
import io

from PIL import Image


def encode_picture(image: Image.Image, *, exact: bool, quality: int = 87) -> str:
    """Return a picture as a data URL: a PNG with exact pixels, or else a JPEG.

    >>> encode_picture(Image.new("RGB", (1, 1)), exact=True)[:22]
    'data:image/png;base64,'
    """
    buffer = io.BytesIO()
    if exact:
        image.save(buffer, "PNG")
    else:
        image.save(buffer, "JPEG", quality=quality)
    data = base64.b64encode(buffer.getvalue()).decode()
    return f"data:image/{'png' if exact else 'jpeg'};base64,{data}"
