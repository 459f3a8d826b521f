"""The servers of a process are taken from their file as a whole, whoever looks or gives up meanwhile."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest

from app.toolbox.mcp import child
from app.toolbox.mcp.pins import Texts
from tests.toolbox.mcp.engine_desk import Desk, opened
from tests.toolbox.mcp.server_desk import left_behind, scripted, until

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the scripted servers are for POSIX")


class Held(Texts):
    """Texts whose reading waits until it is let go."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.begun, self.go = threading.Event(), threading.Event()

    def read(self, server: str) -> dict[str, str]:
        self.begun.set()
        assert self.go.wait(30)
        return super().read(server)


@pytest.fixture
async def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Desk]:
    monkeypatch.setattr(child, "GRACE_SECONDS", 0.2)
    async with opened(tmp_path) as made:
        yield made


async def test_whoever_looks_while_the_file_is_read_again_sees_all_servers(desk: Desk) -> None:
    await desk.mcp.add(scripted(id="first"))
    await desk.mcp.add(scripted(id="second"), approved=True)
    fleet = desk.mcp._fleet
    held = fleet.texts = Held(fleet.texts._folder)
    desk.file.edit("first", lambda spec: msgspec.structs.replace(spec, command=(*spec.command, "louder")))
    looking = asyncio.create_task(desk.mcp.list())
    try:
        await until(held.begun.is_set)
        assert set(fleet.entries) == {"first", "second"} and "second__echo" in desk.names()
    finally:
        held.go.set()
    assert [info.id for info in await looking] == ["first", "second"]
    assert (await desk.mcp.info("first")).command[-1] == "louder"


async def test_one_who_gives_up_leaves_no_server_that_nobody_knows(desk: Desk) -> None:
    await desk.mcp.add(scripted(id="first"), approved=True)
    fleet = desk.mcp._fleet
    held = fleet.texts = Held(fleet.texts._folder)
    spec = fleet.entries["first"].spec
    desk.file.put(msgspec.structs.replace(spec, id="second"), new=True)
    looking = asyncio.create_task(desk.mcp.list())
    await until(held.begun.is_set)
    looking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await looking
    held.go.set()
    await until(lambda: set(fleet.entries) == {"first", "second"})
    assert fleet.entries["first"].state == "ready"
    assert [info.id for info in await desk.mcp.list()] == ["first", "second"]
    await desk.mcp.close()
    await until(lambda: left_behind() == [])


async def test_who_only_looks_at_a_request_or_judges_a_call_starts_no_server(tmp_path: Path) -> None:
    async with opened(tmp_path) as first:
        await first.mcp.add(scripted(), approved=True)
    await until(lambda: left_behind() == [])
    async with opened(tmp_path) as desk:
        report = await desk.engine.context(cwd=str(tmp_path))
        judged = await desk.engine.explain("s__echo", "{}", cwd=str(tmp_path))
        assert "s (server, 11 tools)" in report.body and judged.reason == "server"
        assert left_behind() == [] and desk.mcp._fleet.entries["s"].connection is None
        assert (await desk.call("s__echo", arguments={"text": "hi"}, yes=True))[1] == "echo: hi"
