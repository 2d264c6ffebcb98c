"""Look for a file that a loader can neither read nor refuse, guided by what its bytes reach.

    python devtools/fuzz.py --list                 what can be fuzzed
    python devtools/fuzz.py csv --seconds 60       one format
    python devtools/fuzz.py pictures --seconds 60

Any exception but a CurationError, more than 2 GB of memory or 20 seconds for one file is a find:
the command says why, names the file that caused it, and exits with a code other than 0. It needs
`pip install atheris` (Linux or macOS).
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import warnings
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))  # so that it runs as a script from any folder

try:
    import atheris
except ModuleNotFoundError:
    atheris = None

MAX_BYTES = 20_000  # of one file; the good ones have at most 5,000
MAX_SECONDS, MAX_MEGABYTES = 20, 2048


def list_targets() -> dict[str, list[str]]:
    """Return the names of the good files of each format; the first one for what is no format."""
    from curation.loading.formats.registry import find_format
    from devtools.damaged_files import WHOLE

    targets: dict[str, list[str]] = {"pictures": []}
    for name in WHOLE:
        found = find_format(name)
        kind = Path(name).stem if name.startswith(("classes", "curation")) else ""
        targets.setdefault(kind or (found.name if found else name), []).append(name)
    return targets


def make_file_test(names: list[str], root: Path) -> Callable[[bytes], None]:
    """Return what is called with each input; its first byte chooses the part the file plays."""
    from devtools.damaged_files import load_or_refuse, neighbours

    def load(data: bytes) -> None:
        name = names[data[0] % len(names)] if data else names[0]
        load_or_refuse(root, {name: data[1:], **neighbours(name)})

    return load


def open_picture(data: bytes) -> None:
    """Open a picture, or refuse it."""
    from curation.errors import ContentError
    from curation.loading.content.images import open_image

    try:
        open_image(data, size=64)
    except ContentError as error:
        assert error.reason and error.remedy


def write_seeds(target: str, names: list[str], folder: Path) -> None:
    """Write the good files that the search starts from."""
    from PIL import Image

    from devtools.damaged_files import WHOLE

    if target == "pictures":
        for format in ("JPEG", "PNG", "WEBP", "GIF", "BMP", "TIFF"):
            Image.linear_gradient("L").resize((16, 12)).save(file := BytesIO(), format)
            (folder / format).write_bytes(file.getvalue())
    for number, name in enumerate(names):
        (folder / name).write_bytes(bytes([number]) + WHOLE[name])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("format", nargs="?", help="see --list")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--list", action="store_true", help="print what can be fuzzed, and stop")
    options = parser.parse_args()
    if atheris is None:
        print("Fuzzing needs atheris: pip install atheris", file=sys.stderr)
        return 2
    with atheris.instrument_imports(include=["curation"]):
        targets = list_targets()
    if options.list or options.format not in targets:
        print(*targets, sep="\n")
        return 0 if options.list else 2
    found = Path(tempfile.gettempdir(), f"curation-fuzz-{options.format}-")
    with tempfile.TemporaryDirectory() as folder:
        seeds, data = Path(folder, "seeds"), Path(folder, "data")
        seeds.mkdir()
        names = targets[options.format]
        write_seeds(options.format, names, seeds)
        test = make_file_test(names, data) if names else open_picture
        arguments = [sys.argv[0], f"-max_total_time={options.seconds}", f"-max_len={MAX_BYTES}"]
        arguments += [f"-timeout={MAX_SECONDS}", f"-rss_limit_mb={MAX_MEGABYTES}"]
        arguments += [f"-artifact_prefix={found}", "-print_final_stats=1", str(seeds)]
        warnings.simplefilter("ignore")
        atheris.Setup(arguments, test)
        atheris.Fuzz()  # ends the process
    return 0


if __name__ == "__main__":
    sys.exit(main())
