"""The `curate` command: one module here for each thing it does."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from curation.cli import store
from curation.errors import CurationError

BLOCKED = 2  # the exit code when a person has to mend something first


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command."""
    parser = argparse.ArgumentParser(prog="curate", description="Find and settle wrong labels.")
    commands = parser.add_subparsers(dest="command", required=True)
    store.add_parser(commands)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; a CurationError becomes two lines of words."""
    options = build_parser().parse_args(arguments)
    try:
        return int(options.run(options))
    except CurationError as error:
        print(f"{error.problem}\n{error.remedy}", file=sys.stderr)
        return BLOCKED
