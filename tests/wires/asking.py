"""Short ways to ask in wire tests: profiles that point to a test's server, requests, and messages as they
are stored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any

import msgspec
import pytest

from app.errors import ModelError
from app.models.answer import Patience
from app.models.client import ModelClient
from app.models.profile import Profile
from app.models.profiles import load_profile
from app.models.request import Finished, ModelEvent, ModelRequest, Reply, ToolSchema
from app.records import Message, ToolCall
from tests.servers.scripted import Script, chunk, says, scripted, streams

READ = ToolSchema(
    name="read_file",
    description="Read a file.",
    parameters={"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]},
)
LIST = ToolSchema(
    name="list_dir", description="List a folder.", parameters={"type": "object", "properties": {}}
)


@dataclass
class Asking:
    """A client under test and what it did: the waits it wanted, in seconds."""

    client: ModelClient
    waits: list[float] = field(default_factory=list)

    async def events(self, request: ModelRequest) -> list[ModelEvent]:
        """All events of one request."""
        async with aclosing(self.client.stream(request)) as stream:
            return [event async for event in stream]

    async def reply(self, request: ModelRequest) -> Reply:
        """The reply to one request."""
        last = (await self.events(request))[-1]
        assert isinstance(last, Finished)
        return last.reply


Ask = Callable[..., Asking]
KEY = "sk-ant-api03-ABCDEFGHIJKLMNOP0123456789"
QUICK = Patience(first_byte=0.3, between=0.3, grace=0.2)


async def refused(
    asking: Ask, *scripts: Script, name: str = "env", key: str = KEY, **options: Any
) -> tuple[ModelError, list[float], int]:
    """The error that scripts lead to with a profile, the waits before it, and the number of requests."""
    async with scripted(*scripts) as server:
        asked = asking(key=key, **options)
        with pytest.raises(ModelError) as caught:
            await asked.reply(request(profile(name, server.url)))
        return caught.value, asked.waits, len(server.requests)


async def failure(asking: Ask, *scripts: Script, **options: Any) -> tuple[ModelError, int]:
    """The error that scripts lead to with little patience, and how many requests were made."""
    error, _, count = await refused(asking, *scripts, **{"patience": QUICK, **options})
    return error, count


def profile(name: str, url: str, **quirks: Any) -> Profile:
    """A built-in profile that points to a test's server, with `quirks` over its own."""
    loaded = load_profile(name, {}, {"BRAMBLE_BASE_URL": url})
    changed = msgspec.convert({**msgspec.to_builtins(loaded.quirks), **quirks}, type(loaded.quirks))
    return msgspec.structs.replace(loaded, base_url=url, quirks=changed)


def speaking(wire: str, url: str) -> Profile:
    """The server of the environment at a test's address, over a wire."""
    return load_profile("env", {}, {"BRAMBLE_BASE_URL": url, "BRAMBLE_WIRE": wire})


def request(
    to: Profile,
    *messages: Message,
    model: str = "test-model",
    tools: Iterable[ToolSchema] = (READ, LIST),
    **fields: Any,
) -> ModelRequest:
    """A request; without messages it asks "Hello"."""
    return ModelRequest(
        profile=to, model=model, messages=messages or (user("Hello"),), tools=tuple(tools), **fields
    )


def user(text: str, **fields: Any) -> Message:
    """A message of the person."""
    return Message(id="u", session="s", parent=None, turn="t", role="user", created=0.0, text=text, **fields)


def assistant(text: str = "", *made: ToolCall, **fields: Any) -> Message:
    """An answer of the model."""
    return Message(
        id="a",
        session="s",
        parent="u",
        turn="t",
        role="assistant",
        created=0.0,
        text=text,
        calls=made,
        **fields,
    )


def result(call: str, text: str = "done", tool: str = "read_file", **fields: Any) -> Message:
    """The result of a call."""
    return Message(
        id="r",
        session="s",
        parent="a",
        turn="t",
        role="tool",
        created=0.0,
        call=call,
        tool=tool,
        text=text,
        **fields,
    )


def call(id_: str, name: str = "read_file", arguments: str = '{"path":"a"}', **extra: Any) -> ToolCall:
    """A call as it is stored."""
    return ToolCall(id=id_, name=name, arguments=arguments, extra=extra)


def made(*pieces: dict[str, Any]) -> Script:
    """A stream that brings one piece of tool_calls a chunk."""
    return streams(*(chunk({"tool_calls": [one]}) for one in pieces), chunk(finish="tool_calls"))


async def called(asking: Ask, script: Script, name: str = "env") -> list[tuple[str, str, str]]:
    """(id, name, arguments) of the calls that a script brings."""
    async with scripted(script) as server:
        reply = await asking(key="k-test").reply(request(profile(name, server.url)))
    assert reply.finish == "calls"
    return [(one.id, one.name, one.arguments) for one in reply.calls]


async def sent(
    asking: Ask,
    name: str,
    *messages: Any,
    script: Script | None = None,
    quirks: dict[str, Any] | None = None,
    **fields: Any,
) -> Any:
    """The body that a server of a profile gets over Chat Completions."""
    async with scripted(script or says("fine")) as server:
        to = msgspec.structs.replace(profile(name, server.url, **(quirks or {})), wire="chat")
        await asking(key="k-test").reply(request(to, *messages, **fields))
        return server.requests[-1].json
