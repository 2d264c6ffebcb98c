"""Which format a file has, judged by its first bytes and never by its name."""

from __future__ import annotations

import re

from curation.errors import ContentError

HEAD_BYTES = 512

ALLOWED = {
    "JPEG": re.compile(rb"\xff\xd8\xff"),
    "PNG": re.compile(rb"\x89PNG\r\n\x1a\n"),
    "WebP": re.compile(rb"RIFF....WEBP", re.DOTALL),
    "GIF": re.compile(rb"GIF8[79]a"),
    "BMP": re.compile(rb"BM.{12}[\x0c\x28\x34\x38\x40\x6c\x7c]\0\0\0", re.DOTALL),
    "TIFF": re.compile(rb"II[*+]\0|MM\0[*+]"),
}

# Picture formats that are not opened: their readers run programs or fetch links, or are rarely
# needed. They are listed so that the reason can name the format.
NOT_ALLOWED = {
    "PDF": re.compile(rb"%PDF"),
    "EPS": re.compile(rb"%!PS|\xc5\xd0\xd3\xc6"),
    "FITS": re.compile(rb"SIMPLE  ="),
    "PSD": re.compile(rb"8BPS"),
    "SVG": re.compile(
        rb"(\xef\xbb\xbf)?\s*(<\?xml.*?)?(<!--.*?-->\s*)*(<!DOCTYPE svg.*?)?<svg", re.S
    ),
    "JPEG 2000": re.compile(rb"\0\0\0\x0cjP  |\xff\x4f\xff\x51"),
    "AVIF": re.compile(rb"....ftypavi[fs]", re.DOTALL),
    "HEIC": re.compile(rb"....ftyp(heic|heix|hevc|mif1|msf1)", re.DOTALL),
    "ICO": re.compile(rb"\x00\x00\x01\x00.\x00", re.DOTALL),
    "DICOM": re.compile(rb".{128}DICM", re.DOTALL),
    "OpenEXR": re.compile(rb"\x76\x2f\x31\x01"),
    "PPM": re.compile(rb"P[1-7]\s"),
    "zip archive": re.compile(rb"PK\x03\x04"),
    "gzip archive": re.compile(rb"\x1f\x8b"),
}
LFS_POINTER = b"version https://git-lfs"
FIRST_WORD = re.compile(r"<[!?/]?[A-Za-z]+|\S{1,12}")


def sniff(head: bytes) -> str:
    """Return the format of a picture by its first bytes; raise ContentError if it is not allowed.

    >>> sniff(b"GIF89a...")
    'GIF'
    """
    for format, signature in ALLOWED.items():
        if signature.match(head):
            return format
    raise _refuse(head)


def _refuse(head: bytes) -> ContentError:
    if not head:
        again = "Fetch the file again from where it came from."
        return ContentError("empty (zero bytes)", again, "empty")
    for format, signature in NOT_ALLOWED.items():
        if signature.match(head):
            return ContentError(
                f"format not allowed ({format})", "Save it as PNG or JPEG.", "not allowed"
            )
    if head.startswith(LFS_POINTER):
        return ContentError(
            "not an image (a Git LFS pointer)",
            "Run `git lfs pull` in the dataset's folder.",
            "corrupt",
        )
    return ContentError(
        f"not an image ({_beginning(head)})",
        "Replace it with the picture itself, as JPEG, PNG, WebP, GIF, BMP or TIFF.",
        "corrupt",
    )


def _beginning(head: bytes) -> str:
    """Return how a file starts, in a few safe characters."""
    text = head.decode("utf-8-sig", "replace").lstrip()
    word = FIRST_WORD.match(text)
    if word and word[0].isascii() and word[0].isprintable():
        return f"starts with {word[0]}"
    return f"starts with bytes {head[:4].hex(' ')}"
