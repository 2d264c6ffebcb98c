"""Which addresses the server may listen on: without sign-in, those of this machine alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from ipaddress import ip_address

from curation.errors import InputError

THIS_MACHINE = "localhost"
LOCAL_ORIGIN = re.compile(r"http://(?P<host>[a-z0-9.]+|\[[0-9a-f:]+\]):[0-9]+")


def check_address(address: str | None, *, signs_in: bool = False) -> None:
    """Refuse an address that others can reach, unless people have to sign in.

    >>> check_address("127.0.0.1")
    >>> check_address("0.0.0.0", signs_in=True)
    """
    if signs_in or (address is not None and is_loopback(address)):
        return
    named = f"{address} can be reached" if address else "every address could be reached"
    raise InputError(
        f"The dashboard was not started: {named} by other machines, and nobody has to sign in.",
        "Leave the address out, so that it listens on this machine only. Then reach it from "
        "elsewhere in one of two ways: (1) for yourself, ssh -L 8501:localhost:8501 THIS_MACHINE "
        "and open its link there; (2) for a team, let people sign in, with --access FILE "
        "(docs/access.md shows how).",
    )


def check_framing(origins: Sequence[str], *, signs_in: bool) -> None:
    """Refuse origins that may not show the dashboard in a frame.

    >>> check_framing(["http://localhost:8888"], signs_in=False)
    """
    for origin in origins:
        if signs_in or not _is_local_origin(origin):
            raise InputError(
                f"The dashboard was not started: pages of {origin} may not show it in a frame.",
                "Name a server of this machine, such as --framed-by http://localhost:8888, and "
                "leave --access out.",
            )


def _is_local_origin(origin: str) -> bool:
    """Return whether an address is a server of this machine, and nothing besides.

    >>> _is_local_origin("http://127.0.0.1:8888"), _is_local_origin("http://localhost:1; script")
    (True, False)
    """
    match = LOCAL_ORIGIN.fullmatch(origin)
    return match is not None and is_loopback(match["host"])


def is_loopback(address: str) -> bool:
    """Return whether only this machine can reach an address.

    >>> is_loopback("localhost"), is_loopback("::1"), is_loopback("0.0.0.0"), is_loopback("::")
    (True, True, False, False)
    """
    try:
        return ip_address(address.strip("[]")).is_loopback
    except ValueError:
        return address.lower() == THIS_MACHINE
