"""Measure the search for neighbours, and what an order by neighbours is worth.

    python benchmarks/neighbours.py [--rows 1000000] [--columns 64]
    python benchmarks/neighbours.py --orders [FOLDER]
    python benchmarks/neighbours.py --map [--rows 100000]

The first finds the ten nearest of every row of clustered random numbers: time, processor time,
memory, and the share of the true nearest that were found, on a sample of 500 rows (recall@10). The
second prints the average precision of each order over all examples where the true labels are
known: handwritten digits with planted noise, the demo data, and each .npz in FOLDER, which holds
`pred_probs`, `noisy_labels` and `true_labels`. The third opens the Map page in Chromium: the bytes
that are sent, and the time to redraw. The tables are in docs/neighbours.md.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import curation
from curation.analysis.findings import ORDERS, Findings
from curation.neighbours import Neighbours
from curation.neighbours.compared_features import LOWEST_PROBABILITY
from curation.neighbours.nearest_rows import find_nearest
from devtools.serving import ROOT, Server, name_curator, open_browser
from devtools.truth import measure_average_precision

SAMPLE = 500
CLUSTERS, DIRECTIONS = 1000, 16
NOISE_RATES = (0.1, 0.3)
CHUNK = 50_000


def make_rows(size: int, wide: int) -> NDArray[np.float32]:
    """Return rows around 1,000 centres that differ in 16 directions, with noise in all."""
    rng = np.random.default_rng(0)
    centres = rng.normal(size=(CLUSTERS, DIRECTIONS)).astype(np.float32)
    turn = rng.normal(size=(DIRECTIONS, wide)).astype(np.float32) / 4
    rows = np.empty((size, wide), np.float32)
    for start in range(0, size, CHUNK):
        count = min(CHUNK, size - start)
        inside = 0.5 * rng.standard_normal((count, DIRECTIONS), np.float32)
        inside += centres[rng.integers(0, CLUSTERS, count)]
        noise = 0.1 * rng.standard_normal((count, wide), np.float32)
        rows[start : start + count] = inside @ turn + noise
    return rows


def measure_recall(rows: NDArray[np.float32], nearest: NDArray[np.int32]) -> float:
    """Return the share of the true nearest rows that were found, for a sample of rows."""
    squares = np.einsum("ij,ij->i", rows, rows)
    found = []
    for row in np.random.default_rng(1).choice(len(rows), SAMPLE, replace=False).tolist():
        distance = squares - 2 * (rows @ rows[row])
        distance[row] = np.inf
        true = np.argpartition(distance, nearest.shape[1])[: nearest.shape[1]]
        found.append(len(set(true.tolist()) & set(nearest[row].tolist())) / len(true))
    return float(np.mean(found))


def measure_search(size: int, wide: int) -> None:
    rows = make_rows(size, wide)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start, processor = time.perf_counter(), time.process_time()
    nearest, _ = find_nearest(rows, 10, lambda share: None)
    seconds, used = time.perf_counter() - start, time.process_time() - processor
    more = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    print(
        f"{size:,} x {wide}: {seconds:.0f} s, {used:.0f} s of processor time, "
        f"{more / 2**20:.2f} GB more than the rows, recall@10 {measure_recall(rows, nearest):.4f}"
    )


def measure_orders(
    name: str, findings: Findings, true_labels: NDArray[np.int64], neighbours: Neighbours
) -> list[str]:
    wrong = findings.labels != true_labels
    scores = [getattr(findings, order) for order in ORDERS]
    scores.append(curation.score_neighbours(findings, neighbours))
    cells = [f"{measure_average_precision(each, wrong):.3f}" for each in scores]
    return [name, neighbours.source, f"{len(wrong):,}", f"{int(wrong.sum()):,}", *cells]


def compare(features: NDArray[np.floating], source: str) -> Neighbours:
    """Return neighbours by features alone."""
    nearest, distances = find_nearest(features.astype(np.float32), 10, lambda share: None)
    places = np.zeros((len(features), 2), np.uint16)
    return Neighbours(nearest, distances, places, source, True, (), "")


def compare_probabilities(pred_probs: NDArray[np.floating]) -> Neighbours:
    logs = np.log(np.maximum(pred_probs, LOWEST_PROBABILITY))
    return compare(logs, "log probabilities")


def list_orders(folder: Path | None) -> Iterator[list[str]]:
    """Yield the cells of one dataset after the other."""
    yield from _measure_digits()
    for demo in ("objects", "reviews"):
        dataset = curation.load(ROOT / "demo_data" / demo)
        findings = curation.analyze(dataset.labels, dataset.pred_probs, dataset.class_ids)
        assert dataset.true_labels is not None
        own = curation.find_neighbours(dataset)
        yield measure_orders(f"demo {demo}", findings, dataset.true_labels, own)
    for path in sorted(folder.rglob("*.npz")) if folder else []:
        with np.load(path, allow_pickle=False) as arrays:
            if not {"pred_probs", "noisy_labels", "true_labels"} <= set(arrays):
                continue
            labels, true = (arrays[each].astype(int) for each in ("noisy_labels", "true_labels"))
            findings = curation.analyze(labels, arrays["pred_probs"])
            found = compare_probabilities(arrays["pred_probs"].astype(np.float32))
            yield measure_orders(path.stem, findings, true, found)


def _measure_digits() -> Iterator[list[str]]:
    from sklearn.datasets import load_digits
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import cross_val_predict

    pixels, true = load_digits(return_X_y=True)
    rng = np.random.default_rng(0)
    for rate in NOISE_RATES:
        labels = true.copy()
        moved = rng.random(len(labels)) < rate
        labels[moved] = (labels[moved] + rng.integers(1, 10, moved.sum())) % 10
        model = LogisticRegression(max_iter=3000)
        probs = cross_val_predict(model, pixels / 16, labels, cv=4, method="predict_proba")
        findings = curation.analyze(labels, probs)
        name = f"digits, {rate:.0%} of labels at random"
        yield measure_orders(name, findings, true, compare(pixels, "pixels"))
        yield measure_orders(name, findings, true, compare_probabilities(probs))


def print_table(heads: Sequence[str], rows: Iterator[Sequence[str]]) -> None:
    print(f"| {' | '.join(heads)} |\n|---|---|{'---:|' * (len(heads) - 2)}", flush=True)
    for row in rows:
        print(f"| {' | '.join(row)} |", flush=True)


def measure_map(size: int) -> None:
    """Open the map of log probabilities in Chromium, and redraw it many times."""
    rng = np.random.default_rng(0)
    logits = rng.normal(size=(size, 10)) + 4 * np.eye(10)[rng.integers(0, 10, size)]
    probs = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    with tempfile.TemporaryDirectory() as folder:
        np.save(Path(folder, "labels.npy"), logits.argmax(axis=1))
        np.save(Path(folder, "probs.npy"), probs.astype(np.float32))
        log = Path(folder, "server.log")
        with Server(Path(folder), log) as server, open_browser() as browser:
            context = browser.new_context(viewport={"width": 1440, "height": 900})
            name_curator(context, "ana")
            page = context.new_page()
            page.set_default_timeout(600_000)
            sent: list[int] = []
            page.on(
                "websocket",
                lambda socket: socket.on("framereceived", lambda f: sent.append(len(f))),
            )
            page.goto(server.url("Map"))
            page.wait_for_selector("canvas[data-drawn], .st-key-find-neighbours button")
            if page.locator(".st-key-find-neighbours button").count():
                page.locator(".st-key-find-neighbours button").first.click()
            canvas = page.locator("canvas[data-drawn]")
            canvas.wait_for()
            taken = []
            for step in range(20):
                page.locator(f"[data-do={'in' if step % 2 else 'out'}]").click()
                page.wait_for_timeout(100)
                taken.append(float(canvas.get_attribute("data-milliseconds") or "nan"))
            print(
                f"{canvas.get_attribute('data-drawn')} points: largest message {max(sent):,} "
                f"bytes, redrawn in {np.median(taken):.0f} ms (median), {max(taken):.0f} ms at most"
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--rows", type=int)
    parser.add_argument("--columns", type=int, default=64)
    parser.add_argument("--orders", action="store_true")
    parser.add_argument("--map", action="store_true")
    options = parser.parse_args()
    if options.orders:
        heads = ("dataset", "compared by", "examples", "wrong", *ORDERS, "neighbours")
        print_table(heads, list_orders(options.folder))
    elif options.map:
        measure_map(options.rows or 100_000)
    else:
        measure_search(options.rows or 1_000_000, options.columns)


if __name__ == "__main__":
    main()
