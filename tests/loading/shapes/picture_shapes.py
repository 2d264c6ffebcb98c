"""Pictures as files elsewhere, as arrays, and as columns of pixels."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image

from tests.loading.shapes.shape_list import (
    GIVEN,
    LABELS,
    NAMES,
    N,
    csv,
    save_probs,
    shape,
    write,
)  # fmt: skip

NUMBERS = ("0", "1", "2")
RNG = np.random.default_rng(1)
SQUARES = RNG.integers(0, 256, (N, 8, 8), dtype=np.uint8)


def save_pictures(folder: Path) -> list[str]:
    """Save a picture of each example, and return their names under the folder."""
    names = [f"{NAMES[k % 3]}/{k:02}.png" for k in range(N)]
    for name, pixels in zip(names, SQUARES, strict=True):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        Image.fromarray(pixels).save(folder / name)
    return names


@shape("paths of another machine", kind="image", code="content.suffix")
def _(at: Path) -> None:
    names = save_pictures(at / "images")
    paths = [f"/home/alice/proj/images/{name}" for name in names]
    write(at, "labels.csv", csv("path,label", paths, LABELS))
    save_probs(at)


@shape("paths of another machine, with Windows separators", kind="image", code="content.suffix")
def _(at: Path) -> None:
    names = save_pictures(at / "pets")
    paths = ["C:\\Users\\Al\\pets\\" + name.replace("/", "\\") for name in names]
    write(at, "labels.csv", csv("path,label", paths, LABELS))
    save_probs(at)


@shape("addresses in a bucket", kind="image", code="content.suffix")
def _(at: Path) -> None:
    names = save_pictures(at / "images")
    paths = [f"s3://bucket/v2/images/{name}" for name in names]
    write(at, "labels.csv", csv("image,label", paths, LABELS))
    save_probs(at)


@shape("Label Studio's local files", kind="image", code="content.suffix")
def _(at: Path) -> None:
    names = save_pictures(at / "images")
    paths = [f"/data/local-files/?d=images/{name}" for name in names]
    write(at, "labels.csv", csv("image,label", paths, LABELS))
    save_probs(at)


@shape(
    "pictures in another folder that a person named", kind="image", code="content.elsewhere",
    opens="data", overrides={"image_root": "../pictures"},
)  # fmt: skip
def _(at: Path) -> None:
    names = save_pictures(at / "pictures")
    write(at, "data/labels.csv", csv("path,label", names, LABELS))
    save_probs(at / "data")


@shape(
    "a link to another folder that a person named", kind="image", code="content.elsewhere",
    opens="data", overrides={"image_root": "images"},
)  # fmt: skip
def _(at: Path) -> None:
    names = save_pictures(at / "pictures")
    write(at, "data/labels.csv", csv("path,label", names, LABELS))
    (at / "data" / "images").symlink_to(at / "pictures")
    save_probs(at / "data")


@shape(
    "a curation.toml that names another folder",
    kind="image",
    code="content.elsewhere",
    opens="data",
)
def _(at: Path) -> None:
    names = save_pictures(at / "pictures")
    write(at, "data/labels.csv", csv("path,label", names, LABELS))
    write(at, "data/curation.toml", 'image_root = "../pictures"\n')
    save_probs(at / "data")


@shape(
    "a link to another folder that nobody named", kind="image", code="content.outside", opens="data"
)
def _(at: Path) -> None:
    names = save_pictures(at / "pictures")
    paths = [f"images/{name}" for name in names]
    write(at, "data/labels.csv", csv("path,label", paths, LABELS))
    (at / "data" / "images").symlink_to(at / "pictures")
    save_probs(at / "data")


@shape("CVAT's ImageNet: folders, and a list in another order", kind="image")
def _(at: Path) -> None:
    write(at, "synsets.txt", "cat\ndog\neel\n")
    files = [f"{LABELS[k]}/{k}.png" for k in range(36)]
    write(at, "train.txt", "".join(f"{file} {y}\n" for file, y in zip(files, GIVEN, strict=True)))
    for k, file in enumerate(files):
        (at / file).parent.mkdir(exist_ok=True)
        Image.new("L", (4, 4), k).save(at / file)
    save_probs(at)


@shape("pictures in train and test, without classes", asks="folder.no_labels", says="cat.21.jpg")
def _(at: Path) -> None:
    for k in range(36):
        write(at, f"{'train' if k < 20 else 'test'}/{LABELS[k]}.{k}.jpg", "")


@shape("boxes as YOLO stores them", asks="folder.no_labels", says="only folders")
def _(at: Path) -> None:
    for k in range(12):
        split = "train" if k < 8 else "val"
        write(at, f"images/{split}/{k}.jpg", "")
        write(at, f"labels/{split}/{k}.txt", "0 0.5 0.5 0.1 0.1\n")


@shape("pictures whose names have no ending", kind="image")
def _(at: Path) -> None:
    (at / "images").mkdir()
    for k in range(36):
        Image.new("L", (4, 4), k).save(at / f"images/e{k}", "PNG")
    write(at, "train.csv", csv("image,label", [f"e{k}" for k in range(36)], LABELS))
    save_probs(at)


@shape("MNIST as an .npz", kind="image", classes=NUMBERS, opens="mnist.npz")
def _(at: Path) -> None:
    from tests.loading.shapes.shape_list import PROBS

    np.savez(at / "mnist.npz", images=SQUARES, labels=GIVEN, pred_probs=PROBS)


@shape("x_test.npy and y_test.npy", kind="image", classes=NUMBERS, code="content.pixels")
def _(at: Path) -> None:
    np.save(at / "x_test.npy", SQUARES)
    np.save(at / "y_test.npy", GIVEN)
    save_probs(at)


@shape("x_train.npy in colour, channels first, from 0 to 1", kind="image", classes=NUMBERS)
def _(at: Path) -> None:
    np.save(at / "x_train.npy", RNG.random((N, 3, 8, 8), dtype=np.float32))
    np.save(at / "y_train.npy", GIVEN)
    save_probs(at)


@shape("scikit-learn's digits, a row for each picture", kind="image", classes=NUMBERS)
def _(at: Path) -> None:
    np.save(at / "X.npy", RNG.integers(0, 17, (N, 64)).astype(float))
    np.save(at / "y.npy", GIVEN)
    save_probs(at)


@shape("features that are no pictures", classes=NUMBERS)
def _(at: Path) -> None:
    np.save(at / "X.npy", RNG.normal(size=(N, 64)))
    np.save(at / "y.npy", GIVEN)
    save_probs(at)


@shape(
    "Kaggle's MNIST, a column for each pixel", kind="image", classes=NUMBERS, code="content.pixels"
)
def _(at: Path) -> None:
    header = "label," + ",".join(f"pixel{k}" for k in range(64))
    write(at, "train.csv", csv(header, GIVEN, *SQUARES.reshape(N, 64).T))
    save_probs(at)


@shape("columns called 1x1 to 8x8", kind="image", classes=NUMBERS, code="content.pixels")
def _(at: Path) -> None:
    header = "label," + ",".join(f"{r}x{c}" for r in range(1, 9) for c in range(1, 9))
    write(at, "train.csv", csv(header, GIVEN, *SQUARES.reshape(N, 64).T))
    save_probs(at)
