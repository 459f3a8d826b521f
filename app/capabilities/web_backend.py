"""The connections of web requests: a name is resolved once, each address is judged, and the connection goes
to one of those that were judged. So nothing can change what a name means in between (DNS rebinding).
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from ipaddress import ip_address

import httpcore

from app.capabilities.web_addresses import Places, place_of
from app.capabilities.web_sending import Way
from app.errors import ToolError

MOST_ADDRESSES = 8
"""Addresses of one name that are tried."""
_FAMILY_SECONDS = 3.0
"""How long one address may take while others wait for their turn, such as IPv6 on a network without it."""


class Guarded(httpcore.AsyncNetworkBackend):
    """Connects to the addresses that may be; TLS is checked against the name all the same."""

    def __init__(self, host: str, way: Way, places: Places) -> None:
        """`host` is the one that was judged: no other is ever connected."""
        self._host = host
        self._resolve = way.resolve
        self._places = places
        self._inner = way.network or httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Connect to the first address that answers. Raises ToolError no_host, private_address, and what
        httpcore raises.
        """
        if host != self._host:
            raise ToolError("bad_address", f"{host[:80]!r} is not the host that was asked about.")
        addresses = await self._addresses(host, port)
        for number, address in enumerate(addresses, 1):
            limit = timeout if number == len(addresses) else min(timeout or _FAMILY_SECONDS, _FAMILY_SECONDS)
            try:
                return await self._inner.connect_tcp(address, port, limit, local_address, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout):
                if number == len(addresses):
                    raise
        raise AssertionError("there is at least one address")

    async def look(self, host: str, port: int) -> None:
        """Raise ToolError where a name that this computer can look up stands in no place that may be
        reached; for what a proxy connects.
        """
        try:
            await self._addresses(host, port)
        except ToolError as error:
            if error.code != "no_host":
                raise

    async def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Never: no address leads to a socket of this computer."""
        raise ToolError("bad_address", "Sockets of this computer are not reached.")

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(seconds)

    async def _addresses(self, host: str, port: int) -> list[str]:
        try:
            found = list(dict.fromkeys(await self._resolve(host, port)))[:MOST_ADDRESSES]
        except (OSError, UnicodeError) as error:
            why = getattr(error, "strerror", None) or str(error)
            raise ToolError("no_host", f"There is no host {host}: {why}.", host=host) from error
        good = [address for address in found if self._places.allowed(place_of(ip_address(address)))]
        if good:
            return good
        if not found:
            raise ToolError("no_host", f"The host {host} has no address.", host=host)
        raise self._places.refused(found[0])
