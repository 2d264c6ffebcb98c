"""`curate probs`: make out-of-sample probabilities for a dataset that has none."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from curation.cli.check import add_load_flags, on_one_line, read_load_flags
from curation.cli.progress_bar import choose_progress, clear_progress
from curation.errors import InputError

DESCRIPTION = (
    "Make out-of-sample probabilities by cross-validation, and save them where `curate PATH` "
    "finds them. If it is stopped with Ctrl-C or killed, the same command continues where it was."
)


def add_parser(commands: Any) -> None:
    """Add the command and its flags."""
    parser = commands.add_parser(
        "probs", help="make probabilities for a dataset that has none", description=DESCRIPTION
    )
    parser.add_argument("path", metavar="PATH", help="a folder, a table, or a curation.toml")
    parser.add_argument("--folds", type=int, default=4, help="number of folds (4)")
    parser.add_argument("--seed", type=int, default=0, help="the seed of the folds and models (0)")
    parser.add_argument("--models", nargs="+", metavar="NAME", help="which built-in models to use")
    parser.add_argument(
        "--estimator",
        metavar="MODULE:NAME",
        help="your own scikit-learn estimator; importing it runs its code",
    )
    parser.add_argument("--group-column", help="examples with the same value stay together")
    parser.add_argument(
        "--allow-rare", action="store_true", help="accept classes with a single example"
    )
    parser.add_argument(
        "--average",
        nargs="+",
        metavar="FILE",
        help="average these files of probabilities instead of training",
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help="the .npz to write")
    parser.add_argument("--replace", action="store_true", help="replace what was made before")
    add_load_flags(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Make the probabilities, and print what they are worth."""
    from curation.loading import load_labelled
    from curation.modelling import average_probs, make_probs

    progress = choose_progress()
    shared: dict[str, Any] = {
        "out": options.out,
        "replace": options.replace,
        "seed": options.seed,
        "progress": progress,
    }
    overrides = read_load_flags(options)
    try:
        if options.average:
            made = average_probs(options.path, options.average, **shared, **overrides)
        else:
            made = make_probs(
                load_labelled(options.path, **overrides),
                folds=options.folds,
                models=options.models,
                estimator=options.estimator,
                group_column=options.group_column,
                allow_rare=options.allow_rare,
                **shared,
            )
    except KeyboardInterrupt:
        raise InputError(
            "Stopped; nothing was saved.", "Run the same command again to continue."
        ) from None
    finally:
        clear_progress(progress)
    for line in (f"Saved as {made.path}.", *made.describe()):
        print(on_one_line(line))
    return 0
