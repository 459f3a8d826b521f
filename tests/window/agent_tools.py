"""Tools for tests of the window that show steps and start helpers, and answers that wait for the test.

They do through the engine what `plan_steps` and `delegate` do, but are brought by the test itself.
"""

from __future__ import annotations

import asyncio
import threading
from typing import Any

from app.models.request import ToolSchema
from app.toolbox.foreign import Call, ForeignTool
from tests.servers.scripted import Exchange, Script, calls
from tests.window.furnished import Furnished
from tools import ToolResult


class Held:
    """A script that waits until the test lets it go on."""

    def __init__(self, script: Script) -> None:
        self._script, self._go = script, threading.Event()

    def go(self) -> None:
        """Let the answer come."""
        self._go.set()

    async def __call__(self, exchange: Exchange) -> None:
        await asyncio.to_thread(self._go.wait, 60)
        await self._script(exchange)


def register(furnished: Furnished, tool: ForeignTool) -> None:
    """Bring a tool into the open window's engine."""

    async def add(engine: Any) -> None:
        engine._parts.registry.put(tool.source, [tool])

    furnished.ask(add)


def checklist() -> ForeignTool:
    """Return a tool that shows what it is given as steps."""

    async def call(here: Any, arguments: dict[str, Any]) -> ToolResult:
        return ToolResult("noted", summary="noted", view="steps", data={"steps": arguments["steps"]})

    return _tool("checklist", "Plan steps", call, reading=True)


def plan(*states: str) -> Script:
    """Return an answer that calls `checklist` with steps in these states."""
    steps = [{"text": f"Do thing {at}", "state": state} for at, state in enumerate(states, 1)]
    return calls(("use_tool", {"name": "checklist", "arguments": {"steps": steps}}))


def delegate() -> ForeignTool:
    """Return a tool that starts helpers and shows them."""

    async def call(here: Any, arguments: dict[str, Any]) -> ToolResult:
        reports = await here.context().helpers.run(arguments["tasks"])
        told = [
            {"session": one.session, "task": one.task, "ok": one.ok, "rounds": one.rounds} for one in reports
        ]
        done = sum(one.ok for one in reports)
        text = "\n".join(one.text for one in reports)
        return ToolResult(text, f"{done} of {len(told)} done", done > 0, "helpers", {"helpers": told})

    return _tool("delegate", "Delegate", call)


def helps(*tasks: str) -> Script:
    """Return an answer that calls `delegate` with these tasks."""
    return calls(("use_tool", {"name": "delegate", "arguments": {"tasks": list(tasks)}}))


def _tool(name: str, verb: str, call: Call, *, reading: bool = False) -> ForeignTool:
    schema = ToolSchema(name=name, description=f"{verb}.", parameters={"type": "object"})
    return ForeignTool(
        name=name,
        category="test",
        source=f"test:{name}",
        schema=schema,
        call=call,
        reading=reading,
        verb=verb,
    )
