"""Where a browser may connect to: hosts that no rule forbids, at public addresses, or what the call's own
page was let to; a name is resolved once, judged, and that address is connected.
"""

from __future__ import annotations

import asyncio
from ipaddress import ip_address

from app.capabilities.browser.proxy import Streams
from app.capabilities.gate import Permit
from app.capabilities.web_addresses import STANDARD, Target, place_of, read
from app.capabilities.web_failures import never, private
from app.capabilities.web_sending import Way
from app.errors import ToolError
from app.records import Mark, RequestEffect

CONNECT_SECONDS = 10.0
_OWN = (
    ".gvt1.com",
    ".googleapis.com",
    "accounts.google.com",
    "clients2.google.com",
    "clientservices.googleapis.com",
)
"""Where a Chromium goes by itself; a page that needs one of these is shown without it."""


class Guide:
    """The connections of one browser, behind the gate of its call."""

    def __init__(self, way: Way, gate: Permit) -> None:
        self._way = way
        self._gate = gate

    @property
    def proxied(self) -> bool:
        """Whether the settings want a proxy on the way to public hosts."""
        return bool(self._way.proxy)

    async def connect(self, host: str, port: int) -> Streams:
        """See `proxy.Connect`."""
        named = f"[{host}]" if ":" in host else host
        target = read(f"{'https' if port == 443 else 'http'}://{named}:{port}/")
        effect = self._effect(target)
        if self._gate.denies(effect):
            raise ToolError("denied", f"A rule denies requests to {target.host}.", host=target.host)
        opened = bool(effect.private) and self._gate.opens(effect)
        if target.port not in STANDARD.values() and not opened and not self._gate.opens(effect):
            raise ToolError(
                "private_address", f"{target.authority} is at no port of the web.", host=target.host
            )
        address = await self._address(target, opened)
        self._gate.mark(Mark(kind="web", name=target.host))
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                return await asyncio.open_connection(address, target.port)
        except TimeoutError as error:
            raise OSError("no answer") from error

    async def _address(self, target: Target, opened: bool) -> str:
        if target.place == "never":
            raise never(target.host)
        found = await self._way.resolve(target.host, target.port)
        for address in found:
            place = place_of(ip_address(address))
            if place == "public" or (place == "private" and (opened or self._opens_found(target))):
                return address
        raise private(target.host, found[0], "") if found else OSError("no address")

    def _opens_found(self, target: Target) -> bool:
        from msgspec.structs import replace

        return self._gate.opens(replace(self._effect(target), private="found"))

    def _effect(self, target: Target) -> RequestEffect:
        return RequestEffect(
            method="GET",
            url=target.url,
            host=target.host,
            port=0 if STANDARD[target.scheme] == target.port else target.port,
            private="named" if target.place == "private" else "",
        )
