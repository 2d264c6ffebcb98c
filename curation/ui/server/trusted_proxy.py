"""A team behind a proxy that signs people in, and names them in a header.

Anybody can write a header. So it counts only if the request comes from an address that the access
file declares, with the secret if there is one; any other request is refused.
"""

from __future__ import annotations

import hmac
import os
import time
from ipaddress import IPv6Address, ip_address

from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse, Response

from curation.errors import InputError
from curation.roles import Actor
from curation.ui.server import entrance_pages
from curation.ui.server.access_file import Access, Proxy
from curation.ui.server.entrance import Refusal, refuse_without_role

SECRET_HEADER = "x-curation-proxy-secret"
FORWARDED_VARIABLE = "FORWARDED_ALLOW_IPS"  # of uvicorn: whose X-Forwarded-For it believes


class TrustedProxy:
    """Lets in whom a declared proxy names."""

    def __init__(self, access: Access, settings: Proxy) -> None:
        self.access = access
        self.settings = settings

    @property
    def secrets(self) -> list[str]:
        """Return what must not be written to the log."""
        return [self.settings.secret] if self.settings.secret else []

    def identify(self, request: HTTPConnection) -> Actor | Refusal:
        """Return the person that the proxy names, if it is the proxy who asks."""
        named = request.headers.getlist(self.settings.user_header)
        peer = request.client.host if request.client else ""
        if not self._is_proxy(peer):
            claim = " that names a user" if named else ""
            return Refusal(f"a request{claim} from {peer or 'nowhere'}, which is not the proxy")
        if not self._has_secret(request):
            return Refusal(f"a request from {peer} without the proxy's secret")
        if len(named) != 1 or not named[0].strip():
            return Refusal("a request of the proxy that names nobody, or several people")
        name = named[0].strip()
        role = self.access.find_role(name, self._list_groups(request))
        if role is None:
            return refuse_without_role(name)
        return Actor(role, name, time.time() + self.access.session_seconds)

    def answer(self, request: HTTPConnection) -> Response | None:
        return None

    def is_open(self, request: HTTPConnection) -> bool:
        return False

    def refuse(self, request: HTTPConnection, refusal: Refusal) -> Response:
        """Return the page that names the right address, or says that a role is missing."""
        if refusal.who is not None:
            page = entrance_pages.tell_refused(refusal.who, refusal.advice, None)
            return HTMLResponse(page, 403)
        return HTMLResponse(entrance_pages.tell_use_proxy(self.access.public_url), 403)

    def _is_proxy(self, peer: str) -> bool:
        try:
            address = ip_address(peer)
        except ValueError:
            return False
        if isinstance(address, IPv6Address) and address.ipv4_mapped:
            address = address.ipv4_mapped
        return any(address in network for network in self.settings.addresses)

    def _has_secret(self, request: HTTPConnection) -> bool:
        if self.settings.secret is None:
            return True
        given = request.headers.get(SECRET_HEADER, "")
        return hmac.compare_digest(given.encode(), self.settings.secret.encode())

    def _list_groups(self, request: HTTPConnection) -> list[str]:
        header = self.settings.groups_header
        found = ",".join(request.headers.getlist(header)) if header else ""
        return [each.strip() for each in found.split(",") if each.strip()]


def check_forwarding() -> None:
    """Refuse to start if a header could change the address that a request comes from.

    Unless told otherwise, uvicorn takes it from X-Forwarded-For for requests of this machine, so
    every program on it could pass for the proxy.
    """
    if os.environ.get(FORWARDED_VARIABLE) != "":
        raise InputError(
            "With [proxy], the address of a request must not be taken from its headers.",
            f"Start the dashboard with `curate`, or set {FORWARDED_VARIABLE} to nothing: "
            f"{FORWARDED_VARIABLE}= streamlit run app.py",
        )
