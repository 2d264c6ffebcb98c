"""Which addresses the server may listen on: those of this machine alone."""

from __future__ import annotations

from ipaddress import ip_address

from curation.errors import InputError

THIS_MACHINE = "localhost"


def check_address(address: str | None) -> None:
    """Refuse an address that others can reach: there is no sign-in, so they would all be let in.

    >>> check_address("127.0.0.1")
    """
    if address is not None and is_loopback(address):
        return
    named = f"{address} can be reached" if address else "every address could be reached"
    raise InputError(
        f"The dashboard was not started: {named} by other machines, and nobody has to sign in.",
        "Leave the address out, so that it listens on this machine only. Then reach it from "
        "elsewhere in one of two ways: (1) for yourself, ssh -L 8501:localhost:8501 THIS_MACHINE "
        "and open http://localhost:8501 there; (2) for a team, run a proxy on this machine that "
        "asks people to sign in and passes requests on to http://localhost:8501.",
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
