"""Fetches whole objects in blocks: a download that is cut goes on where it stopped."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

from curation.errors import NoAnswerError, StorageError
from curation.storage.mirror_files import in_words
from curation.storage.object_store import ObjectStore, StoredObject
from curation.storage.remote_address import Address

BLOCK_BYTES = 8 * 2**20
BLOCK_SECONDS = 60.0
TRIES = 3  # for one block
PAUSE_SECONDS = 0.2  # before the second try; longer before the third


def download(
    store: ObjectStore,
    address: Address,
    found: StoredObject,
    draft: Path,
    report: Callable[[int], None],
) -> None:
    """Fill a draft with all bytes of an object; `report` gets how many there are so far.

    A draft with fewer bytes is continued. A draft that cannot be written, or whose object has
    changed meanwhile, is deleted.
    """
    try:
        with draft.open("ab") as file:
            while (size := file.tell()) < found.size:
                report(size)
                end = min(size + BLOCK_BYTES, found.size)
                file.write(_read_block(store, address, size, end))
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise in_words(error, str(address), found.size) from None
    if store.find(address) != found:  # asked last: all that came before is of this version
        draft.unlink(missing_ok=True)
        raise StorageError(
            f"{address} was changed or deleted while it was fetched.",
            "Wait until it is completely written, then open the dataset again.",
        )


def _read_block(store: ObjectStore, address: Address, start: int, end: int) -> bytes:
    """Return some bytes of an object; a connection that is cut is tried again."""
    for left in reversed(range(TRIES)):
        try:
            data = store.read(address, start, end, seconds=BLOCK_SECONDS)
            if len(data) == end - start:
                return data
        except NoAnswerError:
            if not left:
                raise
        if left:
            time.sleep(PAUSE_SECONDS * (TRIES - left))
    raise NoAnswerError(
        f"{address} ends after fewer bytes than the storage lists.", "Open the dataset again."
    )
