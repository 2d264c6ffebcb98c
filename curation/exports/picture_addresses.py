"""Where the picture of an example is, for tables and for other tools."""

from __future__ import annotations

import base64
import io
from pathlib import Path
from typing import Any
from urllib.parse import quote

from PIL import Image, UnidentifiedImageError

from curation.dataset import Dataset
from curation.errors import ContentError
from curation.loading.content.data_urls import encode_picture
from curation.loading.content.sources import EmbeddedImages, ImageArray, ImageFiles
from curation.review.cleaning_plan import Plan
from curation.review.outcome_settings import FILES, INLINE

# What browsers show as it is, with the ending that tools expect.
FORMATS = {"JPEG": ".jpg", "PNG": ".png", "GIF": ".gif", "WEBP": ".webp"}
MAX_INLINE_BYTES = 500_000  # of a file; larger pictures are made smaller
INLINE_PIXELS = 1024  # on the longer side of those
EXACT_PIXELS = 256  # up to this size, no pixel is changed


def name_picture(dataset: Dataset, row: int) -> str:
    """Return where a picture is, from the dataset's folder.

    A picture inside a file is named by the file, then # and the column and row in it.
    """
    content = dataset.content
    if isinstance(content, ImageFiles):
        return str(content.names[row])
    if isinstance(content, EmbeddedImages):
        path, place = content.cells.locate(int(content.rows[row]))
        return f"{_relative(path, dataset.root)}#{content.cells.column}/{place}"
    if isinstance(content, ImageArray):
        file = getattr(content.pixels, "path", None) or getattr(content.pixels, "filename", None)
        name = _relative(Path(file), dataset.root) if file else dataset.source.called
        return f"{name}#{int(content.rows[row])}"
    return str(dataset.ids[row])


def _relative(path: Path, root: Path) -> str:
    try:
        return path.resolve().relative_to(root.resolve()).as_posix()
    except ValueError:
        return path.name


def are_inline(plan: Plan) -> bool:
    """Return whether the files for other tools hold the pictures themselves."""
    named = isinstance(plan.dataset.content, ImageFiles) and plan.settings.picture_links != INLINE
    return plan.dataset.kind == "image" and not named


def link_picture(plan: Plan, row: int, *, local: str = "") -> str:
    """Return an address from which another tool can show a picture.

    By the setting `picture_links`, that is the path of its file after the prefix `local`, a URL, or
    the picture itself. A picture that has no file is always written out.
    """
    name = name_picture(plan.dataset, row)
    links = plan.settings.picture_links
    if not are_inline(plan):
        path = name.replace("\\", "/")
        if links == FILES:
            return f"{local}{quote(path) if local else path}"
        return f"{links.rstrip('/')}/{quote(path)}"
    try:
        return write_inline(plan.dataset, row)
    except ContentError:
        return name


def write_inline(dataset: Dataset, row: int) -> str:
    """Return a picture as a data URL; a large one is made smaller."""
    data, ending = read_picture(dataset, row)
    if ending and len(data) <= MAX_INLINE_BYTES:
        kind = next(each for each, suffix in FORMATS.items() if suffix == ending).lower()
        return f"data:image/{kind};base64,{base64.b64encode(data).decode()}"
    picture = dataset.content.image(row, size=INLINE_PIXELS)
    return encode_picture(picture.image, exact=max(picture.original_size) <= EXACT_PIXELS)


def read_picture(dataset: Dataset, row: int) -> tuple[bytes, str]:
    """Return the bytes of a picture file and its ending; no ending if browsers do not show it.

    Pixels of an array become a PNG.
    """
    content: Any = dataset.content
    if not isinstance(content, ImageFiles | EmbeddedImages):
        file = io.BytesIO()
        content.image(row).image.save(file, "PNG")
        return file.getvalue(), ".png"
    data = content.read(row)
    try:
        with Image.open(io.BytesIO(data)) as image:
            return data, FORMATS.get(image.format or "", "")
    except (UnidentifiedImageError, OSError, Image.DecompressionBombError, ValueError):
        return data, ""
