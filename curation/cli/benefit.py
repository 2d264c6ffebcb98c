"""`curate benefit`: what cleaning the labels is worth to a model."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from curation.cli.check import add_load_flags, on_one_line, read_load_flags
from curation.cli.progress_bar import choose_progress, clear_progress
from curation.errors import InputError

if TYPE_CHECKING:
    from curation.dataset import Dataset
    from curation.modelling.benefit_result import Benefit, Score
    from curation.store import Entry

DESCRIPTION = (
    "Train the same model on the labels as given, without the issues that each method finds, "
    "without as many random examples, and with your decisions; compare them on held-out examples. "
    "If it is stopped with Ctrl-C or killed, the same command continues where it was."
)
HEADS = ("trained on", "accuracy", "gain", "95 % interval", "changed")
WIDTHS = (22, 16, 7, 17, 8)


def add_parser(commands: Any) -> None:
    """Add the command and its flags."""
    parser = commands.add_parser(
        "benefit", help="measure what cleaning is worth to a model", description=DESCRIPTION
    )
    parser.add_argument("path", metavar="PATH", help="a folder, a table, or a curation.toml")
    parser.add_argument(
        "--store", metavar="URL", help="where the decisions are, if not next to the dataset"
    )
    parser.add_argument(
        "--against",
        choices=("true", "split", "confirmed", "given"),
        help="what predictions are compared with; by default the most telling there is",
    )
    parser.add_argument("--method", default="confident_joint", help="which method to sum up")
    parser.add_argument("--runs", type=int, default=10, help="how often to repeat it (10)")
    parser.add_argument("--seed", type=int, default=0, help="the seed of the first run (0)")
    parser.add_argument("--model", metavar="NAME", help="which built-in model to train")
    parser.add_argument(
        "--estimator",
        metavar="MODULE:NAME",
        help="your own scikit-learn estimator; importing it runs its code",
    )
    parser.add_argument("--group-column", help="examples with the same value stay together")
    parser.add_argument("--json", action="store_true", help="print all figures as JSON")
    add_load_flags(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Measure what cleaning is worth, and print it."""
    from curation.analysis.saved_findings import analyze_dataset
    from curation.loading import load
    from curation.modelling import measure_benefit
    from curation.review.benefit_decisions import read_decided

    dataset = load(options.path, **read_load_flags(options))
    findings = analyze_dataset(dataset)
    progress = choose_progress()
    try:
        benefit = measure_benefit(
            dataset,
            decided=read_decided(dataset, findings, _read_log(options, dataset)),
            against=options.against,
            method=options.method,
            runs=options.runs,
            seed=options.seed,
            model=options.model,
            estimator=options.estimator,
            group_column=options.group_column,
            progress=progress,
        )
    except KeyboardInterrupt:
        raise InputError(
            "Stopped; the finished runs are kept.", "Run the same command again to continue."
        ) from None
    finally:
        clear_progress(progress)
    if options.json:
        print(json.dumps(to_record(benefit), indent=1))
        return 0
    for line in render(benefit):
        print(on_one_line(line))
    return 0


def _read_log(options: argparse.Namespace, dataset: Dataset) -> Sequence[Entry]:
    from curation.store import has_store, open_store

    if not has_store(dataset, options.store):  # nothing is written by asking
        return []
    with open_store(dataset, options.store) as store:
        return store.log()


def render(benefit: Benefit) -> Iterator[str]:
    """Yield the sentence, the table of the paper's Table 7, and how to read it."""
    yield benefit.sentence()
    said = benefit.decisions_sentence()
    if said:
        yield said
    yield ""
    yield _line(HEADS)
    for way in benefit.ways:
        yield _line(_cells(benefit.score(way)))
    yield ""
    yield from benefit.describe()


def _cells(score: Score) -> tuple[str, ...]:
    from curation.modelling.benefit_result import WAY_NAMES, write_points

    gain = score.gain
    changed = f"{score.changed:,.0f}"
    name = WAY_NAMES[score.arm.way]
    accuracy = f"{100 * score.accuracy:.1f} ± {100 * score.spread:.1f} %"
    if score.arm.way == "given":
        return (name, accuracy, "", "", changed)
    ends = f"{write_points(gain.low)} to {write_points(gain.high)}"
    return (name, accuracy, write_points(gain.estimate), ends, changed)


def _line(cells: Sequence[str]) -> str:
    first, *others = (cell for cell in cells)
    padded = [cell.rjust(width) for cell, width in zip(others, WIDTHS[1:], strict=True)]
    return "  ".join([first.ljust(WIDTHS[0]), *padded])


def to_record(benefit: Benefit) -> dict[str, Any]:
    """Return everything that was found, for other programs."""
    return {
        "sentence": benefit.sentence(),
        "decisions_sentence": benefit.decisions_sentence(),
        "against": benefit.against,
        "model": benefit.model,
        "method": benefit.method,
        "runs": len(benefit.trials),
        "held_out": benefit.num_held_out,
        "trained_on": benefit.num_trained,
        "notes": benefit.describe(),
        "scores": [
            {
                "trained_on": score.arm.way,
                "share": score.arm.share,
                "accuracy": score.accuracy,
                "standard_deviation": score.spread,
                "gain": [score.gain.estimate, score.gain.low, score.gain.high],
                "changed": score.changed,
            }
            for score in benefit.scores
        ],
    }
