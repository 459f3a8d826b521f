"""A turn that finds a server's tool, is asked about it, and calls it; with a real process behind it."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from app.engine import Engine
from app.events import ApprovalAsked, Event, ToolStarted
from app.platform.paths import home
from app.records import Answer, Mark, ServerEffect, TurnOptions
from app.toolbox.mcp import child
from tests.servers.scripted import calls, says, scripted as model
from tests.toolbox.mcp.server_desk import left_behind, scripted, until

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the scripted servers are for POSIX")


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child, "GRACE_SECONDS", 0.2)


async def test_found_asked_about_called_and_marked(tmp_path: Path) -> None:
    before = set(left_behind())
    call = calls(("use_tool", {"name": "s__echo", "arguments": {"text": "hello"}}))
    async with model(
        calls(("find_tools", {"query": "s__echo"})), call, says("done"), call, says("done")
    ) as server:
        environ = {
            **os.environ,
            "BRAMBLE_HOME": str(tmp_path / "home"),
            "BRAMBLE_BASE_URL": server.url,
            "BRAMBLE_API_KEY": "key",
            "BRAMBLE_MODEL": "scripted",
        }
        engine = Engine(home(environ), environ)
        events: list[Event] = []
        engine.subscribe(events.append)
        await engine.open()
        try:
            await engine.mcp.add(scripted(), approved=True)
            session = (await engine.sessions.create(cwd=str(tmp_path))).id
            await engine.send(session, "Echo hello")
            await until(lambda: any(isinstance(event, ApprovalAsked) for event in events))
            (approval,) = (event.approval for event in events if isinstance(event, ApprovalAsked))
            effect = approval.effect
            assert isinstance(effect, ServerEffect) and approval.tool == "s__echo"
            assert (effect.server, effect.tool, effect.says) == ("s", "echo", "reads")
            assert json.loads(effect.arguments) == {"text": "hello"}
            assert approval.offers == (("s__echo(*)",),)
            await engine.answer(approval.id, Answer(decision="allow", scope="session"))
            await engine.wait(session)
            started = [event for event in events if isinstance(event, ToolStarted)]
            assert [(event.call.name, event.verb) for event in started][-1] == ("s__echo", "s: echo")
            messages = await engine.sessions.messages(session)
            answer = next(one for one in reversed(messages) if one.role == "tool")
            assert answer.text == "echo: hello" and answer.marks == (Mark(kind="mcp", name="s"),)
            # The rule that was saved holds for the same server, but not beside text from elsewhere.
            events.clear()
            await engine.send(session, "Again")
            await engine.wait(session)
            assert not any(isinstance(event, ApprovalAsked) for event in events)
            page = (Mark(kind="web", name="a.org"),)
            judged = await engine.explain(
                "s__echo", "{}", cwd=str(tmp_path), options=TurnOptions(marks=page), session=session
            )
            assert (judged.decision, judged.reason) == ("ask", "untrusted")
        finally:
            await engine.close()
    await until(lambda: set(left_behind()) <= before)
