"""The `curate` command: one module here for each thing it does."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from curation.cli import backup_restore, check, export
from curation.cli import open as open_command
from curation.errors import CurationError

BLOCKED = 2  # the exit code when a person has to mend something first
# which module adds which command
COMMANDS = {
    "open": open_command,
    "check": check,
    "export": export,
    "replay": export,
    "backup": backup_restore,
    "restore": backup_restore,
}


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command."""
    parser = argparse.ArgumentParser(prog="curate", description="Find and settle wrong labels.")
    subparsers = parser.add_subparsers(dest="command", required=True)
    for module in dict.fromkeys(COMMANDS.values()):
        module.add_parser(subparsers)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; a CurationError becomes two lines of words."""
    options = build_parser().parse_args(_with_command(arguments))
    try:
        return int(options.run(options))
    except CurationError as error:
        print(f"{error.problem}\n{error.remedy}", file=sys.stderr)
        return BLOCKED


def _with_command(arguments: Sequence[str] | None) -> list[str]:
    """Return the arguments with `open` in front where no command was named.

    >>> _with_command(["my_data"]), _with_command(["open", "my_data"])
    (['open', 'my_data'], ['open', 'my_data'])
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    named = given and given[0] in (*COMMANDS, "-h", "--help")
    return given if named else ["open", *given]
