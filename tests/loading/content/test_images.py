"""Whatever the bytes, open_image gives an upright RGB picture or a short reason, within bounds."""

from __future__ import annotations

import io
import subprocess
import sys
import textwrap
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import PIL
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from curation.errors import ContentError
from curation.loading.content.images import open_image
from curation.loading.content.integrity import check_image

FORMATS = ["JPEG", "PNG", "WEBP", "GIF", "BMP", "TIFF"]


def noise(width: int = 60, height: int = 40, seed: int = 0) -> Image.Image:
    rng = np.random.default_rng(seed)
    return Image.fromarray(rng.integers(0, 256, (height, width, 3), dtype=np.uint8))


def encode(image: Image.Image, format: str, **options: object) -> bytes:
    file = io.BytesIO()
    image.save(file, format, **options)
    return file.getvalue()


def bomb(side: int) -> bytes:
    """Return a one-bit PNG of side x side pixels in a few kilobytes."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        check = zlib.crc32(kind + body).to_bytes(4, "big")
        return len(body).to_bytes(4, "big") + kind + body + check

    header = side.to_bytes(4, "big") * 2 + bytes([1, 0, 0, 0, 0])
    packer = zlib.compressobj(9)
    rows = b"".join(packer.compress(bytes(1 + (side + 7) // 8)) for _ in range(side))
    body = chunk(b"IHDR", header) + chunk(b"IDAT", rows + packer.flush()) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


def refusal(data: bytes) -> ContentError:
    with pytest.raises(ContentError) as caught:
        open_image(data)
    return caught.value


@pytest.mark.parametrize("format", FORMATS)
def test_each_allowed_format_is_shown_whole_and_small(format: str) -> None:
    data = encode(noise(), format)
    whole, small = open_image(data), open_image(io.BytesIO(data), size=30)
    assert (whole.image.mode, whole.image.size, whole.note) == ("RGB", (60, 40), "")
    assert (small.image.mode, small.image.size) == ("RGB", (30, 20))
    assert small.original_size == (60, 40)


def test_small_pictures_are_not_enlarged() -> None:
    assert open_image(encode(noise(), "PNG"), size=500).image.size == (60, 40)


@pytest.mark.fault(44, "HOLDS")
@pytest.mark.parametrize("format", ["JPEG", "PNG", "WEBP", "TIFF"])
@pytest.mark.parametrize("orientation", range(1, 9))
def test_every_exif_orientation_is_shown_upright(format: str, orientation: int) -> None:
    """The upright picture is red in its upper left corner, and 40 wide by 60 high."""
    upright = Image.new("RGB", (40, 60), "blue")
    upright.paste("red", (0, 0, 16, 16))
    undo = {2: 0, 3: 3, 4: 1, 5: 5, 6: 2, 7: 6, 8: 4}  # Image.Transpose of the stored picture
    stored = upright.transpose(Image.Transpose(undo[orientation])) if orientation > 1 else upright
    exif = Image.Exif()
    exif[0x0112] = orientation
    picture = open_image(encode(stored, format, exif=exif))
    assert picture.image.size == picture.original_size == (40, 60)
    red, _, blue = picture.image.getpixel((4, 4))
    assert red > 200 and blue < 60


def test_broken_exif_does_not_hide_the_picture() -> None:
    data = encode(noise(), "JPEG", exif=b"Exif\0\0II*\0\x08\0\0\0\xff\xff\x12\x01")
    assert open_image(data).image.size == (60, 40)


@pytest.mark.fault(45, "HOLDS")
def test_cmyk_is_converted() -> None:
    data = encode(Image.new("CMYK", (8, 8), (0, 255, 255, 0)), "JPEG")
    red, green, blue = open_image(data).image.getpixel((4, 4))
    assert red > 200 and green < 60 and blue < 60


@pytest.mark.fault(45, "HOLDS")
@pytest.mark.parametrize("mode", ["LA", "RGBA", "P", "L", "RGB", "1"])
def test_transparent_parts_show_a_white_background(mode: str) -> None:
    clear: dict[str, object] = {"P": 0, "L": 0, "RGB": (0, 0, 0), "1": 0}
    picture = Image.new(mode, (8, 8), 0)
    options = {"transparency": clear[mode]} if mode in clear else {}
    shown = open_image(encode(picture, "PNG", **options)).image
    assert (shown.mode, shown.getpixel((4, 4))) == ("RGB", (255, 255, 255))


@pytest.mark.parametrize(
    ("mode", "format"),
    [
        ("1", "PNG"),
        ("L", "PNG"),
        ("LAB", "TIFF"),
        pytest.param(
            *("YCbCr", "TIFF"),
            marks=pytest.mark.skipif(
                int(PIL.__version__.split(".")[0]) < 13,
                reason="Pillow before 13 cannot read it: a damaged picture, with that reason",
            ),
        ),
        ("P", "GIF"),
    ],
)
def test_other_colour_modes_are_converted(mode: str, format: str) -> None:
    assert open_image(encode(Image.new(mode, (8, 8)), format)).image.mode == "RGB"


@pytest.mark.fault(46, "HOLDS")
@pytest.mark.parametrize(
    ("dtype", "format"),
    [(np.uint16, "PNG"), (np.uint16, "TIFF"), (np.int32, "TIFF"), (np.float32, "TIFF")],
)
def test_a_wide_grey_ramp_keeps_over_200_levels(dtype: type, format: str) -> None:
    ramp = np.tile(np.linspace(0, 4095, 512).astype(dtype), (8, 1))  # 12 bits, as scanners give
    picture = open_image(encode(Image.fromarray(ramp), format))
    levels = np.unique(np.asarray(picture.image)[..., 0])
    assert len(levels) > 200 and levels[0] == 0 and levels[-1] == 255
    assert picture.note == "brightness scaled: black is 0, white is 4095"


def test_a_wide_picture_of_one_value_or_of_no_number_is_shown_flat() -> None:
    for value in [7.0, np.nan, np.inf]:
        data = encode(Image.fromarray(np.full((4, 4), value, np.float32)), "TIFF")
        assert len(np.unique(np.asarray(open_image(data).image))) == 1


@pytest.mark.fault(47, "HOLDS")
@pytest.mark.parametrize(
    ("format", "note"), [("GIF", "frame 1 of 3"), ("WEBP", "frame 1 of 3"), ("TIFF", "page 1 of 3")]
)
def test_the_first_frame_is_shown_and_labelled(format: str, note: str) -> None:
    frames = [Image.new("RGB", (8, 8), colour) for colour in ("red", "green", "blue")]
    options = {"compression": "tiff_lzw"} if format == "TIFF" else {"lossless": True}
    data = encode(frames[0], format, save_all=True, append_images=frames[1:], **options)
    picture = open_image(data)
    assert picture.note == note
    assert picture.image.getpixel((4, 4)) == (255, 0, 0)


def test_endless_documents_are_not_counted_to_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("curation.loading.content.images.MAX_COUNTED_PAGES", 2)
    monkeypatch.setattr("curation.loading.content.images.MAX_COUNTED_GIF_BYTES", 10)
    pages = [noise(seed=seed) for seed in range(4)]
    tiff = encode(pages[0], "TIFF", save_all=True, append_images=pages[1:])
    gif = encode(pages[0], "GIF", save_all=True, append_images=pages[1:])
    assert open_image(tiff).note == "page 1 of more than 2"
    assert open_image(gif).note == "frame 1 of several"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty (zero bytes)"),
        (b"<html><body>404 not found", "not an image (starts with <html)"),
        (b"\n <!DOCTYPE html><html>", "not an image (starts with <!DOCTYPE)"),
        (b"not found", "not an image (starts with not)"),
        (b"\x00\x01\x02\x03\x04", "not an image (starts with bytes 00 01 02 03)"),
        (b"version https://git-lfs.github.com/spec/v1\n", "not an image (a Git LFS pointer)"),
        pytest.param(
            *(b"%PDF-1.7", "format not allowed (PDF)"),
            marks=pytest.mark.fault(
                49, "SKIP", says="format not allowed (PDF). Save it as PNG or JPEG."
            ),
        ),
        (b"%!PS-Adobe-3.0 EPSF-3.0", "format not allowed (EPS)"),
        (b"SIMPLE  =                    T", "format not allowed (FITS)"),
        (b"8BPS\0\1", "format not allowed (PSD)"),
        (b'<svg xmlns="http://www.w3.org/2000/svg"/>', "format not allowed (SVG)"),
        (b'<?xml version="1.0"?>\n<!-- x --><svg/>', "format not allowed (SVG)"),
        (b"\0\0\0\x20ftypheic", "format not allowed (HEIC)"),
        (b"\x89PNG\r\n\x1a\n", "damaged PNG"),
    ],
)
def test_file_that_is_not_a_picture_says_why(data: bytes, reason: str) -> None:
    error = refusal(data)
    assert error.reason == reason
    assert error.problem == f"{reason}." and error.remedy


@pytest.mark.parametrize("format", FORMATS)
def test_a_truncated_picture_says_so(format: str) -> None:
    data = encode(noise(), format)
    name = "WebP" if format == "WEBP" else format
    assert refusal(data[: len(data) // 2]).reason in (f"truncated {name}", f"damaged {name}")
    assert refusal(encode(noise(), "JPEG")[:1000]).reason == "truncated JPEG"


@pytest.mark.fault(
    48,
    "SKIP",
    says="too large (…). Save a smaller copy of the picture.",
)
@pytest.mark.parametrize("side", [20_000, 65_000])
def test_a_bomb_is_refused_from_its_header(side: int) -> None:
    header = bomb(10)[:16] + side.to_bytes(4, "big") * 2 + bomb(10)[24:]
    error = refusal(header[:29] + zlib.crc32(header[12:29]).to_bytes(4, "big") + header[33:])
    assert (error.reason, error.fault) == (f"too large ({side} x {side})", "too large")


def test_large_webp_and_progressive_jpeg_are_refused_before_they_take_memory() -> None:
    webp = b"RIFF\x16\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0" + b"\xff\x3f\0" * 2
    assert refusal(webp).reason == "too large (16384 x 16384)"
    jpeg = bytearray(encode(noise(16, 16), "JPEG", progressive=True))
    start = jpeg.index(b"\xff\xc2") + 5
    jpeg[start : start + 4] = (9000).to_bytes(2, "big") * 2
    assert refusal(bytes(jpeg)).reason == "too large (9000 x 9000)"


@pytest.mark.fault(48, "HOLDS")
@pytest.mark.parametrize("case", ["bomb", "colour", "wide", "jpeg"])
def test_large_pictures_cost_at_most_300_megabytes(tmp_path: Path, case: str) -> None:
    """In a process of its own: 100 megapixels of 1 bit, 49 in colour with alpha, 98 of 16 bits."""
    data = {
        "bomb": lambda: bomb(10_000),
        "colour": lambda: encode(Image.new("RGBA", (7000, 7000)), "PNG", compress_level=1),
        "wide": lambda: encode(
            Image.fromarray(np.zeros((9900, 9900), np.uint16)), "PNG", compress_level=1
        ),
        "jpeg": lambda: encode(Image.new("RGB", (10_000, 10_000)), "JPEG"),
    }[case]()
    (tmp_path / "large").write_bytes(data)
    (tmp_path / "small").write_bytes(encode(noise(), "PNG"))
    program = """
        import sys
        from pathlib import Path
        from curation.loading.content.images import open_image
        def peak():
            lines = Path("/proc/self/status").read_text().splitlines()
            return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))
        small, large = (Path(each).read_bytes() for each in sys.argv[1:])
        open_image(small)
        before = peak()
        picture = open_image(large, size=512)
        print(picture.image.size, (peak() - before) // 1024)
    """
    command = [sys.executable, "-W", "error", "-c", textwrap.dedent(program)]
    files = [str(tmp_path / "small"), str(tmp_path / "large")]
    done = subprocess.run(command + files, capture_output=True, text=True, check=True)
    size, megabytes = done.stdout.rsplit(maxsplit=1)
    assert size == "(512, 512)"
    assert int(megabytes) <= 300
    assert case != "bomb" or len(data) < 13_000


def test_a_disk_that_stops_answering_gives_a_reason() -> None:
    class Broken(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            raise OSError(5, "Input/output error")

    for look in (open_image, check_image):
        with pytest.raises(ContentError, match="damaged file"):
            look(Broken())


def test_many_threads_open_pictures_at_once() -> None:
    files = [encode(noise(seed=seed), format) for seed in range(20) for format in FORMATS]
    with ThreadPoolExecutor(8) as pool:
        pictures = list(pool.map(open_image, files))
    assert all(picture.image.size == (60, 40) for picture in pictures)


@pytest.mark.filterwarnings("ignore:.*:UserWarning:PIL")
@settings(max_examples=300)
@given(st.data())
def test_any_bytes_give_a_picture_or_a_content_error(data: st.DataObject) -> None:
    """Bytes from nowhere, and real pictures with some bytes changed or cut off."""
    start = data.draw(st.sampled_from([b"", *[encode(noise(8, 6), each) for each in FORMATS]]))
    broken = bytearray(start)
    for place, value in data.draw(
        st.lists(st.tuples(st.integers(0, 300), st.integers(0, 255)), max_size=8)
    ):
        if place < len(broken):
            broken[place] = value
    end = data.draw(st.integers(0, len(broken)))
    tail = data.draw(st.binary(max_size=20))
    for look in (lambda each: open_image(each, size=16), check_image):
        try:
            look(bytes(broken[:end] + tail))
        except ContentError as error:
            assert error.reason and error.remedy
