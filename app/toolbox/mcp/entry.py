"""One configured server in this process: its entry of the file, its connection, and what that comes to."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any

import msgspec

from app.errors import ToolError
from app.platform.plain_text import visible
from app.records import HeldTool, ServerEffect, ServerInfo, ServerState
from app.toolbox.foreign import ForeignTool
from app.toolbox.here import Here
from app.toolbox.mcp.connection import Connection
from app.toolbox.mcp.definitions import Definition, agreed, names, read_definitions, shown, told
from app.toolbox.mcp.spec import ServerSpec, print_of
from tools import ToolResult

VERB_CAP = 80
"""Characters of a row's words that come from a server."""


def source_of(server: str) -> str:
    """Return the source of a server's tools in the registry."""
    return f"mcp:{server}"


class Entry:
    """A server. `connection` is None while it is not to be there, or was never wanted in this process."""

    def __init__(self, spec: ServerSpec, texts: Mapping[str, str]) -> None:
        self.spec = spec
        self.connection: Connection | None = None
        self.texts: dict[str, str] = {}
        """The definitions that were agreed to, as far as they were kept."""
        self.known: tuple[Definition, ...] = ()
        """Those of them that fit their prints."""
        self.learn(texts)
        self.signed_in = False

    @property
    def wanted(self) -> bool:
        """Whether it may be started."""
        return self.spec.enabled and not self.spec.fault and self.spec.is_approved

    @property
    def state(self) -> ServerState:
        """What is the matter with it."""
        if self.connection is not None:
            return self.connection.state
        if self.spec.enabled and not self.spec.fault and not self.spec.is_approved:
            return "approval"
        return "off"

    def learn(self, texts: Mapping[str, str]) -> None:
        """Take the texts of the definitions that were agreed to."""
        self.texts = dict(texts)
        before = read_definitions(filter(None, map(_parsed, texts.values())))
        self.known = agreed(before, self.spec.pinned or {}, {}).tools

    def usable(self) -> tuple[Definition, ...]:
        """Return what can be called now; while it is not connected, what was agreed to before."""
        connection = self.connection
        if connection is None or connection.state != "ready":
            return self.known
        return agreed(connection.definitions, self.spec.pinned, self.texts).tools

    def held(self) -> tuple[HeldTool, ...]:
        """Return what is held back."""
        if self.connection is None:
            return ()
        return agreed(self.connection.definitions, self.spec.pinned, self.texts).held

    def tools(self) -> tuple[ForeignTool, ...]:
        """Return its tools for the registry."""
        return tuple(self._tool(one, name) for one, name in self._named(self.usable()))

    def left_out(self) -> dict[str, str]:
        """Return its tools that cannot be called now, each with what a model is told that calls it."""
        server = self.spec.id
        if self.state in ("off", "approval"):
            said = "is switched off" if self.state == "off" else "waits for the person's approval"
            why = f"The server {server} {said}, so its tools cannot be called. Tell them of it."
            return {name: why for _, name in self._named(self.known)}
        held = {one.tool for one in self.held()}
        found = (
            tuple(one for one in self.connection.definitions if one.tool in held) if self.connection else ()
        )
        return {
            name: f"The server {server} says something else of its tool {visible(one.tool)} than what the"
            " person agreed to, so it cannot be called. Tell them; only they can look at it and agree."
            for one, name in self._named(found)
        }

    def info(self) -> ServerInfo:
        """Return it as a person sees it."""
        spec, connection = self.spec, self.connection
        return ServerInfo(
            id=spec.id,
            state=self.state,
            reason=connection.reason if connection else "",
            fault=spec.fault,
            command=spec.command,
            url=spec.url,
            environment=(*spec.env, *spec.secrets),
            headers=spec.headers,
            enabled=spec.enabled,
            package=spec.package,
            version=spec.version,
            seconds=spec.seconds,
            tools=tuple(shown(one, name, spec.id) for one, name in self._named(self.usable())),
            held=self.held(),
            title=connection.title if connection else "",
            stderr=connection.tail.text if connection else "",
            signed_in=self.signed_in,
            print="" if spec.fault else print_of(spec),
        )

    def _named(self, found: tuple[Definition, ...]) -> list[tuple[Definition, str]]:
        """Names are made of all tools, held ones too: a name never moves to another tool."""
        every = {one.tool for one in found} | set(self.spec.pinned or ())
        every |= {one.tool for one in self.connection.definitions} if self.connection else set()
        mapped = names(self.spec.id, sorted(every))
        return [(one, mapped[one.tool]) for one in found]

    def _tool(self, definition: Definition, name: str) -> ForeignTool:
        async def call(here: Here, arguments: dict[str, Any]) -> ToolResult:
            return await self._call(definition, here, arguments)

        return ForeignTool(
            name=name,
            category=self.spec.id,
            source=source_of(self.spec.id),
            schema=told(definition, name),
            call=call,
            verb=visible(f"{self.spec.id}: {definition.title or definition.tool or 'tool'}")[:VERB_CAP],
        )

    async def _call(self, definition: Definition, here: Here, arguments: dict[str, Any]) -> ToolResult:
        """Ask, then call. What was agreed to is looked at again, since a server that ended comes back with
        whatever it says now.
        """
        from app.toolbox.mcp.results import result_of

        text = json.dumps(arguments, indent=2, ensure_ascii=False).encode("utf-8", "replace").decode()
        effect = ServerEffect(server=self.spec.id, tool=definition.tool, arguments=text, says=definition.says)
        await here.gate.permit(effect)
        connection = self.connection
        if connection is None:
            why = "It was switched off or removed."
            raise ToolError(
                "server_failed", f"The server {self.spec.id} failed: {why}", server=self.spec.id, why=why
            )
        await connection.ready()
        if not any(one.tool == definition.tool and one.digest == definition.digest for one in self.usable()):
            why = f"Its tool {definition.tool} is not as the person agreed to it, so it was not called."
            raise ToolError(
                "server_failed", f"The server {self.spec.id} failed: {why}", server=self.spec.id, why=why
            )
        answer = await connection.call(definition.tool, json.loads(text), here.progress)
        return await asyncio.to_thread(result_of, answer)  # it may be megabytes


def _parsed(text: str) -> dict[str, Any] | None:
    try:
        raw = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return None
    return raw if isinstance(raw, dict) else None
