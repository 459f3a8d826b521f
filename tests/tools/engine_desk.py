"""Tools through the whole engine: an open one whose questions are answered at once."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any, Literal

from app.engine import Engine
from app.events import ApprovalAsked, Event, ToolFinished
from app.platform.paths import home as find_home
from app.records import Answer, Approval, TurnOptions


@asynccontextmanager
async def open_engine(
    environ: Mapping[str, str], answer: Literal["allow", "deny"] = "allow"
) -> AsyncIterator[tuple[Engine, list[Approval]]]:
    """Yield an open engine and what it asks, in order; each question gets this answer."""
    engine = Engine(find_home(dict(environ)), environ)
    asked: list[Approval] = []
    tasks: list[asyncio.Task[bool]] = []

    def hear(event: Event) -> None:
        if isinstance(event, ApprovalAsked):
            asked.append(event.approval)
            given = Answer(decision=answer, by="window")
            tasks.append(asyncio.create_task(engine.answer(event.approval.id, given)))

    await engine.open()
    engine.subscribe(hear)
    try:
        yield engine, asked
        await asyncio.gather(*tasks)
    finally:
        await engine.close()


def engine_in(
    home: Path, answer: Literal["allow", "deny"] = "allow", **environ: str
) -> AbstractAsyncContextManager[tuple[Engine, list[Approval]]]:
    """Return an open engine below `home`, in the environment of the tests and `environ`."""
    return open_engine({**os.environ, "BRAMBLE_HOME": str(home), **environ}, answer)


async def call(
    engine: Engine, cwd: Path, called: str, given: Mapping[str, Any], options: TurnOptions = TurnOptions()
) -> ToolFinished:
    """Run one tool in a folder, outside of any conversation."""
    return await engine.call_tool(called, json.dumps(given), cwd=str(cwd), options=options)
