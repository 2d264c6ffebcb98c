"""`curate store upgrade`: create the tables of a store, or bring them up to date."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from curation.cli.backup_restore import find_place
from curation.errors import StoreError

if TYPE_CHECKING:
    from curation.store.schema_upgrade import UpgradePlan

STOPPED = 1  # nothing was done, because nobody confirmed it
ABOUT = (
    "Shows what is there and what will be done, and asks before doing it. A file is copied first. "
    "Before you upgrade a PostgreSQL database, stop every dashboard that uses it and back it up."
)


def add_parser(subparsers: argparse._SubParsersAction[Any]) -> None:
    parser = subparsers.add_parser("store", help="create or upgrade the tables of a store")
    actions = parser.add_subparsers(dest="action", required=True)
    upgrade = actions.add_parser(
        "upgrade", help="create the tables, or bring them up to date", description=ABOUT
    )
    upgrade.add_argument("path", type=Path, nargs="?", help="dataset folder or decisions.db")
    upgrade.add_argument("--store", metavar="URL", help="a database in PostgreSQL instead")
    upgrade.add_argument(
        "--grant", metavar="ROLE", help="let this PostgreSQL role use the tables, as an app does"
    )
    upgrade.add_argument("--yes", action="store_true", help="do it without asking")
    upgrade.add_argument("--dry-run", action="store_true", help="only show what would be done")
    upgrade.set_defaults(run=run_upgrade)


def run_upgrade(options: argparse.Namespace) -> int:
    """Show the plan, and carry it out if that is wanted."""
    place = find_place(options)
    if place is not None:
        return _upgrade_file(place, options)
    return _upgrade_postgres(options)


def _upgrade_file(place: Path, options: argparse.Namespace) -> int:
    from curation.store import backup, schema_upgrade

    if options.grant:
        raise StoreError("--grant was given for a file.", "Leave it out: roles are for PostgreSQL.")
    file = backup.find_file(place)
    plan = schema_upgrade.plan_file(file)
    _show(plan, "A copy of it will be kept in the same folder.")
    if not plan.is_needed or options.dry_run:
        return 0
    if not _is_confirmed(options):
        return STOPPED
    kept = schema_upgrade.upgrade_file(file)
    print("Done." + (f" The store as it was is kept as {kept}." if kept else ""))
    return 0


def _upgrade_postgres(options: argparse.Namespace) -> int:
    from curation.store import postgres, schema_upgrade

    plan = schema_upgrade.plan_postgres(options.store)
    _show(plan, "Back it up first, with pg_dump (see docs/deploy.md), and stop every dashboard.")
    if options.grant:
        print(f"The role {options.grant!r} will be allowed to use its tables.")
    if options.dry_run or not (plan.is_needed or options.grant):
        return 0
    if not _is_confirmed(options):
        return STOPPED
    found = postgres.upgrade(options.store, options.grant)
    if found != plan.version:
        print("Somebody else did it in the meantime.")
    print("Done.")
    return 0


def _show(plan: UpgradePlan, advice: str) -> None:
    print("\n".join(plan.describe()))
    if plan.is_needed and plan.version is not None:
        print(advice)


def _is_confirmed(options: argparse.Namespace) -> bool:
    """Ask, unless --yes was given; a script that cannot be asked has to give it."""
    if options.yes:
        return True
    if not sys.stdin.isatty():
        raise StoreError(
            "Nothing was changed: there is nobody to confirm it.",
            "Add --yes to do it without asking.",
        )
    try:
        return input("Go on? [y/N] ").strip().casefold() in ("y", "yes")
    except (EOFError, KeyboardInterrupt):  # Ctrl-D or Ctrl-C, which is no as well
        print()
        return False
