"""The window in a turn, two `ask` and `tools call` on one store at once: nothing lost, nothing locked."""

from __future__ import annotations

import json
import subprocess
import threading
import time
from pathlib import Path

import pytest

from tests.servers.scripted import Exchange, chunk, scripted_in_thread
from tests.whole.test_desk import bramble, furnish, served
from tests.window.desk import LAUNCH, Desk, until


async def answers(exchange: Exchange) -> None:
    """Answer each request at some length; the window's turn goes on by reading calls."""
    messages = exchange.request.json["messages"]
    asked = next(message["content"] for message in reversed(messages) if message["role"] == "user")
    await exchange.head()
    for number in range(20):
        await exchange.events(chunk({"content": f"piece {number} "}))
    if "window" in asked and "tools" in exchange.request.json:
        call = {"index": 0, "id": f"c{exchange.number}", "type": "function"}
        arguments = json.dumps({"path": ".", "depth": 1 + exchange.number % 5})
        call["function"] = {"name": "list_dir", "arguments": arguments}
        await exchange.events(chunk({"tool_calls": [call]}), chunk(finish="tool_calls"), "[DONE]")
    else:
        await exchange.events(chunk(finish="stop"), "[DONE]")
    await exchange.end()


@pytest.mark.proof("together", small=8, full=60)
def test_four_processes_on_one_store(desk: Desk, tmp_path: Path, count: int) -> None:
    """`count` is the seconds that all of them work."""
    home, folder = furnish(tmp_path)
    (folder / "a.txt").write_text("a\n")
    with scripted_in_thread(answers) as server:
        environ = desk.environ(home, served(server))
        window = desk.start(home, **served(server)).ready()
        desk.wait_for_focus("Bramble")
        desk.type("window: go on")
        desk.key("Return")
        until(lambda: server.requests, "the window's turn")
        failures: list[str] = []
        done = {"ask": 0, "call": 0}
        until_when = time.monotonic() + count

        def again(kind: str, *words: str) -> None:
            while time.monotonic() < until_when:
                ran = subprocess.run(
                    [*LAUNCH, *words], env=environ, capture_output=True, text=True, timeout=120
                )
                if ran.returncode or "locked" in ran.stderr:
                    failures.append(f"{words}: {ran.returncode} {ran.stderr[-500:]}")
                    return
                done[kind] += 1

        ask = ("ask", "--cwd", str(folder), "--json")
        call = ("tools", "call", "read_file", "--args", '{"path": "a.txt"}', "--cwd", str(folder), "--json")
        threads = [
            threading.Thread(target=again, args=("ask", *ask, "one")),
            threading.Thread(target=again, args=("ask", *ask, "two")),
            threading.Thread(target=again, args=("call", *call)),
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert failures == []
        assert window.process.poll() is None and "locked" not in window.said(), window.said()
        desk.key("Escape")
        sessions = bramble(desk, home, server, "sessions", "list")
        desk.close_windows()
        assert done["ask"] >= 2 and done["call"] >= 1
        assert len(sessions) == done["ask"] + 1
        for session in sessions:
            told = bramble(desk, home, server, "sessions", "export", session["id"], "--format", "json")
            assert "piece 19" in json.dumps(told), "an answer was lost"
