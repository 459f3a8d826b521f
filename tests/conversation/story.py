"""One conversation over several lives of the engine against a scripted server, for tests of what goes to the
model.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec

from app.engine import Engine
from app.models.request import ToolSchema
from app.platform.paths import home as home_of
from app.records import ContextReport, TurnOptions
from app.toolbox.foreign import ForeignTool
from app.toolbox.here import Here
from tests.servers.scripted import Script, ScriptedServer, calls
from tools import ToolResult

DAY = 86_400.0
NOON = 1_780_000_000.0
OPTIONS = TurnOptions(yes=True, deny=("run_command(rm *)",))


async def _look_up(here: Here, arguments: dict[str, Any]) -> ToolResult:
    return ToolResult("found")


LATE = ForeignTool(
    "late__lookup",
    "late",
    "mcp:late",
    ToolSchema(name="late__lookup", description="Look a customer up.", parameters={"type": "object"}),
    _look_up,
    reading=True,
)


class Story:
    """One conversation over several lives of the engine; the clock is the test's own."""

    def __init__(self, place: Path, server: ScriptedServer, **environ: str) -> None:
        self.place, self.server, self.now, self.session = place, server, NOON, ""
        self.folder = place / "work"
        self.folder.mkdir()
        self.environ = {
            **os.environ,
            "BRAMBLE_HOME": str(place / "home"),
            "BRAMBLE_BASE_URL": server.url,
            "BRAMBLE_API_KEY": "key",
            "BRAMBLE_MODEL": "scripted",
            **environ,
        }
        self.engine: Engine

    async def begin(self) -> None:
        """Start the engine, as after a restart."""
        self.engine = Engine(home_of(self.environ), self.environ, clock=lambda: self.now)
        await self.engine.open()
        if not self.session:
            self.session = (await self.engine.sessions.create(cwd=str(self.folder))).id

    async def turn(self, words: str, options: TurnOptions = OPTIONS) -> str:
        """Say something; return how the turn ended."""
        self.now += 60
        await self.engine.send(self.session, words, options)
        ended = await self.engine.wait(self.session)
        assert ended is not None
        return ended.stop

    async def report(self) -> ContextReport:
        """Look at the next request."""
        return await self.engine.context(session=self.session)

    @property
    def registry(self) -> Any:
        """The living registry."""
        return self.engine._parts.registry


def use(name: str, /, **arguments: Any) -> Script:
    """Call a tool over the bridge."""
    return calls(("use_tool", {"name": name, "arguments": arguments}))


def find(query: str) -> Script:
    """Search for a tool."""
    return calls(("find_tools", {"query": query}))


def begins(server: ScriptedServer) -> Iterator[bool]:
    """Yield for each request whether the next one begins with it; cache marks, which slide, set aside."""
    sent = [_bare(one.body) for one in server.requests]
    for before, after in pairwise(sent):
        yield after.startswith(before[: before.rindex(b"]}")])


def _bare(body: bytes) -> bytes:
    if b'"cache_control"' not in body:
        return body
    return msgspec.json.encode(unmarked(msgspec.json.decode(body)))


def unmarked(value: Any) -> Any:
    """Return JSON data without cache marks."""
    if isinstance(value, dict):
        return {key: unmarked(one) for key, one in value.items() if key != "cache_control"}
    return [unmarked(one) for one in value] if isinstance(value, list) else value
