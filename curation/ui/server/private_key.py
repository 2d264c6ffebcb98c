"""A random key in the user's folder that only this user can read; it signs what must not be forged.

It outlives the server, so that an open page comes back by itself when the server is started again.
That is safe because it opens nothing that its reader could not open anyway: whoever can read the
file is this user, who can read all of their data, or the machine's administrator.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import sys
from functools import cache
from pathlib import Path

from curation.paths import user_folder

FILE = "server.key"
LENGTH = 32  # bytes


@cache
def find_key() -> bytes:
    """Return this user's key, made at the first start; one for this server if it cannot be kept."""
    try:
        return read_or_make_key(user_folder() / FILE)
    except OSError:
        return secrets.token_bytes(LENGTH)


def read_or_make_key(path: Path) -> bytes:
    """Return the key in a file; make a new one if there is none, or others could have read it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    for replacing in (False, True):
        if is_private(path) and len(key := path.read_bytes()) == LENGTH:
            return key
        write_private(path, secrets.token_bytes(LENGTH), replacing=replacing)
    return path.read_bytes()


def is_private(path: Path) -> bool:
    """Return whether a file belongs to this user and nobody else may open it."""
    try:
        found = path.lstat()
    except OSError:
        return False
    if sys.platform == "win32":  # a user's folder there is closed to others
        return True
    return found.st_uid == os.geteuid() and not found.st_mode & 0o077


def write_private(path: Path, content: bytes, *, replacing: bool = True) -> None:
    """Write a file that only this user can read, as a whole.

    Unless it is `replacing`, one that is there stays: another server may have written it just now.
    """
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(content)
    try:
        if replacing:
            draft.replace(path)
        else:
            os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        draft.unlink(missing_ok=True)


def sign(purpose: str, text: str) -> str:
    """Return the signature of a text for one purpose; no other purpose accepts it."""
    message = f"{purpose}\0{text}".encode()
    return hmac.new(find_key(), message, hashlib.sha256).hexdigest()


def is_signed(purpose: str, text: str, signature: str) -> bool:
    """Return whether a signature is right; takes as long for any wrong one."""
    expected = sign(purpose, text)
    return hmac.compare_digest(expected.encode(), signature.encode("utf-8", "replace"))
