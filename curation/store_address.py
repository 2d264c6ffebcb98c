"""The address of a store on the command line, which every user of the machine can read."""

from __future__ import annotations

from urllib.parse import urlsplit

from curation.errors import InputError


def check_store(store: str | None) -> None:
    """Refuse a password on the command line: `ps` shows it to every user of the machine."""
    if store and "://" in store and urlsplit(store).password:
        raise InputError(
            "--store holds a password, which every user of this machine can see.",
            "Leave it out, and write it to ~/.pgpass, or to a file named by PGPASSFILE, or set "
            "PGPASSWORD. PostgreSQL reads all of these.",
        )
