"""Print the time and memory of `curation.analyze`, cleanlab and one pass over the data.

    python benchmarks/speed.py            everything; needs 6 GB of disk for the ImageNet-sized file
    python benchmarks/speed.py --quick    the same code on small data, in seconds

Every figure is a ratio or is shown next to others of the same run: a pass is `pred_probs.sum()`.
"cleanlab" is `find_label_issues` by the method "both"; "low memory" its batched variant, which
finds what one method flags. This package makes the flags of all five methods. Each runs in its own
process, so that its memory is counted separately. Memory is what the process and its children
allocate beyond the input (proportional set size of anonymous pages, sampled every 20 ms; Linux
only).

Why numpy alone: numba adds 207 MB to an installation, 0.5 s to each start and, as long as its cache
is empty, 5 to 9 s of compilation to the first analysis. A kernel that does all of `count_examples`
in one loop over the cells took a tenth of its processor time for 100,000 x 2, nine tenths for
1,000,000 x 10 and nine times as much for 200,000 x 1,000, because its comparisons are not
vectorized. So it could not replace the numpy code, and two ways to compute the same are not worth
two milliseconds.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import psutil

from devtools.large_data import make_data

REPEATS = 5
CLEANLAB_REPEATS = 2
IMAGENET = (1_281_167, 1000)
SHAPES = ((100_000, 2), (1_000_000, 10), (200_000, 100), (1_000_000, 100), (200_000, 1000))


def run_ours(labels: Any, pred_probs: Any) -> None:
    import curation

    findings = curation.analyze(labels, pred_probs)  # all five masks are made here
    findings.issues("both", "normalized_margin")


def run_cleanlab(labels: Any, pred_probs: Any) -> None:
    from cleanlab.filter import find_label_issues

    find_label_issues(
        labels, pred_probs, filter_by="both", return_indices_ranked_by="normalized_margin"
    )


def run_low_memory(labels: Any, pred_probs: Any) -> None:
    from cleanlab.experimental.label_issues_batched import find_label_issues_batched

    find_label_issues_batched(labels, pred_probs, verbose=False)


RUNNERS: dict[str, Callable[[Any, Any], None]] = {
    "ours": run_ours,
    "cleanlab": run_cleanlab,
    "low memory": run_low_memory,
}


def best_time(work: Callable[[], Any], repeats: int) -> float:
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def own_memory(process: psutil.Process) -> int:
    """Return the anonymous memory of a process and its children, shared pages counted once."""
    total = 0
    for each in [process, *process.children(recursive=True)]:
        try:
            lines = Path(f"/proc/{each.pid}/smaps_rollup").read_text().splitlines()
        except OSError:  # it ended meanwhile, or this is not Linux
            continue
        total += sum(int(line.split()[1]) for line in lines if line.startswith("Pss_Anon:"))
    return total * 1024


@contextmanager
def watch_memory() -> Iterator[dict[str, int]]:
    """Note the most memory held, beyond what was held at the start."""
    process = psutil.Process()
    before = own_memory(process)
    seen = {"peak": 0}
    stop = threading.Event()

    def sample() -> None:
        while not stop.wait(0.02):
            seen["peak"] = max(seen["peak"], own_memory(process) - before)

    thread = threading.Thread(target=sample)
    thread.start()
    try:
        yield seen
    finally:
        stop.set()
        thread.join()


def measure(name: str, folder: Path, mapped: bool) -> dict[str, float]:
    """Return seconds, seconds of a pass and peak memory of one runner, in this process."""
    pred_probs = np.load(folder / "probs.npy", mmap_mode="r" if mapped else None)
    labels = np.load(folder / "labels.npy")
    tiny = np.random.default_rng(0).dirichlet([1, 1, 1], 30)
    RUNNERS[name](np.arange(30) % 3, tiny)  # imports are not counted
    a_pass = best_time(lambda: pred_probs.sum(dtype=pred_probs.dtype), REPEATS)
    repeats = REPEATS if name == "ours" else CLEANLAB_REPEATS
    seconds = best_time(lambda: RUNNERS[name](labels, pred_probs), repeats)
    with watch_memory() as memory:  # in a second run, because watching takes time
        RUNNERS[name](labels, pred_probs)
    return {"seconds": seconds, "pass": a_pass, "memory": memory["peak"]}


def measure_apart(name: str, folder: Path, *, mapped: bool = False) -> dict[str, float]:
    """Measure in a separate process."""
    command = [sys.executable, __file__, "--measure", name, str(folder)]
    run = subprocess.run(command + (["--mapped"] if mapped else []), capture_output=True, text=True)
    if run.returncode:
        sys.exit(run.stderr)  # otherwise it is cleanlab's progress bars and warnings
    result: dict[str, float] = json.loads(run.stdout.splitlines()[-1])
    return result


def compare_with_cleanlab(folder: Path, shapes: list[tuple[int, int]]) -> None:
    """Print seconds, ratios and memory for each shape."""
    print(f"float32, {os.cpu_count()} cores; seconds, and how many times as fast we are")
    heads = ("pass", "cleanlab", "low memory", "ours", "passes", "x cleanlab", "x low mem.", "MB")
    print(f"{'shape':>20}" + "".join(f"{head:>11}" for head in heads) + f"{'MB cleanlab':>13}")
    for n, m in shapes:
        make_data(folder, n, m)
        ours, theirs, low = (measure_apart(name, folder) for name in RUNNERS)
        a_pass = min(each["pass"] for each in (ours, theirs, low))
        times = (a_pass, theirs["seconds"], low["seconds"], ours["seconds"])
        ratios = [ours["seconds"] / a_pass]
        ratios += [each["seconds"] / ours["seconds"] for each in (theirs, low)]
        print(
            f"{f'{n:,} x {m:,}':>20}"
            + "".join(f"{each:11.4f}" for each in times)
            + "".join(f"{each:11.1f}" for each in ratios)
            + f"{ours['memory'] / 1e6:11,.0f}{theirs['memory'] / 1e6:13,.0f}",
            flush=True,
        )


def print_growth(folder: Path, rows: list[int], classes: list[int]) -> None:
    print("\nhow the cost grows (ns for each cell of the matrix: constant means linear)")
    print(f"{'n':>12}{'m':>8}{'seconds':>12}{'passes':>10}{'ns a cell':>12}")
    for m in classes:
        for n in rows:
            make_data(folder, n, m)
            print_row(n, m, measure_apart("ours", folder))


def print_row(n: int, m: int, result: dict[str, float]) -> None:
    passes, per_cell = result["seconds"] / result["pass"], 1e9 * result["seconds"] / (n * m)
    print(f"{n:12,}{m:8,}{result['seconds']:12.3f}{passes:10.1f}{per_cell:12.2f}")


def print_mapped(folder: Path, n: int, m: int) -> None:
    make_data(folder, n, m)
    result = measure_apart("ours", folder, mapped=True)
    size = (folder / "probs.npy").stat().st_size
    print(f"\nfrom a memory-mapped file of {size / 1e9:.2f} GB, in the page cache")
    print_row(n, m, result)
    print(f"own memory: {result['memory'] / 1e6:,.0f} MB")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--measure", nargs=2, help=argparse.SUPPRESS)
    parser.add_argument("--mapped", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        name, folder = options.measure
        print(json.dumps(measure(name, Path(folder), options.mapped)))
        return
    scale = 100 if options.quick else 1
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        compare_with_cleanlab(folder, [(n // scale, m) for n, m in SHAPES])
        print_growth(
            folder, [each // scale for each in (50_000, 100_000, 200_000)], [10, 100, 1000]
        )
        print_mapped(folder, IMAGENET[0] // scale, IMAGENET[1])


if __name__ == "__main__":
    main()
