"""Which addresses the server may listen on: without sign-in, those of this machine alone."""

from __future__ import annotations

from ipaddress import ip_address

from curation.errors import InputError

THIS_MACHINE = "localhost"


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


def is_loopback(address: str) -> bool:
    """Return whether only this machine can reach an address.

    >>> is_loopback("localhost"), is_loopback("::1"), is_loopback("0.0.0.0"), is_loopback("::")
    (True, True, False, False)
    """
    try:
        return ip_address(address.strip("[]")).is_loopback
    except ValueError:
        return address.lower() == THIS_MACHINE
