"""Check that the intervals of an audit hold at every look, and how wide they are.

    python benchmarks/coverage.py [FOLDER] [--runs 500] [--quick] [--stopping | --speed]

Each setting is one dataset whose true labels are known. It is audited `--runs` times, each time
with another seed and up to 500 judged labels. An audit holds if the truth is inside the interval at
every look. Because an interval never leaves an earlier one, it is enough to check the last look;
`--every` checks each of the 500 looks as well, which takes a few hundred times as long.

Settings are simulated, and also read from FOLDER if it is given: `real/*.npz` with `pred_probs`,
`noisy_labels` and `true_labels`, and the verdicts of several people on MNIST in `mnist/`.

Two other ways are printed for comparison, both from a plain random sample of all examples: the
confidence sequence of Waudby-Smith and Ramdas (2020) for sampling without replacement (its width
after 200 labels), and Wilson's fixed-size interval watched from 10 to 500 labels.

A second table, the only one with `--stopping`, is about when to stop. Each dataset is reviewed in
the order of the queue, flagged labels first, until the advice of the Quality page says stop. The
cost is one for each review and 10 for each error left in. It is compared with reviewing every
label, with reviewing all that are flagged and the first 500, and with the cheapest place to stop
in hindsight. `--speed` times the figures of the Quality page at 1,281,167 examples instead.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaln, gammaln
from scipy.stats import binom

import curation
from curation.analysis.findings import METHODS, Findings
from curation.quality import Interval, Quality, estimate_quality, plan_audit
from curation.quality.method_comparison import compare_methods
from curation.quality.stopping import BATCH, Queue, advise, line_up
from devtools.simulation import Simulation, simulate

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

AUDIT_SIZE = 500
WIDTH_AFTER_LABELS = 200  # widths are compared after this many judged labels
WIDTH_RUNS = 100  # in this many runs
CONFIDENCE = 0.95
FULL_RUNS = 500
ERROR_VALUE = 10  # reviews that an error left in is worth
FIRST_REVIEWS = 50  # before advice is asked for
TOP = 500  # a fixed number of reviews, for comparison
FIGURES = ("total_errors", "missed_errors", "precision", "recall", "label_accuracy")


@dataclass(frozen=True)
class Setting:
    name: str
    findings: Findings
    wrong: Bools  # (n,) the truth
    human: bool  # whether the noise is that of people


SIMULATIONS = (
    Simulation("human", 0.001, 50_000, 10),
    Simulation("human", 0.01, 20_000, 10),
    Simulation("human", 0.09, 50_000, 10),
    Simulation("human", 0.09, 20_000, 10, strength=1),
    Simulation("human", 0.17, 50_000, 10, temperature=0.3),
    Simulation("human", 0.17, 20_000, 10, temperature=3),
    Simulation("human", 0.4, 50_000, 10),
    Simulation("human", 0.4, 20_000, 10, strength=1),
    Simulation("human", 0.4, 50_000, 100, temperature=0.3),
    Simulation("human", 0.1, 2_000, 2),
    Simulation("uniform", 0.001, 100_000, 10),
    Simulation("uniform", 0.02, 20_000, 100, strength=4),
    Simulation("uniform", 0.1, 2_000, 5, strength=1),
    Simulation("uniform", 0.4, 20_000, 10, temperature=0.3),
    Simulation("pairs", 0.003, 20_000, 10, temperature=0.3),
    Simulation("pairs", 0.1, 20_000, 2),
    Simulation("pairs", 0.2, 100_000, 20, temperature=3),
    Simulation("pairs", 0.4, 5_000, 10, strength=1),
)


def read_settings(folder: Path) -> Iterator[Setting]:
    """Read datasets with human noise, and what five people said about MNIST."""
    for path in sorted((folder / "real").glob("*.npz")) or sorted(folder.glob("*.npz")):
        with np.load(path, allow_pickle=False) as arrays:
            labels, true = (arrays[each].astype(int) for each in ("noisy_labels", "true_labels"))
            yield Setting(
                path.stem, curation.analyze(labels, arrays["pred_probs"]), labels != true, True
            )
    verdicts = folder / "mnist" / "verdicts.json"
    if verdicts.exists():
        votes = json.loads(verdicts.read_text())
        rows = np.array([int(name.split("-")[1]) for name in votes])
        wrong = np.array([each["given"] < sum(each.values()) / 2 for each in votes.values()])
        with np.load(folder / "mnist" / "mnist_test.npz", allow_pickle=False) as arrays:
            findings = curation.analyze(arrays["labels"][rows], arrays["pred_probs"][rows])
        yield Setting("verdicts on 100 MNIST labels", findings, wrong, False)


def measure_truth(setting: Setting) -> dict[str, float]:
    """Return the true value of every figure."""
    flagged, wrong = setting.findings.mask(), setting.wrong
    total, hits = int(wrong.sum()), int((wrong & flagged).sum())
    return {
        "total_errors": total,
        "missed_errors": total - hits,
        "precision": hits / flagged.sum() if flagged.any() else 1.0,
        "recall": hits / total if total else 1.0,
        "label_accuracy": 1 - total / len(wrong),
    }


def holds(interval: Interval, truth: float) -> bool:
    slack = 1e-9  # of shares, which are quotients
    return interval.low - slack <= truth <= interval.high + slack


def width(interval: Interval) -> float:
    return interval.high - interval.low


def audit(setting: Setting, seed: int, looks: list[int]) -> list[Quality]:
    """Return what an audit says at each look."""
    plan = plan_audit(setting.findings, size=AUDIT_SIZE, seed=seed)
    verdicts = {int(row): bool(setting.wrong[row]) for row in plan.rows}
    shown = [{row: verdicts[row] for row in plan.rows[:look].tolist()} for look in looks]
    return [estimate_quality(setting.findings, each, plan, confidence=CONFIDENCE) for each in shown]


def measure_uniform_sequence(wrong: Bools, size: int) -> int:
    """Return the width of the confidence sequence after a plain sample, drawn in this order.

    Waudby-Smith and Ramdas (2020), Theorem 3.1: a number of errors is rejected once its prior
    chance is at least 20 times its posterior chance. The prior is uniform.
    """
    drawn, looks = wrong[:WIDTH_AFTER_LABELS], np.arange(1, min(WIDTH_AFTER_LABELS, len(wrong)) + 1)
    found = np.cumsum(drawn)

    def reject(count: int) -> bool:
        left, rest = count - found, size - looks
        possible = (left >= 0) & (left <= rest)
        left = np.where(possible, left, 0)
        ratio = -np.log(size + 1) - _log_beta_binomial(left, rest, 1 + found, 1 + looks - found)
        return bool((ratio >= np.log(1 / (1 - CONFIDENCE))).any() or not possible.all())

    least, most = int(found[-1]), size - len(drawn) + int(found[-1])
    inside = min(max(round(size * found[-1] / len(drawn)), least), most)
    if reject(inside):
        return 0
    return bisect(reject, inside, most) - bisect(reject, inside, least)


def _log_beta_binomial(k: Floats, n: Floats, a: Floats, b: Floats) -> Floats:
    choose = gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)
    return choose + betaln(k + a, n - k + b) - betaln(a, b)


def bisect(reject: Callable[[int], bool], accepted: int, end: int) -> int:
    if not reject(end):
        return end
    while abs(end - accepted) > 1:
        middle = (accepted + end) // 2
        accepted, end = (accepted, middle) if reject(middle) else (middle, end)
    return accepted


def watch_fixed_interval(wrong: Bools, truth: float) -> bool:
    """Return whether Wilson's interval holds the true rate at every look from 10 to 500."""
    looks = np.arange(1, len(wrong) + 1)
    rate, z = np.cumsum(wrong) / looks, 1.959964
    centre = (rate + z**2 / (2 * looks)) / (1 + z**2 / looks)
    half = z * np.sqrt(rate * (1 - rate) / looks + z**2 / (4 * looks**2)) / (1 + z**2 / looks)
    return bool((np.abs(truth - centre) <= half)[9:].all())


