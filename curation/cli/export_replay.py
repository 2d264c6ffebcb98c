"""`curate export` writes the cleaned files; `curate replay` makes them again from their log."""

from __future__ import annotations

import argparse
import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from curation.cli.check import add_load_flags, on_one_line, read_load_flags
from curation.errors import InputError
from curation.wording import EXPORT_HELP, count_of

if TYPE_CHECKING:
    from curation.exports import Exported


def add_parser(commands: Any) -> None:
    """Add both commands to the main parser."""
    export = commands.add_parser(
        "export", help="write the cleaned labels and the files that go with them"
    )
    export.add_argument("path", metavar="PATH", help="a folder, a table, or a curation.toml")
    export.add_argument(
        "--store", metavar="URL", help="where the decisions are, if not next to the dataset"
    )
    export.set_defaults(run=run_export)
    replay = commands.add_parser("replay", help="write an export again from its audit.jsonl")
    replay.add_argument("audit", type=Path, metavar="AUDIT", help="an audit.jsonl")
    replay.add_argument("path", metavar="PATH", help="the same dataset")
    replay.set_defaults(run=run_replay)
    for parser in (export, replay):
        parser.add_argument("--out", type=Path, required=True, help="the folder to write")
        _add_export_flags(parser)
        add_load_flags(parser)


def _add_export_flags(parser: argparse.ArgumentParser) -> None:
    for option, words in EXPORT_HELP.items():
        flag = "--" + option.replace("_", "-")
        if option in ("apply_merges", "spreadsheet_safe", "copy_pictures"):
            parser.add_argument(flag, action="store_true", default=None, help=words)
        else:
            parser.add_argument(flag, help=words)


def _read_export_flags(options: argparse.Namespace) -> dict[str, Any]:
    given = {key: value for key in EXPORT_HELP if (value := getattr(options, key)) is not None}
    for key in ("threshold", "min_confidence"):
        with contextlib.suppress(ValueError):  # left as it is: it is refused with a message
            if key in given:
                given[key] = float(given[key])
    return given


def run_export(options: argparse.Namespace) -> int:
    """Export the decisions of a dataset."""
    from curation.exports import export
    from curation.loading import load
    from curation.store import open_store

    dataset = load(options.path, **read_load_flags(options))
    with open_store(dataset, options.store) as store:
        _print(export(dataset, store, options.out, **_read_export_flags(options)))
    return 0


def run_replay(options: argparse.Namespace) -> int:
    """Write an export again, with the settings in the manifest next to the log, if there is one."""
    from curation.exports import replay_log
    from curation.exports.destination import read_manifest
    from curation.loading import load

    if not options.audit.is_file():
        raise InputError(f"There is no file {options.audit}.", "Pass the audit.jsonl of an export.")
    manifest = read_manifest(options.audit.parent)
    understood = _mapping(_mapping(manifest.get("dataset")).get("settings"))
    dataset = load(options.path, **(understood | read_load_flags(options)))
    settings = _mapping(manifest.get("settings")) | _read_export_flags(options)
    _print(replay_log(options.audit, dataset, options.out, **settings))
    return 0


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _print(exported: Exported) -> None:
    counts = exported.counts
    print(f"{exported.folder}: {len(exported.files)} files.")
    changed = count_of(counts["labels_changed"], "label")
    print(
        f"  {changed} changed, {counts['excluded']:,} excluded, "
        f"{counts['pruned']:,} pruned; {counts['flagged_undecided']:,} of {counts['flagged']:,} "
        "flagged are undecided."
    )
    for note in exported.notes:
        print(f"  {on_one_line(note)}")
