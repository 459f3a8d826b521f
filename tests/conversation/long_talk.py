"""A model with a small window behind a real socket, and a person who talks with it for long.

The model counts tokens as a provider does and refuses what is too long; asked for a summary it writes one of
what it was sent; else it reads one file after the other and says a word in between.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from app.engine import Engine
from app.events import Event
from app.models import tokens
from app.platform.paths import home as home_of
from app.records import TurnOptions
from tests.servers.scripted import Exchange, chunk, piece, usage_chunk

HEADINGS = ("Goal", "Constraints", "Done", "Decisions", "Open", "Files touched")
ASKED = "Use exactly these six headings"
YES = TurnOptions(yes=True)


def summary(**parts: str) -> str:
    """Return a summary as the model is asked for it."""
    return "\n".join(f"## {name}\n- {parts.get(name.split()[0].lower(), 'None.')}" for name in HEADINGS)


def size_of(body: dict[str, Any]) -> int:
    """Return about the tokens that a provider counts for a request."""
    texts = [json.dumps(body.get("tools", []))]
    for message in body["messages"]:
        texts.append(str(message.get("content") or ""))
        texts += [json.dumps(call["function"]) for call in message.get("tool_calls", ())]
    return sum(map(tokens.estimate, texts)) + 6 * len(body["messages"])


@dataclass
class SmallModel:
    """The server's side. `sizes` are the tokens of every request that was let in, `summaries` count."""

    window: int
    rounds: int = 10
    """Calls of a turn before it says something."""
    counts: bool = True
    """Whether it tells the tokens."""
    sizes: list[int] = field(default_factory=list)
    refused: list[int] = field(default_factory=list)
    summaries: int = 0
    bodies: list[dict[str, Any]] = field(default_factory=list)
    since: int = 0
    """Calls since it last said something."""
    read: list[int] = field(default_factory=list)
    """The files that it asked for, in order."""
    on_summary: Callable[[Exchange, dict[str, Any]], Any] | None = None
    """Answers in place of a summary; gives None to let the model write it."""

    async def __call__(self, exchange: Exchange) -> None:
        body = exchange.request.json
        size = size_of(body)
        if size > self.window:
            self.refused.append(size)
            words = f"This model's maximum context length is {self.window} tokens, you sent {size}."
            await exchange.answer(400, {"error": {"message": words, "code": "context_length_exceeded"}})
            return
        self.sizes.append(size)
        self.bodies.append(body)
        last = str(body["messages"][-1].get("content") or "")
        if body["messages"][-1]["role"] == "user" and ASKED in last:
            await self._summarise(exchange, body, size)
        elif self.since < self.rounds and body.get("tool_choice") != "none":
            self.since += 1
            await self._call(exchange, size)
        else:
            self.since = 0
            await self._say(exchange, f"I have read {len(self.read)} files. " + "All is well. " * 20, size)

    async def _summarise(self, exchange: Exchange, body: dict[str, Any], size: int) -> None:
        self.summaries += 1
        if self.on_summary is not None and (done := self.on_summary(exchange, body)) is not None:
            await done
            return
        seen = sorted({int(one) for one in re.findall(r"note (\d+) begins", json.dumps(body))})
        done_words = f"read notes up to {max(seen, default=0)}"
        await self._say(exchange, summary(goal="read all notes", done=done_words, open="go on"), size)

    async def _call(self, exchange: Exchange, size: int) -> None:
        number = len(self.read)
        self.read.append(number)
        arguments = json.dumps({"path": f"note-{number % 40}.txt", "offset": 1 + number // 40})
        await exchange.head()
        await exchange.events(
            chunk({"tool_calls": [piece(0, f"call_{exchange.number}", "read_file", arguments)]}),
            chunk(finish="tool_calls"),
            *self._usage(size, 40),
            "[DONE]",
        )
        await exchange.end()

    async def _say(self, exchange: Exchange, text: str, size: int) -> None:
        await exchange.head()
        usage = self._usage(size, tokens.estimate(text))
        await exchange.events(chunk({"content": text}), chunk(finish="stop"), *usage, "[DONE]")
        await exchange.end()

    def _usage(self, size: int, answer: int) -> list[dict[str, Any]]:
        return [usage_chunk(size, answer)] if self.counts else []


class Talk:
    """The person's side: an engine in a home of its own, its folder full of notes, and all events."""

    def __init__(self, place: Path, url: str, window: int, **settings: Any) -> None:
        self.place, self.window, self.session = place, window, ""
        self.events: list[Event] = []
        self.environ = {
            **os.environ,
            "BRAMBLE_HOME": str(place / "home"),
            "BRAMBLE_BASE_URL": url,
            "BRAMBLE_API_KEY": "key",
            "BRAMBLE_MODEL": "scripted",
        }
        self.folder = place / "work"
        if not self.folder.exists():
            self.folder.mkdir(parents=True)
            for number in range(40):
                lines = [f"note {number} begins"] + [f"line {n} of note {number}: words." for n in range(60)]
                (self.folder / f"note-{number}.txt").write_text("\n".join(lines))
        home = home_of(self.environ)
        home.make()
        known = "".join(f"{name} = {json.dumps(value)}\n" for name, value in settings.items())
        home.settings.parent.mkdir(parents=True, exist_ok=True)
        home.settings.write_text(f"{known}[profiles.env]\nwindow = {window}\n")
        self.engine = Engine(home, self.environ)

    async def __aenter__(self) -> Talk:
        await self.engine.open()
        self.engine.subscribe(self.events.append)
        if not self.session:
            found = await self.engine.sessions.list()
            info = found[0] if found else await self.engine.sessions.create(cwd=str(self.folder))
            self.session = info.id
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.engine.close()

    async def say(self, words: str, options: TurnOptions = YES) -> str:
        """Say something; return how the turn ended."""
        await self.engine.send(self.session, words, options)
        ended = await self.engine.wait(self.session)
        assert ended is not None
        return ended.stop if ended.problem is None else f"{ended.stop}: {ended.problem.code}"
