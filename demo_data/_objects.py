"""Drawn pictures of the class pairs that the paper's Table 4 found confused in ImageNet."""

from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from _creatures import draw_chameleon, draw_green_lizard, draw_horned_viper, draw_sidewinder
from _drawing import Pen, pick
from _features import picture_features
from _garments import draw_breastplate, draw_cuirass, draw_maillot
from _keyboards import draw_keyboard, draw_space_bar
from _maize import draw_corn, draw_ear
from _model import predict_out_of_sample
from _scenes import Picture, desk, leaves, photograph, planks, sand, sky, stone, studio, tiles
from _things import (
    draw_bathtub,
    draw_missile,
    draw_projectile,
    draw_tub,
)
from PIL import Image
from sklearn.ensemble import ExtraTreesClassifier

SEED = 20210414
JPEG_QUALITY = 82

Rng = np.random.Generator


@dataclass(frozen=True)
class DrawnClass:
    """One class: its WordNet id and name, how many pictures it has and how each is drawn."""

    id: str
    name: str
    count: int
    draw: Callable[[Pen, Rng], None]
    scenes: tuple[Callable[[Rng], Picture], ...]
    turns: tuple[float, float]  # from, to, in degrees clockwise; half of them are then mirrored
    scale: tuple[float, float] = (0.7, 0.95)


CLASSES = (
    DrawnClass("n04008634", "projectile", 118, draw_projectile, (studio, planks, stone), (-40, 40)),
    DrawnClass("n03773504", "missile", 132, draw_missile, (sky, sky, sky, sky, studio), (-65, -10)),
    DrawnClass("n04493381", "tub", 96, draw_tub, (studio, planks, stone, leaves, tiles), (-6, 6)),
    DrawnClass("n02808440", "bathtub", 124, draw_bathtub, (tiles, tiles, studio, planks), (-4, 4)),
    DrawnClass("n02895154", "breastplate", 92, draw_breastplate, (studio, stone, planks), (-8, 8)),
    DrawnClass("n03146219", "cuirass", 98, draw_cuirass, (studio, stone, planks), (-8, 8)),
    DrawnClass(
        "n01693334", "green_lizard", 110, draw_green_lizard, (stone, sand, leaves), (-180, 180)
    ),
    DrawnClass(
        "n01682714", "chameleon", 116, draw_chameleon, (leaves, leaves, sky, stone), (-12, 12)
    ),
    DrawnClass("n03710637", "maillot", 104, draw_maillot, (studio, planks, sand, tiles), (-8, 8)),
    DrawnClass("n03710721", "maillot", 104, draw_maillot, (studio, planks, sand, tiles), (-8, 8)),
    DrawnClass(
        "n01753488", "horned_viper", 84, draw_horned_viper, (sand, sand, stone), (-180, 180)
    ),
    DrawnClass("n01756291", "sidewinder", 88, draw_sidewinder, (sand,), (-25, 25)),
    DrawnClass("n12144580", "corn", 112, draw_corn, (planks, studio, leaves), (-20, 20)),
    DrawnClass("n13133613", "ear", 102, draw_ear, (planks, studio, leaves), (-50, 50)),
    DrawnClass("n04505470", "keyboard", 126, draw_keyboard, (desk, desk, stone), (-25, 25)),
    DrawnClass("n04264628", "space_bar", 94, draw_space_bar, (desk,), (-14, 14), (0.85, 1.15)),
)

# Of the pictures of a class (first), this share is given the label of another (second).
RELATED_ERRORS = {
    ("n03773504", "n04008634"): 0.22,  # a missile is a projectile
    ("n04008634", "n03773504"): 0.03,
    ("n02808440", "n04493381"): 0.20,  # a bathtub is a tub
    ("n04493381", "n02808440"): 0.03,
    ("n03146219", "n02895154"): 0.16,  # a cuirass has a breastplate
    ("n02895154", "n03146219"): 0.04,
    ("n01682714", "n01693334"): 0.10,  # both are lizards
    ("n01693334", "n01682714"): 0.10,
    ("n03710637", "n03710721"): 0.30,  # one class twice
    ("n03710721", "n03710637"): 0.30,
    ("n01756291", "n01753488"): 0.18,  # the sidewinder is a horned rattlesnake
    ("n01753488", "n01756291"): 0.04,
    ("n13133613", "n12144580"): 0.18,  # an ear of corn
    ("n12144580", "n13133613"): 0.04,
    ("n04264628", "n04505470"): 0.18,  # a space bar is part of a keyboard
    ("n04505470", "n04264628"): 0.03,
}
# Besides, this share of each class is given the label of an unrelated class.
UNRELATED_ERRORS = 0.03
UNRELATED_CLASSES = 2  # per class: real errors, too, fall on few of the possible pairs


