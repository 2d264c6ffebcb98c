"""The access file: how people sign in, what each of them may do, and in which folders.

It is named by `--access` or CURATION_ACCESS and never searched for: the working folder, or that of
a dataset, may belong to anyone. Without it, the dashboard is for one person, who holds its link.
"""

from __future__ import annotations

import os
import stat
import sys
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, urlsplit

from curation.errors import InputError, StorageError
from curation.roles import Role
from curation.storage.remote_address import Address, is_address, parse_address
from curation.ui.server.addresses import is_loopback
from curation.ui.server.command_line import read_command

GROUP = "group:"  # before the name of a group, in a list of people
MIN_SECRET_LENGTH = 32  # characters; shorter ones can be guessed
DEFAULT_HOURS = 12.0
HELP = "See docs/access.md for a complete example."


@dataclass(frozen=True)
class Oidc:
    """A provider that people sign in with, by OpenID Connect."""

    client_id: str
    client_secret: str
    server_metadata_url: str
    cookie_secret: str  # signs the cookie that remembers who signed in
    name_claim: str = "email"
    groups_claim: str = "groups"


@dataclass(frozen=True)
class Proxy:
    """A proxy that signs people in and names them in a header."""

    addresses: tuple[IPv4Network | IPv6Network, ...]  # where it connects from
    user_header: str
    groups_header: str | None = None
    secret: str | None = None  # what it sends as X-Curation-Proxy-Secret


@dataclass(frozen=True)
class Folders:
    """Where files of the server may be read and written."""

    open: tuple[Path, ...] = ()
    export: tuple[Path, ...] = ()
    upload: Path | None = None
    storage: tuple[Address, ...] = ()  # in object storage, to open


@dataclass(frozen=True)
class Access:
    """Everything that the access file says."""

    public_url: str  # where people reach the dashboard
    sign_in: Oidc | Proxy
    session_seconds: float = DEFAULT_HOURS * 3600
    roles: Mapping[str, Role] = field(default_factory=dict)  # by user in lower case, or group:NAME
    default_role: Role | None = None  # of anybody else who signs in
    folders: Folders = Folders()

    @property
    def address(self) -> SplitResult:
        return urlsplit(self.public_url)

    @property
    def origin(self) -> str:
        """Return the scheme, host and port that browsers name."""
        return f"{self.address.scheme}://{self.address.netloc}"

    @property
    def base_path(self) -> str:
        return self.address.path.strip("/")

    def find_role(self, user: str, groups: Iterable[str]) -> Role | None:
        """Return the highest role that somebody has, by name or by group; None if there is none."""
        own = [] if user.startswith(GROUP) else [user.lower()]  # nobody is called like a group
        names = [*own, *(f"{GROUP}{each}" for each in groups)]
        found = [self.roles[name] for name in names if name in self.roles]
        found += [self.default_role] if self.default_role else []
        return max(found, key=list(Role).index, default=None)


@cache
def find_access() -> Access | None:
    """Return what the access file of this server says; None if there is none."""
    path = read_command().access
    return read_access(Path(path)) if path else None


def read_access(path: Path) -> Access:
    """Read an access file; an InputError says what is wrong in it, and never shows a secret."""
    try:
        _check_private(path)
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(
            f"The access file {path} cannot be read: {error.strerror}.", "Check its path."
        ) from None
    except ValueError as error:
        raise InputError(f"{path} is not valid TOML: {error}.", HELP) from None
    return _Reader(path, values).read()


def _check_private(path: Path) -> None:
    """Refuse a file with secrets that other users of this machine can read."""
    mode = stat.S_IMODE(path.stat().st_mode)
    if sys.platform != "win32" and mode & 0o077:
        raise InputError(
            f"{path} holds secrets, and other users may open it (mode {mode:04o}).",
            f"chmod 600 {path}",
        )


