"""A whole engine for the tests of servers, over a home of its own, and a look at what it leaves behind."""

from __future__ import annotations

import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from app.engine import Engine
from app.errors import BrambleError
from app.events import Event
from app.platform.paths import home
from app.records import TurnOptions
from app.toolbox.mcp.places import servers_path
from app.toolbox.mcp.servers import ServerFile
from tests.toolbox.mcp.server_desk import left_behind, until


class Desk:
    """An engine over a home of its own."""

    def __init__(self, root: Path, environ: dict[str, str]) -> None:
        self.root = root
        self.environ = environ
        self.engine = Engine(home(environ), environ)
        self.events: list[Event] = []
        self.engine.subscribe(self.events.append)

    @property
    def mcp(self) -> Any:
        return self.engine.mcp

    @property
    def file(self) -> ServerFile:
        return ServerFile(servers_path(self.engine.home.settings))

    def names(self) -> set[str]:
        """The tools of servers that a turn could call now."""
        return {info.name for info in self.engine.tools() if info.source.startswith("mcp:")}

    async def call(self, name: str, **options: Any) -> tuple[bool, str, str]:
        """Call a tool; return whether it worked, its text, and the decision."""
        arguments = json.dumps(options.pop("arguments", {}))
        done = await self.engine.call_tool(
            name, arguments, cwd=str(self.root), options=TurnOptions(attended=False, **options)
        )
        return done.ok, done.text, done.decision


@asynccontextmanager
async def opened(root: Path) -> AsyncIterator[Desk]:
    """Yield an open engine; nothing of its servers is left afterwards."""
    before = set(left_behind())
    environ = {name: value for name, value in os.environ.items() if not name.startswith("BRAMBLE_")}
    environ |= {"BRAMBLE_HOME": str(root / "home"), "PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring"}
    desk = Desk(root, environ)
    await desk.engine.open()
    try:
        yield desk
    finally:
        await desk.engine.close()
    await until(lambda: set(left_behind()) <= before)


async def code_of(work: Any) -> str:
    with pytest.raises(BrambleError) as caught:
        await work
    return caught.value.code