def draw_example(drawn: DrawnClass, rng: Rng) -> Image.Image:
    """Return one new picture of the class."""
    x, y = rng.uniform(-0.08, 0.08, 2)
    pen = Pen(
        scale=float(rng.uniform(*drawn.scale)),
        turn=float(rng.uniform(*drawn.turns)),
        shift=(float(x), float(y)),
        mirrored=bool(rng.random() < 0.5),
        stretch=float(rng.uniform(0.9, 1.06)),
    )
    drawn.draw(pen, rng)
    return photograph(rng, pen, pick(rng, drawn.scenes)(rng))


def build_objects(folder: Path) -> None:
    """Write pictures, given and true labels, class names and probabilities."""
    (folder / "images").mkdir(parents=True)
    rng = np.random.default_rng(SEED)
    truth = rng.permutation(np.repeat(np.arange(len(CLASSES)), [each.count for each in CLASSES]))
    given = corrupt(truth, rng)
    paths = [folder / "images" / f"obj-{number:04d}.jpg" for number in range(1, len(truth) + 1)]
    with ProcessPoolExecutor() as pool:
        features = np.array(list(pool.map(_write_example, paths, truth.tolist(), chunksize=40)))
    trees = ExtraTreesClassifier(110, max_features=32, min_samples_leaf=2, random_state=SEED)
    pred_probs = predict_out_of_sample(trees, features, given, seed=SEED)
    np.save(folder / "probs.npy", pred_probs.astype(np.float32))
    _write_tables(folder, [path.stem for path in paths], given, truth)


def corrupt(truth: np.ndarray, rng: Rng) -> np.ndarray:
    """Return the labels as given: exactly the stated share of each class is changed."""
    given = truth.copy()
    for source, each in enumerate(CLASSES):
        rows = rng.permutation(np.flatnonzero(truth == source))
        for target, count in _planned_errors(source, each.count, rng):
            given[rows[:count]] = target
            rows = rows[count:]
    return given


def _planned_errors(source: int, count: int, rng: Rng) -> list[tuple[int, int]]:
    """Return (class, how many) for the wrong labels that pictures of one class are given."""
    order = [each.id for each in CLASSES]
    related = {
        order.index(to): share for (of, to), share in RELATED_ERRORS.items() if of == order[source]
    }
    unrelated = [target for target in range(len(CLASSES)) if target not in {source, *related}]
    shares = [round(count * UNRELATED_ERRORS) // UNRELATED_CLASSES] * UNRELATED_CLASSES
    shares[0] += round(count * UNRELATED_ERRORS) - sum(shares)
    targets = rng.choice(unrelated, UNRELATED_CLASSES, replace=False).tolist()
    planned = [(target, round(count * share)) for target, share in related.items()]
    return planned + list(zip(targets, shares, strict=True))


def _write_example(path: Path, source: int) -> np.ndarray:
    """Write the picture that the name's number seeds; return its features, read from the file."""
    rng = np.random.default_rng([SEED, int(path.stem.removeprefix("obj-"))])
    draw_example(CLASSES[source], rng).save(path, quality=JPEG_QUALITY)
    with Image.open(path) as picture:
        return picture_features(picture)


def _write_tables(folder: Path, ids: list[str], given: np.ndarray, truth: np.ndarray) -> None:
    names = np.array([each.id for each in CLASSES])
    images = [f"images/{name}.jpg" for name in ids]
    tables = {
        "labels.csv": {"id": ids, "image": images, "label": names[given]},
        "true_labels.csv": {"id": ids, "label": names[truth]},
        "classes.csv": {"id": names, "name": [each.name for each in CLASSES]},
    }
    for name, columns in tables.items():
        pd.DataFrame(columns).to_csv(folder / name, index=False, lineterminator="\n")
