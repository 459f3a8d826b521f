"""A desk whose GitHub is one of ours on a loopback socket."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from app.settings import Settings
from tests.servers.github import TOKEN, GitHub
from tests.servers.scripted import scripted
from tests.tools.online_desk import OnlineDesk


@asynccontextmanager
async def desk_with(folder: Path, hub: GitHub, key: str = TOKEN) -> AsyncIterator[OnlineDesk]:
    """Yield a desk that is signed in with `key`, "" for nobody."""
    async with scripted(hub.script) as server:
        desk = OnlineDesk(folder, Settings(services={"github": server.url.removesuffix("/v1") + "/"}))
        desk.keys = {"github": key} if key else {}
        yield desk
