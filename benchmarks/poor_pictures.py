"""Compare the pictures that are found dark, blurry or odd with those that cleanvision finds.

    python benchmarks/poor_pictures.py [MNIST.npz]

Three sets of pictures: the drawn objects of the demo data; pieces of the two photographs that come
with scikit-learn, every third of them made darker, blurred, stretched or enlarged by a random
amount; and the `images` of an .npz, if one is named. For each kind it prints how many pictures
Curation finds, how many cleanvision finds, how many are the same, and on which share of all
pictures both say the same. The table is in docs/neighbours.md; it needs the extra `bench`.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from PIL import Image, ImageEnhance, ImageFilter

from curation.loading.content.sources import ImageFiles
from curation.neighbours.picture_quality import KINDS, PictureQuality, measure_pictures
from devtools.serving import ROOT

THEIRS = dict(zip(KINDS, ("dark", "blurry", "odd_size", "odd_aspect_ratio"), strict=True))
PIECES = 400  # of each photograph
SIDE = 160  # pixels of a piece


def cut_photographs(folder: Path) -> None:
    """Write pieces of real photographs, every third of them spoilt in one way."""
    from sklearn.datasets import load_sample_images

    rng = np.random.default_rng(0)
    for number, pixels in enumerate(load_sample_images().images):
        photograph = Image.fromarray(pixels)
        for piece in range(PIECES):
            x, y = (int(rng.integers(0, side - SIDE)) for side in photograph.size)
            image = photograph.crop((x, y, x + SIDE, y + SIDE))
            if piece % 3 == 0:
                image = spoil(image, rng)
            image.save(folder / f"{number}-{piece:03}.png")


def spoil(image: Image.Image, rng: np.random.Generator) -> Image.Image:
    """Return a picture that is darker, blurred, stretched or enlarged by a random amount."""
    how, amount = int(rng.integers(4)), float(rng.random())
    if how == 0:
        return ImageEnhance.Brightness(image).enhance(0.1 + 0.6 * amount)
    if how == 1:
        return image.filter(ImageFilter.GaussianBlur(1 + 9 * amount))
    longer = round(SIDE * (1 + 7 * amount))
    return image.resize((longer, SIDE if how == 2 else longer))


def write_array(path: Path, folder: Path) -> None:
    """Write the pictures of an .npz as files, as cleanvision reads them."""
    with np.load(path, allow_pickle=False) as arrays:
        for row, pixels in enumerate(arrays["images"]):
            Image.fromarray(pixels).save(folder / f"{row:05}.png")


def find_ours(folder: Path, names: list[str]) -> dict[str, set[str]]:
    measures = measure_pictures(ImageFiles(folder, names), lambda share: None)
    found = PictureQuality(measures).severity < 1
    return {
        kind: {names[row] for row in np.flatnonzero(found[:, place])}
        for place, kind in enumerate(KINDS)
    }


def find_theirs(folder: Path) -> dict[str, set[str]]:
    from cleanvision import Imagelab

    quiet = io.StringIO()
    with contextlib.redirect_stdout(quiet), contextlib.redirect_stderr(quiet):
        lab = Imagelab(data_path=str(folder))
        lab.find_issues({each: {} for each in THEIRS.values()}, n_jobs=1)
    return {
        kind: {
            str(Path(path).relative_to(folder))
            for path in lab.issues.index[lab.issues[f"is_{theirs}_issue"]]
        }
        for kind, theirs in THEIRS.items()
    }


def compare(name: str, folder: Path) -> Iterator[str]:
    """Yield a line of the table for each kind of finding."""
    names = sorted(str(each.relative_to(folder)) for each in folder.rglob("*") if is_picture(each))
    ours, theirs = find_ours(folder, names), find_theirs(folder)
    for kind in KINDS:
        both = ours[kind] & theirs[kind]
        same = 1 - len(ours[kind] ^ theirs[kind]) / len(names)
        yield (
            f"| {name} | {kind} | {len(names):,} | {len(ours[kind]):,} | {len(theirs[kind]):,} | "
            f"{len(both):,} | {100 * same:.1f} % |"
        )


def is_picture(path: Path) -> bool:
    return path.suffix.lower() in (".png", ".jpg", ".jpeg")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("mnist", nargs="?", type=Path, help="an .npz with an array `images`")
    options = parser.parse_args()
    print("| pictures | kind | in all | Curation | cleanvision | both | same verdict |")
    print("|---|---|---:|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as place:
        photographs, array = Path(place, "photographs"), Path(place, "array")
        photographs.mkdir()
        array.mkdir()
        cut_photographs(photographs)
        demo = ROOT / "demo_data" / "objects"
        sets = {"pieces of photographs": photographs, "demo objects": demo}
        if options.mnist:
            write_array(options.mnist, array)
            sets[options.mnist.stem] = array
        for name, folder in sets.items():
            for line in compare(name, folder):
                print(line, flush=True)


if __name__ == "__main__":
    main()
