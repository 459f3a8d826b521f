"""MCP servers as the tools of the model may use them: each new one is a proposal that a person answers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from app.errors import ToolError
from app.mcp_offers import Offer
from app.record import Record
from app.records import InstallEffect, ServerInfo
from app.toolbox.mcp.install import pick, plan
from app.toolbox.mcp.market import Market, spec_by_hand
from app.toolbox.mcp.spec import ServerSpec


class Proposed(Record, kw_only=True):
    """Implements `capabilities.servers.Proposal`."""

    effect: InstallEffect | None
    act: Callable[[Callable[[str], None]], Awaitable[ServerInfo]]

    def carry_out(self, progress: Callable[[str], None]) -> Awaitable[ServerInfo]:
        """See Proposal."""
        return self.act(progress)


class ServerDesk:
    """Implements `capabilities.servers.Desk`."""

    def __init__(self, market: Market) -> None:
        self._market = market

    @property
    def registry(self) -> str:
        """See Desk."""
        return self._market.url

    async def servers(self) -> tuple[ServerInfo, ...]:
        """See Desk."""
        return await self._market.servers.list()

    async def search(self, query: str, limit: int) -> tuple[Offer, ...]:
        """See Desk."""
        return await self._market.search(query, limit)

    async def from_registry(self, name: str, version: str, values: Mapping[str, Any]) -> Proposed:
        """See Desk. Raises ToolError not_found, bad_arguments (a secret too: the person enters those)."""
        offer = await self._market.get(name, version or "latest")
        if offer is None:
            what = f"{name} {version}".strip()
            raise ToolError("not_found", f"The registry has no {what}. mcp_search finds names.", path=name)
        way = pick(offer)
        given = {key: _value(value) for key, value in values.items()}
        secret = [
            field.key for field in way.fields if field.secret and (field.required or field.key in given)
        ]
        if secret:
            raise ToolError(
                "bad_arguments",
                f"{name} takes secrets ({', '.join(secret)}), which only the person enters: on the page"
                f" Servers, or by `bramble mcp install {name}`. Tell them so.",
                tool=name,
            )
        made = plan(offer, way, given)
        environment = tuple(f"{key}={value}" for key, value in made.env.items())
        effect = InstallEffect(
            server=made.id,
            command=made.command,
            url=made.url,
            steps=made.steps,
            environment=(*environment, *made.headers),
            origin=made.origin,
        )

        async def act(progress: Callable[[str], None]) -> ServerInfo:
            return await self._market.install(offer, way, given, progress=progress)

        return Proposed(effect=effect, act=act)

    async def by_hand(
        self, name: str, command: tuple[str, ...], url: str, env: Mapping[str, Any]
    ) -> Proposed:
        """See Desk. Without a command and an address it is a server that is there, or one of the registry."""
        if not command and not url:
            known = {info.id: info for info in await self.servers()}
            if name in known:
                return await self._again(known[name])
            if "/" in name:
                return await self.from_registry(name, "", {f"env.{key}": value for key, value in env.items()})
            text = f"There is no server {name!r}. Give its command or url, or find it with mcp_search."
            raise ToolError("no_server", text, server=name)
        if command and url:
            raise ToolError("bad_arguments", "Give a command or a url, not both.", tool=name)
        given = {str(key): str(_value(value)) for key, value in env.items()}
        spec = spec_by_hand(name, command, url, given)
        environment = (*(f"{key}={value}" for key, value in spec.env.items()), *spec.secrets, *spec.headers)
        effect = InstallEffect(server=name, command=command, url=url, environment=environment)

        async def act(progress: Callable[[str], None]) -> ServerInfo:
            return await self._market.add(name, command, url, given, approved=True)

        return Proposed(effect=effect, act=act)

    async def _again(self, info: ServerInfo) -> Proposed:
        """Return how a server that is there is connected: asked about where it is off or not approved."""
        if info.fault:
            text = f"{info.id} cannot be used: {info.fault}"
            raise ToolError("bad_server", text, server=info.id, why=info.fault)
        new = info.state in ("off", "approval")
        spec: ServerSpec = await self._market.servers.spec(info.id)
        environment = (*(f"{key}={value}" for key, value in spec.env.items()), *spec.secrets, *spec.headers)
        effect = InstallEffect(server=info.id, command=info.command, url=info.url, environment=environment)

        async def act(progress: Callable[[str], None]) -> ServerInfo:
            servers = self._market.servers
            return await (servers.approve(info.id, info.print) if new else servers.test(info.id))

        return Proposed(effect=effect if new else None, act=act)


def _value(value: Any) -> Any:
    """Return a value of the model as fields take it: text, or several."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return [str(one) for one in value]
    return "" if value is None else str(value)
