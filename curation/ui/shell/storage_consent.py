"""Which addresses in object storage a visitor may open: a link alone opens none.

For one person on their own machine, an address counts if they named it: to `curate`, in the field
that opens a dataset, or earlier, so that it is among the recent ones. On a server for a team, the
access file lists them.
"""

from __future__ import annotations

from collections.abc import Iterable

from curation.errors import CurationError, StorageError
from curation.storage.remote_address import Address, find_address
from curation.ui.server.command_line import read_command
from curation.ui.shell import allowed_folders, cache
from curation.ui.shell.recent_datasets import list_recent


def note_typed(text: str) -> None:
    """Remember that a person typed an address; called by the field that opens a dataset."""
    address = _find(text)
    if address is not None:
        _typed().add(address)


def may_open(address: Address) -> bool:
    """Return whether a dataset at an address may be opened here."""
    team = allowed_folders.find_storage()
    named = [_find(read_command().data or "")]
    if team is None:
        named += [*_typed(), *map(_find, list_recent())]
    return any(each.holds(address) for each in (*named, *(team or ())) if each is not None)


def check_open(address: Address) -> None:
    """Refuse an address that nobody named who may; nothing is connected to."""
    if may_open(address):
        return
    team = allowed_folders.find_storage()
    if team is None:
        raise StorageError(
            f"{address} was not opened: a link cannot choose which storage is read.",
            'If you trust it, type the address yourself, under "Open another dataset".',
        )
    allowed_folders.log_refusal("open", str(address))
    raise StorageError(
        f"{address} is outside the storage that may be opened here.", _list_allowed(team)
    )


def _list_allowed(team: Iterable[Address]) -> str:
    named = " or ".join(map(str, team))
    return f"Open a dataset in {named}." if named else "An admin has opened no storage."


def _typed() -> set[Address]:
    return cache.of_server(("typed addresses",), set)


def _find(text: str) -> Address | None:
    try:
        return find_address(text) if text else None
    except CurationError:
        return None
