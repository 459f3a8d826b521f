"""A desk for tests of the web: real servers on loopback, names of our own, a real gate, a person who answers.

`PUBLIC` is an address of the internet; what connects to it reaches the servers of the test instead, so that
whatever is judged is judged as it would be there. No packet leaves the computer.
"""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpcore
import msgspec

from app.capabilities.gate import Gate
from app.capabilities.web import Web, WebChanger, WebReader
from app.capabilities.web_addresses import resolve
from app.capabilities.web_sending import Way
from app.records import Mark, RequestEffect
from tests.capabilities.files_desk import Desk, open_desk
from tests.servers.scripted import Exchange, Script

PUBLIC = "93.184.216.34"


class Bent(httpcore.AsyncNetworkBackend):
    """Leads connections to PUBLIC to a port of this computer, and notes every address that is connected."""

    def __init__(self, ports: dict[int, int]) -> None:
        self.ports = ports
        self.connected: list[str] = []
        self._real = httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        self.connected.append(host)
        if host == PUBLIC:
            host, port = "127.0.0.1", self.ports[port]
        return await self._real.connect_tcp(host, port, timeout, local_address, socket_options)


@dataclass
class Names:
    """A resolver of our own. A list of lists answers each question with the next one."""

    known: dict[str, list[str] | list[list[str]]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    async def __call__(self, host: str, port: int) -> Sequence[str]:
        self.asked.append(host)
        found = self.known.get(host)
        if found is None:
            return await resolve(host, port) if host[0].isdigit() or ":" in host else _unknown(host)
        if found and isinstance(found[0], list):
            return found.pop(0)  # type: ignore[return-value]
        return found  # type: ignore[return-value]


def _unknown(host: str) -> list[str]:
    raise OSError(-2, "Name or service not known")


@dataclass
class WebDesk:
    """What a test works with."""

    desk: Desk
    names: Names
    network: Bent
    trust: ssl.SSLContext | None = None
    proxy: str = ""

    @property
    def web(self) -> Web:
        return Web(lambda: Way(self.names, self._trusted, self.proxy, self.network))

    def _trusted(self) -> ssl.SSLContext:
        return self.trust or ssl.create_default_context()

    def gate(
        self,
        tool: str = "web_fetch",
        *rules: str,
        named: Iterable[str] = (),
        marks: Iterable[Mark] = (),
        deny: Iterable[str] = (),
        yes: bool = False,
        attended: bool = True,
    ) -> Gate:
        gate = self.desk.gate(tool, allow=rules, deny=tuple(deny), yes=yes, attended=attended)
        gate.policy = msgspec.structs.replace(gate.policy, named_hosts=frozenset(named), marks=tuple(marks))
        return gate

    def reader(self, gate: Gate | None = None) -> WebReader:
        gate = gate or self.gate(yes=True)
        return WebReader(self.web, gate, gate.tool)

    def changer(
        self, gate: Gate | None = None, progress: Callable[[str], None] = lambda text: None
    ) -> WebChanger:
        gate = gate or self.gate("http_request", yes=True)
        return WebChanger(self.web, gate, gate.tool, self.desk.files(gate), progress)

    @property
    def asked(self) -> list[RequestEffect]:
        """The questions about requests."""
        return [effect for effect in self.desk.asked if isinstance(effect, RequestEffect)]


@asynccontextmanager
async def open_web(tmp_path: Path, port: int = 0, secure: int = 0) -> AsyncIterator[WebDesk]:
    """A desk where site.example, www.site.example and other.example are public hosts, served by `port`."""
    tmp_path.mkdir(exist_ok=True)
    async with open_desk(tmp_path) as desk:
        names = Names({"site.example": [PUBLIC], "www.site.example": [PUBLIC], "other.example": [PUBLIC]})
        yield WebDesk(desk, names, Bent({80: port, 443: secure, 8080: port}))


def page(
    body: bytes | str, kind: str = "text/html; charset=utf-8", status: int = 200, **headers: str
) -> Script:
    """A script that answers with a whole body."""
    data = body.encode() if isinstance(body, str) else body
    named = {name.replace("_", "-"): value for name, value in headers.items()}

    async def script(exchange: Exchange) -> None:
        await exchange.answer(status, b"" if exchange.request.method == "HEAD" else data, named, kind=kind)

    return script


def leads(location: str, status: int = 302) -> Script:
    """A script that redirects."""
    return page(b"", status=status, location=location)
