"""kill -9 of the real program in the middle of a stream and of an edit: nothing torn, nothing unanswered."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from app.engine import Engine
from app.platform.paths import home
from app.records import Message
from tests.servers.scripted import Exchange, scripted

ROOT = Path(__file__).resolve().parents[2]
OLD = "".join(f"line {number}\n" for number in range(20_000))
NEW = OLD.replace("line 7\n", "line seven\n").replace("line 19999\n", "the end\n")


def call_chunk(name: str, arguments: dict[str, Any], number: int) -> dict[str, Any]:
    call = {"index": 0, "id": f"call_{number}", "type": "function"}
    call["function"] = {"name": name, "arguments": json.dumps(arguments)}
    return {"choices": [{"index": 0, "delta": {"tool_calls": [call]}}]}


FINISH = {"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]}


def environment(tmp_path: Path, url: str) -> dict[str, str]:
    return {
        "BRAMBLE_HOME": str(tmp_path / "home"),
        "BRAMBLE_BASE_URL": url,
        "BRAMBLE_API_KEY": "k",
        "BRAMBLE_MODEL": "scripted",
        "PATH": os.environ["PATH"],
        "LANG": "C.UTF-8",
    }


def ask(tmp_path: Path, url: str, text: str) -> subprocess.Popen[bytes]:
    folder = tmp_path / "work"
    folder.mkdir(exist_ok=True)
    command = [
        sys.executable,
        "-P",
        str(ROOT / "ui" / "launch.py"),
        "ask",
        "--yes",
        "--cwd",
        str(folder),
        text,
    ]
    return subprocess.Popen(
        command,
        env=environment(tmp_path, url),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=tmp_path,
    )


async def reopened(tmp_path: Path) -> list[list[Message]]:
    """Return the messages of every session as a new process finds them after it said something there."""
    variables = environment(tmp_path, "http://127.0.0.1:9/v1")
    engine = Engine(home(variables), variables)
    await engine.open()
    try:
        assert engine.problem is None
        return [list(await engine.sessions.messages(info.id)) for info in await engine.sessions.list()]
    finally:
        await engine.close()


def whole(history: list[Message]) -> bool:
    """Whether every call has exactly one result."""
    declared = [call.id for message in history for call in message.calls]
    answered = [message.call for message in history if message.role == "tool"]
    return declared == answered


@pytest.mark.proof("kill-stream", small=3, full=50)
async def test_kill_in_the_middle_of_a_stream(tmp_path: Path, count: int, seed: int) -> None:
    chance = random.Random(seed)
    for number in range(count):
        place = tmp_path / str(number)
        place.mkdir()
        begun = asyncio.Event()
        pieces = chance.randrange(1, 30)

        async def script(exchange: Exchange, pieces: int = pieces, begun: asyncio.Event = begun) -> None:
            await exchange.head()
            for piece in range(pieces):
                await exchange.events({"choices": [{"index": 0, "delta": {"content": f"word{piece} "}}]})
            begun.set()
            await exchange.gone()

        async with scripted(script) as server:
            process = ask(place, server.url, "tell me")
            await asyncio.wait_for(begun.wait(), 60)
            await asyncio.sleep(chance.random() * 0.5)  # where in the stream's writing the kill falls
            process.send_signal(signal.SIGKILL)
            process.wait()
        (history,) = await reopened(place)
        assert history[0].text == "tell me"
        assert whole(history)
        assert all(message.state != "streaming" for message in history)
        for message in history[1:]:
            assert message.text == "".join(f"word{n} " for n in range(message.text.count("word")))


@pytest.mark.proof("kill-edit", small=4, full=100)
async def test_kill_in_the_middle_of_an_edit(tmp_path: Path, count: int, seed: int) -> None:
    chance = random.Random(seed)
    edits = [{"old": "line 7\n", "new": "line seven\n"}, {"old": "line 19999\n", "new": "the end\n"}]
    seen = set()
    for number in range(count):
        place = tmp_path / str(number)
        (place / "work").mkdir(parents=True)
        file = place / "work" / "big.txt"
        file.write_text(OLD)
        called = asyncio.Event()

        async def script(exchange: Exchange, called: asyncio.Event = called) -> None:
            await exchange.head()
            if exchange.number == 1:
                await exchange.events(
                    call_chunk("edit_file", {"path": "big.txt", "edits": edits}, 1), FINISH, "[DONE]"
                )
                await exchange.end()
                called.set()
            else:
                await exchange.gone()

        async with scripted(script) as server:
            process = ask(place, server.url, "edit it")
            await asyncio.wait_for(called.wait(), 60)
            await asyncio.sleep(chance.random() * 0.25)  # the kill falls before, within or after the write
            process.send_signal(signal.SIGKILL)
            process.wait()
        (history,) = await reopened(place)
        text = file.read_text()
        assert text in (OLD, NEW), "the file is torn"
        seen.add(text == NEW)
        assert whole(history)
        assert [entry.name for entry in (place / "work").iterdir()] == ["big.txt"], (
            "a temporary file was left"
        )
    if count >= 50:
        assert seen == {True, False}, "the kills never fell on both sides of the write"
