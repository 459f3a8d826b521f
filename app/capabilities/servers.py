"""MCP servers as a tool may use them: what they and the registry say marks the call, and each new one is
asked about with its exact command.
"""

from __future__ import annotations

import shlex
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Protocol

from app.capabilities.gate import Permit
from app.errors import ToolError
from app.mcp_offers import Offer as Offered
from app.records import InstallEffect, Mark, RequestEffect, ServerInfo
from tools import Need, Offer, Server


class Proposal(Protocol):
    """A server that would be added or started: what a person is asked, and how it is then done."""

    @property
    def effect(self) -> InstallEffect | None:
        """None where nothing new would be started."""
        ...

    def carry_out(self, progress: Callable[[str], None]) -> Awaitable[ServerInfo]:
        """Do it, and return the server once it is connected or has failed."""
        ...


class Desk(Protocol):
    """All servers of this machine, and the registry."""

    @property
    def registry(self) -> str:
        """The address of the registry."""
        ...

    def servers(self) -> Awaitable[tuple[ServerInfo, ...]]: ...
    def search(self, query: str, limit: int) -> Awaitable[tuple[Offered, ...]]: ...
    def from_registry(self, name: str, version: str, values: Mapping[str, Any]) -> Awaitable[Proposal]: ...
    def by_hand(
        self, name: str, command: tuple[str, ...], url: str, env: Mapping[str, Any]
    ) -> Awaitable[Proposal]: ...


class ServerReader:
    """Implements `tools.ReadServers`."""

    def __init__(self, desk: Callable[[], Desk], gate: Permit) -> None:
        """`desk` is made when it is first needed: most calls use no server."""
        self._desk = desk
        self._gate = gate

    async def servers(self, name: str = "") -> tuple[Server, ...]:
        """See ReadServers."""
        found = [info for info in await self._desk().servers() if not name or info.id == name]
        if name and not found:
            text = f"There is no server {name!r}. mcp_list without it names all."
            raise ToolError("no_server", text, server=name)
        self._gate.mark(*(Mark(kind="mcp", name=info.id) for info in found if info.tools or info.reason))
        return tuple(map(_server, found))

    async def offers(self, query: str, limit: int) -> tuple[Offer, ...]:
        """See ReadServers. Asks the person only where a rule says so, or where text from elsewhere is here: a
        query could carry some of it away.
        """
        from urllib.parse import quote, urlsplit

        host = urlsplit(self._desk().registry).hostname or ""
        url = f"{self._desk().registry}/v0/servers?search={quote(query[:200])}"
        effect = RequestEffect(method="GET", url=url, host=host)
        if self._gate.origin or self._gate.denies(effect):
            await self._gate.permit(effect)
        found = await self._desk().search(query, limit)
        self._gate.mark(Mark(kind="web", name=host))
        return tuple(map(_offer, found))


class ServerChanger(ServerReader):
    """Implements `tools.ChangeServers`."""

    def __init__(self, desk: Callable[[], Desk], gate: Permit, progress: Callable[[str], None]) -> None:
        super().__init__(desk, gate)
        self._progress = progress

    async def install(self, name: str, version: str, values: Mapping[str, Any]) -> Server:
        """See ChangeServers."""
        return await self._carry_out(await self._desk().from_registry(name, version, values))

    async def connect(self, name: str, command: str, url: str, env: Mapping[str, Any]) -> Server:
        """See ChangeServers."""
        try:
            words = tuple(shlex.split(command))
        except ValueError as error:
            raise ToolError("bad_arguments", f"The command cannot be read: {error}.", tool=name) from error
        return await self._carry_out(await self._desk().by_hand(name, words, url, env))

    async def _carry_out(self, proposal: Proposal) -> Server:
        if proposal.effect is not None:
            await self._gate.permit(proposal.effect)
        info = await proposal.carry_out(self._progress)
        self._gate.mark(Mark(kind="mcp", name=info.id))
        return _server(info)


def _server(info: ServerInfo) -> Server:
    return Server(
        name=info.id,
        state=info.state,
        reason=info.fault or info.reason,
        tools=tuple((tool.name, tool.description or tool.title) for tool in info.tools),
        held=len(info.held),
    )


def _offer(offered: Offered) -> Offer:
    way = next(iter(offered.ways), None)
    usable = way is not None and way.usable
    return Offer(
        name=offered.name,
        title=offered.title,
        description=offered.description,
        version=offered.version,
        way=(shlex.join(way.runner) or way.what) if way is not None and usable else "",
        why=way.why.replace("_", " ") if way is not None else "it names no way to run it",
        needs=tuple(
            Need(one.key, one.description, one.kind, one.required, one.secret, one.default, one.choices)
            for one in (way.fields if way is not None and usable else ())
        ),
        deprecated=offered.deprecated,
    )