def run_setting(setting: Setting, runs: int, every: bool) -> dict[str, float]:
    """Return the share of audits that hold, by figure, and widths against a plain sample."""
    truth, flagged = measure_truth(setting), setting.findings.mask()
    n = len(flagged)
    last, middle = min(AUDIT_SIZE, n), min(WIDTH_AFTER_LABELS, n // 2)
    held = dict.fromkeys([*FIGURES, "fixed"], 0)
    widths = []
    for seed in range(runs):
        looks = list(range(1, last + 1)) if every else [middle, last]
        looks = looks if every or seed < WIDTH_RUNS else [last]
        seen = audit(setting, seed, looks)
        for name in FIGURES:
            held[name] += all(holds(getattr(quality, name), truth[name]) for quality in seen)
        sample = np.random.default_rng([seed, 1]).permutation(n)[:last]
        held["fixed"] += watch_fixed_interval(setting.wrong[sample], setting.wrong.mean())
        if seed < WIDTH_RUNS:
            quality, sample = seen[looks.index(middle)], sample[:middle]
            unflagged = sample[~flagged[sample]]
            widths.append(
                [
                    width(quality.total_errors),
                    measure_uniform_sequence(setting.wrong[sample], n),
                    width(quality.missed_errors),
                    measure_uniform_sequence(setting.wrong[unflagged], int((~flagged).sum()))
                    if len(unflagged)
                    else 0,
                ]
            )
    total, plain_total, missed, plain_missed = np.mean(widths, axis=0)
    return {
        **{name: number / runs for name, number in held.items()},
        "width": total,
        "total_ratio": total / max(plain_total, 1),
        "missed_ratio": missed / max(plain_missed, 1),
        **{f"true_{name}": value for name, value in truth.items()},
    }


def chance_low(runs: int, share: float) -> float:
    """Return the share that is measured at most in one of 40 cells, by chance alone."""
    return float(binom.ppf(1 / 40, runs, share)) / runs


def print_table(settings: Iterator[Setting], runs: int, every: bool) -> bool:
    """Print a line for each setting as it is done; tell whether all limits are met."""
    print(
        f"Share of {runs} audits that hold the truth at every look up to {AUDIT_SIZE}; "
        f"width after {WIDTH_AFTER_LABELS}\nlabels as a share of a plain random sample's.\n"
    )
    heads = ("total", "missed", "prec.", "recall", "accur.", "fixed", "width", "ratio", "missed")
    print(f"{'setting':44}{'errors':>8}{'missed':>8}" + "".join(f"{head:>8}" for head in heads))
    ratios, least = [], 1.0
    for setting in settings:
        began = time.perf_counter()
        row = run_setting(setting, runs, every)
        cells = [f"{row[name]:8.3f}" for name in (*FIGURES, "fixed")]
        cells += [
            f"{row['width']:8.0f}",
            f"{row['total_ratio']:8.2f}",
            f"{row['missed_ratio']:8.2f}",
        ]
        counts = f"{row['true_total_errors']:8.0f}{row['true_missed_errors']:8.0f}"
        seconds = time.perf_counter() - began
        print(f"{setting.name:44}{counts}" + "".join(cells) + f"  ({seconds:.0f} s)", flush=True)
        least = min(least, *(row[name] for name in FIGURES))
        if setting.human:
            ratios.append((row["total_ratio"], row["missed_ratio"]))
    total, missed = np.mean(ratios, axis=0)
    print(f"\nLeast share that holds: {least:.3f} (limit 0.94)")
    if runs < FULL_RUNS:
        print(
            f"With {runs} audits of a setting, a true share of 0.95 is measured as "
            f"{chance_low(runs, 0.95):.2f} or less in one cell of 40."
        )
    print(f"Width against a plain sample, mean over human noise: total {total:.2f} (limit 0.75), ")
    print(f"missed {missed:.2f}")
    return bool(least >= 0.94 and total <= 0.75)


@dataclass(frozen=True)
class Stopped:
    """How far a way of reviewing went, what it left, and what both cost."""

    reviews: int
    errors_left: int

    @property
    def cost(self) -> int:
        return self.reviews + ERROR_VALUE * self.errors_left


def follow_advice(setting: Setting, queue: Queue) -> tuple[int, float]:
    """Return after how many reviews the advice says stop, and how often its forecast held.

    Advice is asked for again after each batch, or after a twentieth of what was advised.
    """
    wrong, done, held = setting.wrong[queue.rows], min(FIRST_REVIEWS, len(queue.rows)), []
    while True:
        rows = queue.rows[:done].tolist()
        verdicts = dict(zip(rows, wrong[:done].tolist(), strict=True))
        advice = advise(queue, verdicts, value=ERROR_VALUE)
        if advice is None or not advice.go_on:
            return done, float(np.mean(held)) if held else 1.0
        comes = int(wrong[done : done + advice.upcoming].sum())
        held.append(advice.low <= comes <= advice.high)
        done += max(min(BATCH, advice.best_reviews), advice.best_reviews // 20)


def measure_stopping(setting: Setting) -> tuple[dict[str, Stopped], float]:
    """Return each way of reviewing one dataset, and how often the forecast of a batch held."""
    queue = line_up(setting.findings)
    left = int(setting.wrong.sum()) - np.cumsum(setting.wrong[queue.rows])
    advised, held = follow_advice(setting, queue)
    best = int(np.argmin(np.arange(1, len(left) + 1) + ERROR_VALUE * left)) + 1
    ways = {
        "advised": advised,
        "all": len(left),
        "flagged": int(setting.findings.mask().sum()),
        f"top {TOP}": min(TOP, len(left)),
        "best": best,
    }
    return {
        name: Stopped(number, int(left[number - 1] if number else setting.wrong.sum()))
        for name, number in ways.items()
    }, held


def print_stopping(settings: Iterator[Setting]) -> None:
    """Print reviews spent, errors left and cost of each way, for each setting."""
    print(f"\nReviews / errors left / cost, if an error left in costs {ERROR_VALUE} reviews.\n")
    totals: dict[str, int] = {}
    for setting in settings:
        ways, held = measure_stopping(setting)
        cells = "  ".join(
            f"{name} {each.reviews:,} / {each.errors_left:,} / {each.cost:,}"
            for name, each in ways.items()
        )
        print(f"{setting.name}: {cells}  forecasts that held {held:.0%}", flush=True)
        for name, each in ways.items():
            totals[name] = totals.get(name, 0) + each.cost
    print("\nCost in all: " + ", ".join(f"{name} {cost:,}" for name, cost in totals.items()))


def print_speed(num_judged: int = 500) -> None:
    """Print how long each figure of the Quality page takes on as many examples as ImageNet has.

    Times are of the processor, the least of three. The findings are made from random scores,
    because reading a real matrix takes far longer than what is measured.
    """
    findings, wrong = make_large_findings(1_281_167, np.random.default_rng(0))
    plan = plan_audit(findings, size=num_judged, seed=7)
    verdicts = {row: bool(wrong[row]) for row in plan.rows.tolist()}
    queue = line_up(findings)
    work: dict[str, Callable[[], object]] = {
        "draw the plan": lambda: plan_audit(findings, size=num_judged, seed=7),
        "line up the queue": lambda: line_up(findings),
        "after each decision: estimate": lambda: estimate_quality(findings, verdicts, plan),
        "after each decision: advice": lambda: advise(queue, verdicts),
        "compare the five methods": lambda: compare_methods(findings, verdicts, plan),
    }
    for name, each in work.items():
        times = []
        for _ in range(3):
            began = time.process_time()
            each()
            times.append(time.process_time() - began)
        print(f"{name:32}{1000 * min(times):8.0f} ms")


def make_large_findings(size: int, rng: np.random.Generator) -> tuple[Findings, Bools]:
    """Return findings with scores like those of a model that is right nine times in ten."""
    small = curation.analyze([0, 1, 0, 1], [[0.9, 0.1], [0.2, 0.8], [0.4, 0.6], [0.1, 0.9]])
    own = rng.beta(4, 0.6, size)
    margin = own - (1 - own) * rng.uniform(0.2, 1, size)
    masks = {
        each: margin < cut for each, cut in zip(METHODS, (0, -0.2, -0.3, -0.4, -0.5), strict=True)
    }
    scores = {"self_confidence": own, "normalized_margin": margin, "log_margin": margin}
    large = replace(small, labels=rng.integers(0, 2, size), masks=masks, **scores)
    return large, rng.random(size) < np.clip(0.6 - own, 0.01, 1)


def make_settings(folder: Path | None, quick: bool) -> Iterator[Setting]:
    if folder is not None:
        yield from read_settings(folder)
    made = SIMULATIONS[2:18:5] if quick else SIMULATIONS
    for place, simulation in enumerate(made):
        given, probs, true = simulate(simulation, np.random.default_rng([2021, place]))
        yield Setting(
            simulation.name,
            curation.analyze(given, probs),
            given != true,
            simulation.noise == "human",
        )


def main() -> None:
    parser = argparse.ArgumentParser(description="Check the intervals of an audit.")
    parser.add_argument("folder", type=Path, nargs="?", help="real data; skipped if not given")
    parser.add_argument("--runs", type=int, help="audits of each setting")
    parser.add_argument("--quick", action="store_true", help="a few settings, 20 audits each")
    parser.add_argument("--every", action="store_true", help="check each look, not the last one")
    parser.add_argument("--stopping", action="store_true", help="only the table on when to stop")
    parser.add_argument("--speed", action="store_true", help="only how long each figure takes")
    options = parser.parse_args()
    if options.speed:
        print_speed()
        return
    runs = options.runs or (20 if options.quick else FULL_RUNS)
    met = options.stopping or print_table(
        make_settings(options.folder, options.quick), runs, options.every
    )
    print_stopping(make_settings(options.folder, options.quick))
    raise SystemExit(0 if met or options.quick else 1)


if __name__ == "__main__":
    main()
