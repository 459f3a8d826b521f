"""Helpers at the terminal: a line for each below its call, also where a kill took the call away."""

from __future__ import annotations

import time
from typing import Any

from app.records import HelperInfo, View
from tests.servers.scripted import Script, calls, says
from tests.terminal.conftest import Bramble, Start
from tests.terminal.model_server import ModelServer, holds
from ui.terminal.helpers import helpers_of, untold


def decide(body: dict[str, Any]) -> Script:
    """Give two helpers a task; one of them never ends its answer where its task says so."""
    first = next(str(one["content"]) for one in body["messages"] if one["role"] == "user")
    if "part of it" in first:
        return holds("I begin") if "for ever" in first else says("My part is fine.")
    if body["messages"][-1]["role"] == "tool":
        return says("All done.")
    wait = " for ever" if "wait" in first else ""
    return calls(("delegate", {"tasks": ["a part of it", f"another part of it{wait}"]}))


def test_each_helper_is_a_line_that_leads_to_all_of_it(bramble: Bramble, server: ModelServer) -> None:
    server.decide = decide
    ran = bramble("ask", "--yes", "Do it.").sound()
    lines = [line.strip() for line in ran.err.splitlines() if "sessions show" in line]
    assert len(lines) == 2 and "done · a part of it ·" in lines[0]
    (session,) = [one["id"] for one in bramble("sessions", "list", "--json").value]
    shown = bramble("sessions", "show", session).sound().out
    assert lines == [line.strip() for line in shown.splitlines() if "sessions show" in line]
    helper = lines[0].split()[-1]
    assert "My part is fine." in bramble("sessions", "show", helper).sound().out
    told = bramble("sessions", "show", session, "--json").value
    assert helper in {one["session"] for one in told["helpers"]}


def test_helpers_whose_call_was_killed_are_found(bramble: Bramble, server: ModelServer, start: Start) -> None:
    server.decide = decide
    process = start("ask", "--yes", "Do it and wait.")
    until = time.monotonic() + 60
    while not any("another part of it for ever" in str(one["messages"][1:2]) for one in server.requests):
        assert process.poll() is None and time.monotonic() < until
        time.sleep(0.02)
    process.kill()
    process.wait()
    (session,) = [one["id"] for one in bramble("sessions", "list", "--json").value]
    shown = bramble("sessions", "show", session).sound().out
    assert "Helpers whose call did not end:" in shown
    lines = [line for line in shown.splitlines() if "sessions show" in line]
    assert len(lines) == 2 and any("ended early · another part of it for ever" in line for line in lines)


def test_nothing_of_a_result_is_taken_for_granted() -> None:
    data = {"helpers": [3, {}, {"session": ""}, {"session": "a", "task": None, "ok": "yes"}]}
    (one,) = helpers_of(View(kind="helpers", data=data))
    assert (one.session, one.ok) == ("a", False)
    assert helpers_of(View(kind="helpers", data={"helpers": "x"})) == helpers_of(View()) == ()
    stored = HelperInfo(session="b", task="t", rounds=1, began=0.0, ok=True)
    assert [left.session for left in untold([stored], [])] == ["b"]
