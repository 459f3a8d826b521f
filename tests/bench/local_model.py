"""`./dev bench --local-model`: what the small models in the app make of plain requests, by real calls.

Each request of `plain_requests.jsonl` is one line: `say`, the `tools` of which any is right (none: no call
is right), and texts that the arguments must hold. A call is right when its tool is one of them and would run
with its arguments. A model whose weights are not on this machine is left out with a word; nothing is
fetched here.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import aclosing, asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import msgspec

from app.conversation.offering import opening
from app.conversation.prompt import message_context
from app.engine import Engine
from app.errors import ToolError
from app.models.local.weights import named, path_of
from app.models.profiles import quirks_of
from app.models.request import Finished, ModelRequest
from app.platform.paths import home as home_of
from app.records import Message, ToolCall
from app.toolbox.bridge import shown
from tests.bench.discovery import at_least
from tests.bench.figures import Number, say

LARGE, SMALL = "qwen2.5-coder-1.5b", "qwen2.5-coder-0.5b"
LEAST = 0.75
"""Share of plain requests that the larger model must get right (product.md 13)."""
LEAST_FULL = 8
"""Of ten fixed requests, with exactly the prompt of larger models."""
REQUESTS = Path(__file__).with_name("plain_requests.jsonl")
FULL = (0, 2, 4, 7, 10, 13, 16, 27, 28, 12)
"""The ten fixed ones, each for a core tool."""


class Asked(msgspec.Struct, frozen=True):
    """One request, and what is right."""

    say: str
    tools: tuple[str, ...]
    holds: tuple[str, ...] = ()


def requests() -> tuple[Asked, ...]:
    """Return the requests in their order."""
    return tuple(msgspec.json.decode(line, type=Asked) for line in REQUESTS.read_bytes().splitlines())


def cache() -> Path:
    """Return where the tests keep weights."""
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "bramble-tests" / "models"


def at_hand(name: str) -> bool:
    """Whether the weights and what runs them are on this machine."""
    from app.models.local.engine import engine_installed

    return engine_installed() and path_of(cache(), named(name)).is_file()


@asynccontextmanager
async def model(home: Path, name: str) -> AsyncIterator[Model]:
    """Yield a running model in a home of its own."""
    variables = {**os.environ, "BRAMBLE_HOME": str(home)}
    folder = home_of(variables).weights
    folder.mkdir(parents=True, exist_ok=True)
    path_of(folder, named(name)).symlink_to(path_of(cache(), named(name)))
    engine = Engine(home_of(variables), variables)
    await engine.open()
    try:
        yield Model(engine, name)
    finally:
        await engine.close()


class Model:
    """Asks one model one request at a time, each as the first of a conversation."""

    def __init__(self, engine: Engine, name: str) -> None:
        self.means = engine._turns.means  # the very objects that a turn uses
        self.name = name

    async def preload(self, words: str) -> list[ToolCall]:
        """Return the calls under the prompt of small models."""
        return await self._ask(words, "preload")

    async def full(self, words: str) -> list[ToolCall]:
        """Return the calls under exactly the prompt of larger models: the bridge and all tools."""
        return await self._ask(words, "bridge")

    async def _ask(self, words: str, way: Literal["preload", "bridge"]) -> list[ToolCall]:
        profile, name = await self.means.resolve(f"local/{self.name}")
        quirks = msgspec.structs.replace(quirks_of(profile, name), calling=way)
        prefix = (await opening(self.means, "", words, "agent", "/home/sam/work", quirks)).prefix
        profile = msgspec.structs.replace(profile, body={**profile.body, "temperature": 0})
        context = message_context(datetime(2026, 6, 1, 10, tzinfo=UTC), "/home/sam/work")
        said = Message(
            id="1", session="", parent=None, turn="", role="user", created=0.0, text=words, context=context
        )
        request = ModelRequest(
            profile=profile, model=name, system=prefix.system, tools=prefix.tools, messages=(said,)
        )
        async with aclosing(self.means.client.stream(request)) as events:
            async for event in events:
                if isinstance(event, Finished):
                    return [shown(call) for call in event.reply.calls]
        raise RuntimeError("the model gave no answer")

    def right(self, asked: Asked, made: Sequence[ToolCall]) -> bool:
        """Whether the calls are what was wanted, and would run."""
        if not made or not asked.tools:
            return not made and not asked.tools
        call, tool = made[0], self.means.calls.registry.tools.get(made[0].name)
        if tool is None or call.name not in asked.tools:
            return False
        try:
            given = json.dumps(tool.validate(call.arguments), ensure_ascii=False, default=str)
        except ToolError:
            return False
        return all(part.casefold() in given.casefold() for part in asked.holds)


async def preload_score(home: Path, name: str, asked: Sequence[Asked]) -> list[bool]:
    """Return which requests a model gets right with preload, said one by one."""
    async with model(home, name) as running:
        return [_told(running, one, await running.preload(one.say), name) for one in asked]


async def full_score(home: Path, name: str, most: int = len(FULL)) -> list[bool]:
    """Return which of the first `most` fixed requests a model gets right with the whole prompt."""
    asked = requests()
    async with model(home, name) as running:
        return [
            _told(running, asked[at], await running.full(asked[at].say), f"{name}, whole prompt")
            for at in FULL[:most]
        ]


def _told(running: Model, asked: Asked, made: Sequence[ToolCall], who: str) -> bool:
    right = running.right(asked, made)
    calls = "; ".join(f"{call.name} {call.arguments}" for call in made) or "no call"
    say(f"{who}: {'right' if right else 'WRONG'}: {asked.say} -> {calls[:200]}")
    return right


def local_model(folder: Path, rounds: int) -> list[Number]:
    """Return the shares of both models. `rounds` is of no matter: temperature 0 says the same each time."""
    return list(_numbers(folder))


def _numbers(folder: Path) -> Iterator[Number]:
    if not at_hand(LARGE):
        say(f"the weights of {LARGE} are not on this machine: ./dev run models install {LARGE}")
        return
    asked = requests()
    large = asyncio.run(preload_score(folder / "large", LARGE, asked))
    small = (
        asyncio.run(preload_score(folder / "small", SMALL, asked)) if at_hand(SMALL) else [False] * len(asked)
    )
    yield at_least(
        f"plain requests right: {LARGE}", sum(large) / len(asked), sum(small) / len(asked), LEAST, SMALL
    )
    full = asyncio.run(full_score(folder / "full", LARGE))
    yield at_least(
        "right core tool, whole prompt, of ten",
        sum(full),
        sum(large) / len(asked) * 10,
        LEAST_FULL,
        "preload",
    )
