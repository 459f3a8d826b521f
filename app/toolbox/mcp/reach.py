"""Where a sign-in may lead: what a server names must not send us into the house.

What it says of who signs in is only its word. So nothing but its own origin is asked without encryption, and
nothing within this computer or network where it is outside of that itself (RFC 9728 section 7.7).
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    import httpx2

Resolve = Callable[[str], Awaitable[tuple[str, ...]]]


async def resolve(host: str) -> tuple[str, ...]:
    """Return the addresses of a host, () where it has none that this computer knows."""
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return ()
    return tuple(str(entry[4][0]) for entry in found)


class Reach:
    """What the sign-in to the server at `url` may ask."""

    def __init__(self, url: str, resolve: Resolve = resolve) -> None:
        self._origin = _origin(url)
        self._host = urlsplit(url).hostname or ""
        self._resolve = resolve

    async def fault(self, url: str) -> str:
        """Return why an address may not be asked, as a plain English sentence, "" where it may."""
        if _origin(url) == self._origin:
            return ""
        scheme, host = urlsplit(url).scheme, urlsplit(url).hostname or ""
        if await self._inside(self._host):
            return "" if scheme == "https" or await self._inside(host) else _OPEN.format(host=host)
        if scheme != "https":
            return _OPEN.format(host=host)
        return _INSIDE.format(host=host) if await self._inside(host) else ""

    async def check(self, request: httpx2.Request) -> None:
        """Raise ConnectError for a request that may not be made; a hook of its client."""
        import httpx2

        if fault := await self.fault(str(request.url)):
            raise httpx2.ConnectError(fault)

    async def _inside(self, host: str) -> bool:
        return any(map(_is_inside, (host, *await self._resolve(host))))


_OPEN = "Its sign-in leads to {host} without encryption, so that was not asked."
_INSIDE = "Its sign-in leads to {host}, which is inside of this computer or network, so that was not asked."


def _origin(url: str) -> tuple[str, str, int]:
    parts = urlsplit(url)
    return parts.scheme, parts.hostname or "", parts.port or {"https": 443, "http": 80}.get(parts.scheme, 0)


def _is_inside(address: str) -> bool:
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address == "localhost" or address.endswith(".localhost")
    mapped = getattr(found, "ipv4_mapped", None)
    return not (mapped or found).is_global
