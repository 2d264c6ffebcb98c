"""Who may do what: four roles, each of which may do all that the one before may.

A write needs a right, and a right needs a role. Whoever uses the package or the `curate` command
on their own is the owner and has every right. On a server with sign-in, each visitor is an `Actor`
with the role that the access file gives them, and decides under the name they signed in with.
"""

from __future__ import annotations

import logging
import math
import time
from dataclasses import dataclass
from enum import StrEnum

from curation.errors import NotAllowedError, NotSavedError

ASK_ADMIN = "Ask an admin of this server for the role."

_log = logging.getLogger("curation.access")


class Role(StrEnum):
    """What a person may do, from least to most.

    >>> Role.LEAD.covers(Role.CURATOR), Role.VIEWER.covers(Role.CURATOR)
    (True, False)
    """

    VIEWER = "viewer"
    CURATOR = "curator"
    LEAD = "lead"
    ADMIN = "admin"

    def covers(self, other: Role) -> bool:
        """Return whether this role may do all that another may."""
        order = list(Role)
        return order.index(self) >= order.index(other)


class Right(StrEnum):
    """Something that needs a role; its value completes "you may not ..."."""

    DECIDE = "decide about labels"
    UPLOAD = "upload files"
    FILTERS = "save or remove filters that everybody sees"
    SETTLE = "settle what curators disagree on"
    CLASSES = "decide about classes"
    AUDIT = "draw or close an audit"
    EXPORT = "write an export to a folder of the server"
    MODEL = "make probabilities on the server"
    READING = "change how everybody reads a dataset"
    IMPORT = "fill a store with the decisions of another"


LEAST_ROLE = {
    Right.DECIDE: Role.CURATOR,
    Right.UPLOAD: Role.CURATOR,
    Right.FILTERS: Role.CURATOR,
    Right.SETTLE: Role.LEAD,
    Right.CLASSES: Role.LEAD,
    Right.AUDIT: Role.LEAD,
    Right.EXPORT: Role.LEAD,
    Right.MODEL: Role.LEAD,
    Right.READING: Role.LEAD,
    Right.IMPORT: Role.ADMIN,
}


@dataclass(frozen=True)
class Actor:
    """Whoever asks for something: their role, and their name if they signed in."""

    role: Role | None  # None: nothing is allowed
    name: str | None = None  # the only name they may decide under; None: any
    expires: float = math.inf  # when their sign-in ends, in seconds since 1970

    @property
    def has_expired(self) -> bool:
        return time.time() >= self.expires

    def why_not(self, right: Right) -> str | None:
        """Return why this person may not do something, or None if they may.

        >>> Actor(Role.CURATOR, "ben").why_not(Right.AUDIT)
        'Only a lead or an admin may draw or close an audit; you are a curator.'
        """
        allowed = [role for role in Role if role.covers(LEAST_ROLE[right])]
        if self.role in allowed:
            return None
        mine = f"you are a {self.role}" if self.role else "you have no role here"
        *others, last = [f"an {role}" if role is Role.ADMIN else f"a {role}" for role in allowed]
        who = f"{', '.join(others)} or {last}" if others else last
        return f"Only {who} may {right}; {mine}."

    def check(self, right: Right, curator: str | None = None) -> None:
        """Refuse something that this person may not do, and log it.

        `curator` is the name that it would be stored under.
        """
        if self.has_expired:
            self._log_refusal(right, "their sign-in has expired")
            raise NotSavedError(
                "NOT saved: your sign-in has expired.",
                "Sign in again in this tab; what is not saved yet is kept in it.",
            )
        reason = self.why_not(right)
        if reason is not None:
            self._log_refusal(right, reason)
            raise NotAllowedError(
                f"NOT saved: {reason}", "Ask an admin of this server for the role."
            )
        if curator is not None and self.name is not None and curator != self.name:
            self._log_refusal(right, f"as {curator!r}, which is not their own name")
            raise NotAllowedError(
                f"NOT saved: you are signed in as {self.name}, not as {curator}.",
                "Decide under your own name.",
            )

    def _log_refusal(self, right: Right, reason: str) -> None:
        _log.warning("refused %r (%s) to %s: %s", self.name, self.role, right, reason)


OWNER = Actor(Role.ADMIN)  # whoever runs the program themselves
NOBODY = Actor(None, "")  # a visitor who is not known


def find_owner() -> Actor:
    """Return who acts where nobody signs in."""
    return OWNER
