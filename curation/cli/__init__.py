"""The `curate` command: one module for each command, or for two that belong together."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from curation.cli import (
    analyze,
    backup_restore,
    benefit,
    check,
    export_replay,
    probs,
    quality,
    store_command,
)
from curation.cli import open as open_command
from curation.errors import BlockedError, CurationError
from curation.store_address import check_store

# which module adds which command
COMMANDS = {
    "open": open_command,
    "check": check,
    "analyze": analyze,
    "export": export_replay,
    "replay": export_replay,
    "probs": probs,
    "quality": quality,
    "benefit": benefit,
    "backup": backup_restore,
    "restore": backup_restore,
    "store": store_command,
}
CLOSED_PIPE = 141  # what a shell reports of a program that writes to a closed pipe


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command."""
    parser = argparse.ArgumentParser(prog="curate", description="Find and correct wrong labels.")
    subparsers = parser.add_subparsers(dest="command", required=True)
    for module in dict.fromkeys(COMMANDS.values()):
        module.add_parser(subparsers)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; a CurationError is printed as two lines."""
    options = build_parser().parse_args(_with_command(arguments))
    try:
        check_store(getattr(options, "store", None))
        code = int(options.run(options))
        sys.stdout.flush()  # so that a closed pipe is noticed here
        return code
    except CurationError as error:
        print(f"{error.problem}\n{error.remedy}", file=sys.stderr)
        if isinstance(error, BlockedError) and error.found:
            print(error.found, file=sys.stderr)
        return check.BLOCKED
    except BrokenPipeError:  # as in `curate check | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return CLOSED_PIPE


def _with_command(arguments: Sequence[str] | None) -> list[str]:
    """Return the arguments with `open` in front if no command was given.

    >>> _with_command(["my_data"]), _with_command(["open", "my_data"])
    (['open', 'my_data'], ['open', 'my_data'])
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    named = given and given[0] in (*COMMANDS, "-h", "--help")
    return given if named else ["open", *given]
