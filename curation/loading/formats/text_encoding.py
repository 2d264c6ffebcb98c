"""The encoding of text files: read as UTF-8, and written back in the original encoding."""

from __future__ import annotations

import codecs

from curation.errors import InputError
from curation.loading.report_builder import stop

_WIDE_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, which has the same first bytes
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_MARKS = {  # byte order marks and their encodings
    "utf-8": ((codecs.BOM_UTF8, "utf-8"),),
    "utf-8-sig": ((codecs.BOM_UTF8, "utf-8"),),
    "utf-16": ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")),
    "utf-16-le": ((codecs.BOM_UTF16_LE, "utf-16-le"),),
    "utf-16-be": ((codecs.BOM_UTF16_BE, "utf-16-be"),),
    "utf-32": ((codecs.BOM_UTF32_LE, "utf-32-le"), (codecs.BOM_UTF32_BE, "utf-32-be")),
    "utf-32-le": ((codecs.BOM_UTF32_LE, "utf-32-le"),),
    "utf-32-be": ((codecs.BOM_UTF32_BE, "utf-32-be"),),
}
_WITHOUT_MARK = {"utf-8-sig": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}


def decode_text(raw: bytes, name: str, encoding: str | None) -> tuple[bytes, bool]:
    """Return the bytes as UTF-8; the given encoding is only used if they are not UTF-8 already.

    This is for files other than the label table, for which the encoding was given.
    """
    return as_utf8(raw, name, encoding if find_encoding(raw) else None)


def as_utf8(raw: bytes, name: str, encoding: str | None) -> tuple[bytes, bool]:
    """Return the bytes as UTF-8 without a byte order mark, and whether there was one.

    Another encoding is detected and suggested, but never assumed: a wrong guess would garble names
    without notice.
    """
    if encoding is None:
        _refuse_other_encodings(raw, name)
        bom = raw.startswith(codecs.BOM_UTF8)
        return (raw[len(codecs.BOM_UTF8) :] if bom else raw), bom
    try:
        text = raw.decode(encoding)
        return text.removeprefix("\ufeff").encode(), text.startswith("\ufeff")
    except (LookupError, ValueError) as error:
        raise stop(
            code="table.encoding",
            where=name,
            what=f"it cannot be read as {encoding!r}: {error}.",
            fix="Pass the encoding it was saved in, or save it as UTF-8.",
            why="In the wrong encoding, names are read as other names.",
        ) from error


def _refuse_other_encodings(raw: bytes, name: str) -> None:
    found = find_encoding(raw)
    if found is None:
        return
    raise stop(
        code="table.encoding",
        where=name,
        what=f"the text is not UTF-8; it looks like {found}.",
        fix=f'Save it as UTF-8, or pass encoding="{found}" if that is right.',
        why="In the wrong encoding, names are read as other names.",
        override={"encoding": found},
    )


def find_encoding(raw: bytes) -> str | None:
    """Return the encoding the bytes are probably in, or None if they are UTF-8.

    >>> find_encoding("id,café".encode("latin-1")), find_encoding("id,café".encode())
    ('latin-1', None)
    """
    for mark, encoding in _WIDE_MARKS:
        if raw.startswith(mark):
            return encoding
    head = raw[:4096]
    for encoding, zeros in (("utf-16-le", head[1::2]), ("utf-16-be", head[0::2])):
        if len(head) >= 4 and zeros.count(0) > 0.4 * len(head) / 2 and _decodes(raw, encoding):
            return encoding
    if _decodes(raw, "utf-8"):
        return None
    windows = any(0x80 <= byte <= 0x9F for byte in set(raw))  # control characters in Latin-1
    return "cp1252" if windows and _decodes(raw, "cp1252") else "latin-1"


def _decodes(raw: bytes, encoding: str) -> bool:
    try:
        raw.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True


def split_mark(raw: bytes, encoding: str, name: str) -> tuple[bytes, str, bytes]:
    """Return a file's byte order mark, its encoding without the mark, and the rest as UTF-8."""
    family = codecs.lookup(encoding).name
    found = [each for each in _MARKS.get(family, ()) if raw.startswith(each[0])]
    mark, exact = found[0] if found else (b"", _WITHOUT_MARK.get(family, family))
    body = raw[len(mark) :]
    if exact == "utf-8":
        return mark, exact, body
    text = body.decode(exact)
    if text.encode(exact) != body:
        raise InputError(
            f"{name} cannot be written back in {encoding!r} byte for byte.",
            "Save it as UTF-8, then load the dataset again.",
        )
    return mark, exact, text.encode()


def encode_back(text: str, encoding: str, name: str) -> bytes:
    """Return text in the encoding of its file; refuse characters that the encoding lacks."""
    try:
        return text.encode(encoding)
    except UnicodeEncodeError as error:
        raise InputError(
            f"{name} is written in {encoding}, which has no {text[error.start]!r}.",
            "Choose a class name without it, or save the file as UTF-8 and load it again.",
        ) from error
