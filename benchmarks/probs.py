"""Print how well wrong labels are found with the probabilities that Curation makes.

    python benchmarks/probs.py [--quick]
    python benchmarks/probs.py --scale [texts | pictures] [--rows N]

For each dataset with known wrong labels: average precision and AUROC of ranking all examples by
self-confidence, with each built-in model, with their average, and with cleanlab's CleanLearning on
the same linear model and features; then the agreement with the given labels and the seconds of
processor time. The table is in docs/probabilities.md.

With --scale, `curate probs` itself runs on 117,000 texts of ten words in 45 classes, and on 10,000
pictures of 32 to 224 pixels in ten classes, each in a process of its own; then its wall time,
processor time and peak memory are printed. Run it on a machine that does nothing else.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import curation
from curation.modelling.classifiers import choose_classifiers, make_estimator
from curation.modelling.cross_validation import cross_predict
from curation.modelling.example_features import find_features
from curation.modelling.folds import FOLDS, assign_folds, join_units
from curation.modelling.model_average import scale_out_of_fold
from curation.modelling.probability_maker import combine
from curation.modelling.text_features import count_words
from curation.paths import find_dashboard

HEADS = ("dataset", "probabilities", "AP", "AUROC", "agreement", "CPU seconds")


@dataclass(frozen=True)
class Task:
    """Features of examples, their given labels, and the true ones."""

    name: str
    kind: str
    features: Any
    labels: NDArray[np.int64]
    true_labels: NDArray[np.int64]
    copies: NDArray[np.int64]


def flip(labels: NDArray[np.int64], share: float, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return labels of which a share was replaced by the next class."""
    wrong = rng.random(len(labels)) < share
    return np.where(wrong, (labels + 1) % (labels.max() + 1), labels)


def read_demo(name: str) -> Task:
    """Return a demo dataset, whose true labels are known."""
    data = curation.load_labelled(find_dashboard() / "demo_data" / name)
    found = find_features(data, None, lambda share: None)
    assert data.true_labels is not None
    return Task(
        f"demo {name}", found.kind, found.matrix, data.labels, data.true_labels, found.copies
    )


def make_digits(rng: np.random.Generator) -> Task:
    """Return scikit-learn's digits, 8 by 8 pixels, with one label in ten wrong."""
    from sklearn.datasets import load_digits

    pixels, true = load_digits(return_X_y=True)
    true = true.astype(np.int64)
    name, rows = "digits, 10 % wrong", np.arange(len(true))
    return Task(name, "dense", pixels.astype(np.float32), flip(true, 0.1, rng), true, rows)


def make_texts(rng: np.random.Generator, *, n: int = 4000, m: int = 10) -> Task:
    """Return texts of twelve words, of which each class prefers some, with one in ten wrong."""
    letters = np.array(list("abcdefghiklmnoprstu"))
    words = np.array(["".join(rng.choice(letters, rng.integers(3, 9))) for _ in range(3000)])
    usual = 1 / np.arange(1, len(words) + 1)
    true = rng.integers(0, m, n)
    places = rng.choice(len(words), size=(n, 12), p=usual / usual.sum())
    own = rng.random(places.shape) < 0.25
    places = np.where(own, (places + 211 * (true[:, None] + 1)) % len(words), places)
    counts = count_words([" ".join(row) for row in words[places]], lambda share: None)
    name = "simulated texts, 10 % wrong"
    return Task(name, "text", counts, flip(true, 0.1, rng), true, np.arange(n))


def measure(task: Task) -> Iterator[list[str]]:
    """Yield a row for each way to get probabilities."""
    wide = int(task.labels.max()) + 1
    rng = np.random.default_rng(0)
    held = assign_folds(task.labels, join_units(task.copies), wide, folds=FOLDS, rng=rng)
    usable = np.ones(len(task.labels), bool)
    chosen = choose_classifiers(task.kind, None)
    matrices, seconds = [], []
    for each in chosen:
        start = time.process_time()
        matrices.append(cross_predict(each, task.features, task.labels, held, usable, wide))
        seconds.append(time.process_time() - start)
        scaled = scale_out_of_fold(task.labels, matrices[-1], held).pred_probs
        yield _row(task, each.name, scaled, seconds[-1])
    average, _ = combine(task.labels, matrices, held, [each.name for each in chosen])
    if len(chosen) > 1:
        yield _row(task, "their average", average, sum(seconds))
    yield _run_cleanlab(task, lambda: make_estimator(chosen[0], 0), chosen[0].name)


def _run_cleanlab(task: Task, make: Callable[[], Any], name: str) -> list[str]:
    from cleanlab.classification import CleanLearning

    start = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        learner = CleanLearning(make(), cv_n_folds=FOLDS, seed=0)
        found = learner.find_label_issues(task.features, task.labels)
    spent = time.process_time() - start
    agreement = float((found["predicted_label"] == task.labels).mean())
    scores = -found["label_quality"].to_numpy()
    return _write(task, f"cleanlab's CleanLearning, {name}", scores, agreement, spent)