class _Reader:
    """Turns the tables of an access file into settings, and refuses what it does not know."""

    def __init__(self, path: Path, values: Mapping[str, Any]) -> None:
        self.path = path
        self.values = values

    def read(self) -> Access:
        self._check_names("", self.values, {*_TOP, "oidc", "proxy", "roles", "folders"})
        ways = [name for name in ("oidc", "proxy") if name in self.values]
        if len(ways) != 1:
            raise self._wrong("it must have either [oidc] or [proxy], which say how people sign in")
        roles, default = self._read_roles()
        return Access(
            public_url=self._read_url(),
            sign_in=self._read_oidc() if ways == ["oidc"] else self._read_proxy(),
            session_seconds=3600 * self._read_hours(),
            roles=roles,
            default_role=default,
            folders=self._read_folders(),
        )

    def _read_url(self) -> str:
        url = self._text("", "public_url").rstrip("/")
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.query:
            raise self._wrong(f"public_url is {url!r}, which is not an address such as https://...")
        if parts.scheme == "http" and not is_loopback(parts.hostname):
            raise self._wrong(
                "public_url begins with http, so everybody on the network could read who signs in; "
                "use https, by a proxy or by Streamlit's server.sslCertFile"
            )
        return url

    def _read_hours(self) -> float:
        hours = self.values.get("session_hours", DEFAULT_HOURS)
        if isinstance(hours, bool) or not isinstance(hours, int | float) or not 0 < hours <= 720:
            raise self._wrong(f"session_hours is {hours!r}; give a number of hours, at most 720")
        return float(hours)

    def _read_oidc(self) -> Oidc:
        table = self._table("oidc")
        needed = ("client_id", "client_secret", "server_metadata_url", "cookie_secret")
        self._check_names("oidc", table, {*needed, "name_claim", "groups_claim"})
        given = {name: self._text("oidc", name) for name in {*needed, *table}}
        if len(given["cookie_secret"]) < MIN_SECRET_LENGTH:
            raise self._wrong(_TOO_SHORT.format("oidc.cookie_secret"))
        return Oidc(**given)

    def _read_proxy(self) -> Proxy:
        table = self._table("proxy")
        self._check_names("proxy", table, {"addresses", "user_header", "groups_header", "secret"})
        addresses = tuple(map(self._read_network, self._texts("proxy", "addresses")))
        if not addresses:
            raise self._wrong("proxy.addresses is empty, so nobody could come in")
        groups = self._text("proxy", "groups_header") if "groups_header" in table else None
        secret = self._text("proxy", "secret") if "secret" in table else None
        if secret is not None and len(secret) < MIN_SECRET_LENGTH:
            raise self._wrong(_TOO_SHORT.format("proxy.secret"))
        if secret is None and any(each.is_loopback for each in addresses):
            raise self._wrong(
                "proxy.secret is missing: a proxy on this machine has the same address as every "
                "other program on it, so it must also send a secret"
            )
        return Proxy(addresses, self._text("proxy", "user_header"), groups, secret)

    def _read_network(self, text: str) -> IPv4Network | IPv6Network:
        try:
            return ip_network(text)
        except ValueError:
            raise self._wrong(
                f"proxy.addresses has {text!r}, which is not an address such as 10.0.0.7"
            ) from None

    def _read_roles(self) -> tuple[dict[str, Role], Role | None]:
        table = self._table("roles")
        self._check_names("roles", table, {*Role, "default"})
        found: dict[str, Role] = {}
        for role in Role:  # from least to most, so that the highest counts
            for name in self._texts("roles", role):
                found[name if name.startswith(GROUP) else name.lower()] = role
        default = table.get("default", "none")
        if default not in (*Role, "none"):
            raise self._wrong(f"roles.default is {default!r}; use none, {', '.join(Role)}")
        if not found and default == "none":
            raise self._wrong("[roles] names nobody, so nobody could come in")
        return found, None if default == "none" else Role(default)

    def _read_folders(self) -> Folders:
        table = self._table("folders")
        self._check_names("folders", table, {"open", "export", "upload"})
        upload = self._path("upload", table["upload"]) if "upload" in table else None
        places = self._texts("folders", "open")
        return Folders(
            open=tuple(self._path("open", each) for each in places if not is_address(each)),
            storage=tuple(self._address(each) for each in places if is_address(each)),
            export=tuple(self._path("export", each) for each in self._texts("folders", "export")),
            upload=upload,
        )

    def _address(self, text: str) -> Address:
        try:
            return parse_address(text)
        except StorageError as error:
            raise self._wrong(f"folders.open has {text!r}; {error.problem.rstrip('.')}") from None

    def _path(self, name: str, text: object) -> Path:
        if not isinstance(text, str) or not os.path.isabs(text):
            raise self._wrong(f"folders.{name} has {text!r}; write the whole path of a folder")
        return Path(os.path.realpath(text))

    def _table(self, name: str) -> Mapping[str, Any]:
        found = self.values.get(name, {})
        if not isinstance(found, dict):
            raise self._wrong(f"{name} is not a table; write [{name}] on a line of its own")
        return found

    def _text(self, table: str, name: str) -> str:
        value = (self._table(table) if table else self.values).get(name)
        if not isinstance(value, str) or not value.strip():
            where = f"{table}.{name}" if table else name
            raise self._wrong(f"{where} is missing, or not a text")
        return value

    def _texts(self, table: str, name: str) -> list[str]:
        value = self._table(table).get(name, [])
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            raise self._wrong(f"{table}.{name} is not a list of texts")
        return value

    def _check_names(self, table: str, found: Mapping[str, Any], known: set[str]) -> None:
        unknown = sorted(set(found) - known)
        if unknown:
            where = f"[{table}]" if table else "the file"
            raise self._wrong(f"{where} has {unknown[0]!r}, which is not a setting")

    def _wrong(self, what: str) -> InputError:
        return InputError(f"The access file {self.path}: {what}.", HELP)


_TOP = ("public_url", "session_hours")
_TOO_SHORT = (
    "{} is shorter than " + str(MIN_SECRET_LENGTH) + " characters, so it could be guessed; make "
    'one with python -c "import secrets; print(secrets.token_urlsafe(32))"'
)
