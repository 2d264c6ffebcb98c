"""`curate check`: print how a dataset is read, and everything the doctor found."""

from __future__ import annotations

import argparse
import json
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from curation import wording
from curation.errors import BlockedError, InputError
from curation.report import Diagnosis, Report

BLOCKED = 2  # the exit code when a person must fix something first
NAME_WIDTH = 14  # characters for the names of what was understood


def add_parser(commands: Any) -> None:
    """Add the command and its flags; each override of `load` is a flag."""
    parser = commands.add_parser("check", help="check a dataset and list its problems")
    parser.add_argument("path", metavar="PATH", help="a folder, a table, or a curation.toml")
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    parser.add_argument(
        "--write-manifest", action="store_true", help="save what was understood as curation.toml"
    )
    add_load_flags(parser)
    parser.set_defaults(run=run)


def add_load_flags(parser: argparse.ArgumentParser) -> None:
    """Add a flag for each override of `load`."""
    from curation.loading.overrides import HELP

    for option, words in HELP.items():
        _add_flag(parser, option, words)


def _add_flag(parser: argparse.ArgumentParser, option: str, words: str) -> None:
    flag = "--" + option.replace("_", "-")
    if option in ("drop_rows", "no_header"):
        parser.add_argument(flag, action="store_true", default=None, help=words)
    elif option in ("probs", "prob_columns", "classes", "class_order", "majority_of", "splits"):
        parser.add_argument(flag, nargs="+", help=words)
    else:
        types = {"shift_labels": int, "memory_limit_gb": float}
        parser.add_argument(flag, type=types.get(option, str), help=words)


def run(options: argparse.Namespace) -> int:
    """Print the report; return 0 if the dataset can be opened, 2 if something must be fixed."""
    from curation.loading import load
    from curation.loading.overrides import MANIFEST

    try:
        dataset = load(options.path, **read_load_flags(options))
    except BlockedError as error:
        _print(error.report, {}, options.json)
        return BLOCKED
    understood = dict(dataset.settings) | {
        "examples": len(dataset),
        "classes found": len(dataset.class_names),
        "kind": dataset.kind,
    }
    _print(dataset.report, understood, options.json)
    if options.write_manifest:
        if dataset.remote is not None and dataset.remote.address is not None:
            raise InputError(
                f"{MANIFEST} was not saved: {dataset.remote.address} is only read.",
                "Copy the settings above into a file, and put it there with your own tools.",
            )
        _save(dataset.root / MANIFEST, dataset.settings)
        if not options.json:
            print(f"\nSaved as {MANIFEST}.")
    return 0


def _save(path: Path, settings: Mapping[str, Any]) -> None:
    from curation.loading.overrides import write_manifest

    try:
        write_manifest(path, settings)
    except OSError as error:
        raise InputError(
            f"{path.name} cannot be written: {error.strerror}.",
            "Allow writing to the dataset's folder.",
        ) from error


def read_load_flags(options: argparse.Namespace) -> dict[str, Any]:
    """Return the overrides of `load` that were given as flags."""
    from curation.loading.overrides import HELP

    given = {key: getattr(options, key) for key in HELP if getattr(options, key) is not None}
    for key in ("probs", "classes", "splits"):  # one word is a file, several are shards or names
        if isinstance(given.get(key), list) and len(given[key]) == 1:
            given[key] = given[key][0]
    if Path(given.get("features", "")).is_file():  # as typed in a shell, before the dataset's own
        given["features"] = str(Path(given["features"]).resolve())
    return given


def _print(report: Report, understood: Mapping[str, Any], as_json: bool) -> None:
    if as_json:
        print(
            json.dumps(report.to_dict() | {"understood": dict(understood)}, indent=2, default=str)
        )
        return
    for line in render(report, understood):
        print(line)


def render(report: Report, understood: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of the report: what was understood, what was found, what passed."""
    if understood:
        yield "Understood"
        for key, value in understood.items():
            shown = f"{value:,}" if type(value) is int else on_one_line(value)
            yield f"  {key:<{NAME_WIDTH}} {shown}"
        yield ""
    for diagnosis in report.diagnoses:
        yield from _render_diagnosis(diagnosis)
        yield ""
    if report.seen:
        yield "Found"
        yield from (f"  {on_one_line(each)}" for each in report.seen)
        yield ""
    if report.names_rows:
        yield wording.ROWS_COUNTED
    passed = len(report.passed)
    yield f"{passed} {'check' if passed == 1 else 'checks'} passed."
    yield "Blocked: fix what is marked BLOCK." if report.blocked else "This dataset can be opened."


def _render_diagnosis(diagnosis: Diagnosis) -> Iterator[str]:
    where, what = on_one_line(diagnosis.where), on_one_line(diagnosis.what)
    yield f"{diagnosis.severity:<5} {where}: {what}"
    if diagnosis.first_rows:
        more = diagnosis.count > len(diagnosis.first_rows)
        first = ", ".join(map(on_one_line, diagnosis.first_rows))
        yield f"      first: {first}{f' ({diagnosis.count:,} in all)' if more else ''}"
    yield f"      why:   {on_one_line(diagnosis.why)}"
    yield f"      fix:   {on_one_line(diagnosis.fix)}"
    for place, override in enumerate(diagnosis.offers):
        yield f"      {'or:  ' if place else 'flag:'}  {' '.join(_as_flags(override))}"


def _as_flags(override: Mapping[str, Any]) -> Iterator[str]:
    """Yield the words of a command that apply an offered fix.

    >>> list(_as_flags({"drop_rows": True, "class_order": ["dog", "big cat"]}))
    ['--drop-rows', '--class-order', 'dog', "'big cat'"]
    """
    for option, value in override.items():
        yield "--" + option.replace("_", "-")
        values = value if isinstance(value, (list, tuple)) else [value]
        yield from (shlex.quote(on_one_line(each)) for each in values if each is not True)


def on_one_line(value: object) -> str:
    """Return a value as text that cannot control the terminal; names in files may hold anything."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in str(value))