def _row(task: Task, name: str, pred_probs: Any, seconds: float) -> list[str]:
    own = pred_probs[np.arange(len(task.labels)), task.labels]
    agreement = float((pred_probs.argmax(axis=1) == task.labels).mean())
    return _write(task, name, -own, agreement, seconds)


def _write(task: Task, name: str, suspicion: Any, agreement: float, seconds: float) -> list[str]:
    from sklearn.metrics import average_precision_score, roc_auc_score

    wrong = task.labels != task.true_labels
    precision = average_precision_score(wrong, suspicion)
    area = roc_auc_score(wrong, suspicion)
    numbers = (f"{precision:.3f}", f"{area:.3f}", f"{agreement:.1%}", f"{seconds:.1f}")
    return [task.name, name, *numbers]


def write_texts(root: Path, rows: int) -> Path:
    """Write a table of short texts in 45 classes, each of which prefers some words."""
    rng = np.random.default_rng(0)
    letters = np.array(list("abcdefghiklmnoprstu"))
    words = np.array(["".join(rng.choice(letters, rng.integers(3, 9))) for _ in range(20_000)])
    usual = 1 / np.arange(1, len(words) + 1)
    labels = rng.integers(0, 45, rows)
    places = rng.choice(len(words), size=(rows, 10), p=usual / usual.sum())
    own = rng.random(places.shape) < 0.4
    places = np.where(own, (places + 211 * (labels[:, None] + 1)) % len(words), places)
    with (root / "texts.csv").open("w") as file:
        file.write("id,label,text\n")
        for row, label in enumerate(labels.tolist()):
            file.write(f"t{row},class {label},{' '.join(words[places[row]])}\n")
    return root


def write_pictures(root: Path, rows: int) -> Path:
    """Write class folders of JPEG files of 32 to 224 pixels: stripes of ten directions."""
    from PIL import Image

    rng = np.random.default_rng(0)
    for label in range(10):
        (root / f"class {label}").mkdir()
    for row in range(rows):
        side, label = int(rng.integers(32, 225)), row % 10
        down, right = np.indices((side, side)) / side
        angle = np.pi * label / 10
        wave = np.sin(12 * (right * np.cos(angle) + down * np.sin(angle)) + rng.uniform(0, 6))
        noise = rng.normal(scale=40, size=(side, side, 3))
        pixels = np.clip(128 + 70 * wave[..., None] + noise, 0, 255).astype(np.uint8)
        Image.fromarray(pixels).save(root / f"class {label}" / f"{row}.jpg", quality=85)
    return root


SCALES: dict[str, tuple[int, Callable[[Path, int], Path]]] = {
    "texts": (117_000, write_texts),
    "pictures": (10_000, write_pictures),
}


def measure_scale(kind: str, rows: int | None) -> list[str]:
    """Return how long `curate probs` takes on data of a size, and its peak memory."""
    usual, write = SCALES[kind]
    rows = rows or usual
    with tempfile.TemporaryDirectory() as folder:
        root = write(Path(folder), rows)
        home = {"XDG_CACHE_HOME": str(root / ".cache"), "XDG_DATA_HOME": str(root / ".data")}
        code = "import sys; from curation.cli import main; sys.exit(main(sys.argv[1:]))"
        command = [sys.executable, "-c", code, "probs", str(root)]
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=os.environ | home)
        wall = time.perf_counter() - start
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = spent.ru_utime + spent.ru_stime - before.ru_utime - before.ru_stime
    peak = spent.ru_maxrss / 2**20  # of the largest child so far, in GB; kilobytes on Linux
    return [f"{rows:,} {kind}", f"{wall:.0f}", f"{cpu:.0f}", f"{peak:.2f}"]


def show_scale(kinds: list[str], rows: int | None) -> None:
    """Print a table of time and memory; the load of the machine stands below it."""
    print("| data | wall seconds | CPU seconds | peak GB |\n|---|---:|---:|---:|", flush=True)
    for kind in sorted(kinds):  # the smaller peak first: it is that of all children so far
        print(f"| {' | '.join(measure_scale(kind, rows))} |", flush=True)
    print(f"\n{os.cpu_count()} cores; load in the last minute {os.getloadavg()[0]:.1f}.")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="only the digits")
    parser.add_argument("--scale", nargs="*", choices=list(SCALES), help="time and memory instead")
    parser.add_argument("--rows", type=int, help="how many with --scale, if not the usual number")
    options = parser.parse_args()
    if options.scale is not None:
        show_scale(options.scale or list(SCALES), options.rows)
        return
    quick = options.quick
    rng = np.random.default_rng(0)
    print(f"| {' | '.join(HEADS)} |\n|---|---|---:|---:|---:|---:|", flush=True)
    tasks: list[Callable[[], Task]] = [lambda: make_digits(rng)]
    if not quick:
        tasks += [lambda: read_demo("objects"), lambda: read_demo("reviews")]
        tasks += [lambda: make_texts(rng)]
    for task in tasks:
        for row in measure(task()):
            print(f"| {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()
