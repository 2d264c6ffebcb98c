"""`curate backup` and `curate restore`: copies of the decisions."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from curation.errors import StoreError
from curation.storage.remote_address import Address, find_address

LIVE = "The store may be in use. Do not copy its files by hand: that can miss decisions."


def add_parser(commands: Any) -> None:
    """Add both commands to the main parser."""
    backup = commands.add_parser("backup", help="copy the decisions to a file", description=LIVE)
    backup.add_argument("path", type=Path, nargs="?", help="dataset folder or decisions.db")
    backup.add_argument("--store", metavar="URL", help="a store in PostgreSQL instead")
    backup.add_argument("--out", type=Path, required=True, help="the file to make")
    backup.set_defaults(run=run_backup)
    restore = commands.add_parser("restore", help="restore a copy of the decisions")
    restore.add_argument("file", type=Path, help="a file that `curate backup` made")
    restore.add_argument("path", type=Path, nargs="?", help="dataset folder or decisions.db")
    restore.add_argument("--store", metavar="URL", help="an empty store in PostgreSQL instead")
    restore.add_argument(
        "--force",
        action="store_true",
        help="replace the existing decisions, which are kept in a file",
    )
    restore.set_defaults(run=run_restore)


def run_backup(options: argparse.Namespace) -> int:
    from curation.store import backup

    place = find_place(options)
    if place is None:
        count = backup.back_up_postgres(options.store, options.out)
    else:
        count = backup.back_up(place, options.out)
    print(f"{options.out}: {count} log entries, checked.")
    return 0


def run_restore(options: argparse.Namespace) -> int:
    from curation.store import backup

    if not options.file.is_file():
        raise StoreError(f"There is no file {options.file}.", "Pass one made by `curate backup`.")
    place = find_place(options)
    if place is None:
        backup.restore_postgres(options.file, options.store)
        print("Restored.")
        return 0
    kept = backup.restore(options.file, place, force=options.force)
    print("Restored." + (f" The earlier decisions are kept as {kept}." if kept else ""))
    return 0


def find_place(options: argparse.Namespace) -> Path | None:
    """Return the path of a SQLite store; None if a PostgreSQL address was given."""
    if (options.path is None) == (options.store is None):
        raise StoreError(
            "It is unclear which decisions are meant.", "Pass either a path or --store URL."
        )
    if options.store is None:
        address = find_address(options.path)
        return Path(options.path) if address is None else _find_copy(address)
    if options.store.startswith("postgresql"):
        return None
    return Path(options.store.removeprefix("sqlite:///"))


def _find_copy(address: Address) -> Path:
    """Return the folder whose decisions are those of a dataset in object storage."""
    from curation.loading.remote_place import local_path
    from curation.storage.mirror_files import MirrorFiles

    if not local_path(address).exists():  # its cache was deleted, but not its decisions
        MirrorFiles(address).prepare()
    return local_path(address)
