"""A desk for the tests of servers: connections with short waits, and a look at what is left behind."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from app.platform.processes import MARK
from app.platform.spawning import environment, find_bash
from app.platform.warden import Warden
from app.toolbox.mcp.connection import Connection
from app.toolbox.mcp.opening import SignIn
from app.toolbox.mcp.programs import Programs
from app.toolbox.mcp.spec import ServerSpec

SCRIPTED = Path(__file__).with_name("scripted.py")
PAUSES = (0.02, 0.05)


def scripted(*words: str, **fields: Any) -> ServerSpec:
    """Return a server that misbehaves as told."""
    command = (sys.executable, "-I", str(SCRIPTED), *words)
    return ServerSpec(**{"id": "s", "command": command, "seconds": 10.0, "start_seconds": 10.0, **fields})


class NoSignIn:
    """Signs nothing."""

    refused = False
    auth: Any = None


class DeskMeans:
    """See Means."""

    def __init__(self, folder: Path, environ: Mapping[str, str] | None = None, **secrets: str) -> None:
        self.folder = folder / "servers"
        self.programs = Programs(environ if environ is not None else os.environ)
        self.warden: Warden | None = None
        self._secrets = secrets

    async def secrets(self, server: str, names: tuple[str, ...]) -> dict[str, str]:
        return {name: self._secrets[name] for name in names}

    def sign_in(self, spec: ServerSpec) -> SignIn:
        return NoSignIn()


@asynccontextmanager
async def connected(spec: ServerSpec, means: DeskMeans, pauses: tuple[float, ...] = PAUSES) -> Any:
    """Yield a connection that has settled; nothing of it is left afterwards."""
    before = set(left_behind())
    bash = find_bash()
    means.warden = Warden(bash, environment(os.environ)) if bash else None
    connection = Connection(spec, means, lambda: None, pauses)
    connection.begin()
    try:
        await asyncio.wait_for(connection.settled(), 20)
        yield connection
    finally:
        await asyncio.wait_for(connection.close(), 20)
        if means.warden:
            means.warden.close()
    await until(lambda: set(left_behind()) <= before)


async def until(condition: Callable[[], object], seconds: float = 10) -> None:
    """Wait for a condition; fail when it does not come true."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not come true in time"
        await asyncio.sleep(0.01)


def left_behind() -> list[int]:
    """Return the processes that servers of this process, and of those it began, have started, and those that
    nobody has any more; another run of the tests, or of the program, may have servers of its own.
    """
    parents: dict[int, int] = {}
    marked: set[int] = set()
    for name in os.listdir("/proc") if sys.platform == "linux" else ():
        if not name.isdigit():
            continue
        try:
            environ = Path("/proc", name, "environ").read_bytes().split(b"\0")
            state, parent = Path("/proc", name, "stat").read_text().rpartition(")")[2].split()[:2]
        except OSError:
            continue
        parents[int(name)] = int(parent)
        if state not in "ZX" and any(entry.startswith(f"{MARK}=".encode()) for entry in environ):
            marked.add(int(name))

    def ours(process: int) -> bool:
        while process in marked:
            process = parents.get(process, 1)
        nobodys = process <= 1
        while process > 1 and process != os.getpid():
            process = parents.get(process, 1)
        return nobodys or process == os.getpid()

    return sorted(one for one in marked - {os.getpid()} if ours(one))


def text_of(answer: Any) -> str:
    """Return the text of an answer of the SDK."""
    return "\n".join(block.text for block in answer.content if block.type == "text")
