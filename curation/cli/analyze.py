"""`curate analyze`: analyse a dataset beforehand, so that the dashboard opens it at once."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from curation import wording
from curation.cli.check import add_load_flags, on_one_line, read_load_flags
from curation.cli.progress_bar import choose_progress, clear_progress
from curation.errors import InputError

LOADING = 0.6  # the part of the progress bar that loading fills

DESCRIPTION = (
    "Load and analyse a dataset, print how many labels look wrong, and save the findings in its "
    "folder (.curation), or in your cache if that cannot be written. `curate PATH` then opens them "
    "at once, until a file of the dataset is changed."
)


def add_parser(commands: Any) -> None:
    """Add the command and its flags; each override of `load` is a flag."""
    parser = commands.add_parser(
        "analyze", help="analyse a dataset, so that it opens at once", description=DESCRIPTION
    )
    parser.add_argument("path", metavar="PATH", help="a folder, a table, or a curation.toml")
    parser.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="analyse numbered .npy shards on the Dask scheduler at this address, such as "
        "tcp://10.0.0.1:8786; every worker must see the shards under the same path",
    )
    add_load_flags(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Analyse the dataset unless that was done before, save the findings, print the headline."""
    try:
        return _run_on_cluster(options) if options.cluster else _run_here(options)
    except KeyboardInterrupt:
        raise InputError("Stopped; nothing was saved.", "Run the same command again.") from None


def _run_on_cluster(options: argparse.Namespace) -> int:
    from curation import analyze

    progress = choose_progress()
    try:
        written = analyze(
            options.path, cluster=options.cluster, progress=progress, **read_load_flags(options)
        )
    finally:
        clear_progress(progress)
    flagged = written.flagged["confident_joint"]
    for line in describe(
        written.num_examples, len(written.thresholds), written.estimated_errors, flagged
    ):
        print(line)
    print(on_one_line(_say_where(written.folder, options.path)))
    return 0


def _run_here(options: argparse.Namespace) -> int:
    from curation.analysis.saved_findings import analyze_dataset, reopen_findings, save_findings
    from curation.loading import load

    progress = choose_progress()
    saved: Path | None = None
    try:
        dataset = load(
            options.path,
            progress=lambda stage, share: progress(stage, LOADING * share),
            **read_load_flags(options),
        )
        findings = reopen_findings(dataset)
        is_new = findings is None
        if findings is None:
            findings = analyze_dataset(
                dataset,
                progress=lambda stage, share: progress(stage, LOADING + (1 - LOADING) * share),
            )
            saved = save_findings(dataset, findings)
    finally:
        clear_progress(progress)
    examples, flagged = len(findings.labels), int(findings.mask().sum())
    for line in describe(examples, len(findings.joint), findings.estimated_errors, flagged):
        print(line)
    print(on_one_line(_say_where(saved, options.path) if is_new else "They were saved before."))
    return 0


def describe(examples: int, classes: int, errors: float, flagged: int) -> Iterator[str]:
    """Yield the headline: how many examples and classes, and how many labels look wrong."""
    counted = wording.count_of(examples, "example", "examples")
    yield f"{counted} of {wording.count_of(classes, 'class', 'classes')}."
    yield (
        f"About {errors:,.0f} labels look wrong ({wording.percent(errors / examples)}); "
        f"{flagged:,} examples are flagged."
    )


def _say_where(saved: Path | None, path: str) -> str:
    if saved is None:
        return "The findings could not be saved; the dashboard will analyse the dataset again."
    return f"Saved as {saved}. Open them with: curate {path}"
