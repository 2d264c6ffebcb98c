"""How S3 is talked to: straight, without following a redirect to another host.

An answer of a storage could otherwise send this machine anywhere, such as to addresses that only
this machine can reach. aiobotocore leaves the choice to aiohttp, which follows redirects.
"""

from __future__ import annotations

from typing import Any

from aiobotocore.httpsession import AIOHTTPSession


class StraightSession(AIOHTTPSession):  # type: ignore[misc]
    """A session whose requests end where they were sent."""

    async def _get_session(self, proxy_url: str | None) -> Any:
        return _Straight(await super()._get_session(proxy_url))


class _Straight:
    """An aiohttp session that never follows a redirect."""

    def __init__(self, session: Any) -> None:
        self._session = session

    async def request(self, *given: Any, **more: Any) -> Any:
        return await self._session.request(*given, **(more | {"allow_redirects": False}))
