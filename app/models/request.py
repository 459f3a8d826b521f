"""What goes to a model and what comes back, the same for every wire."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from app.models.profile import Profile
from app.records import Message, Problem, ToolCall, Usage

UNASKED = "unasked"
"""An effort that says nothing of reasoning, not even what the profile says unasked."""

Finish = Literal["stop", "calls", "length", "refused", "paused"]


class ToolSchema(msgspec.Struct, frozen=True, kw_only=True):
    """A tool as the model is told of it; `parameters` is a JSON schema of type object."""

    name: str
    description: str
    parameters: dict[str, Any]


class ModelRequest(msgspec.Struct, frozen=True, kw_only=True):
    """One request. A user message is sent as its `context`, an empty line and its text; tools in the order
    given.
    """

    profile: Profile
    model: str
    """The provider's own name of the model, without the profile."""
    system: str = ""
    tools: tuple[ToolSchema, ...] = ()
    deferred: tuple[ToolSchema, ...] = ()
    """Tools that the list holds unloaded, where the wire and the model can (`calling = "native"`)."""
    found: dict[str, tuple[str, ...]] = {}
    """Ids of calls of find_tools to the deferred tools that their results bring."""
    messages: tuple[Message, ...] = ()
    images: dict[str, bytes] = {}
    """Bytes of the messages' pictures by their ids; one that is missing is named in the text instead."""
    tool_choice: Literal["auto", "none"] = "auto"
    max_output: int = 0
    """Tokens of answer, 0 = the server's own limit."""
    effort: str = ""
    """Reasoning effort: "" (the model's own), off, low, medium, high, or UNASKED."""
    session: str = ""
    """Keeps one cache a conversation, where a provider wants a key for it."""
    aside: bool = False
    """No message of a person began it, though one ends it: a title, a summary, a delegated task."""


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """A whole answer. `extra` and the calls' `extra` belong into the stored message, so that they go back
    unchanged.
    """

    text: str = ""
    reasoning: str = ""
    calls: tuple[ToolCall, ...] = ()
    extra: dict[str, Any] = {}
    finish: Finish = "stop"
    """`calls` whenever there are calls, whatever the server said; `length`: cut by the output limit;
    `refused`: by a filter; `paused`: the server wants the conversation back as it is, to go on.
    """
    usage: Usage = Usage()
    model: str = ""
    """The model that the server says it was."""


class Text(msgspec.Struct, frozen=True, kw_only=True):
    """A piece of the answer."""

    text: str


class Reasoning(msgspec.Struct, frozen=True, kw_only=True):
    """A piece of the model's reasoning."""

    text: str


class CallPart(msgspec.Struct, frozen=True, kw_only=True):
    """A call grows: `index` counts the calls of this answer from 0, `size` the characters of arguments so
    far.
    """

    index: int
    name: str
    size: int


class Waiting(msgspec.Struct, frozen=True, kw_only=True):
    """The request failed and is tried again in `seconds`; `attempt` is the number of the coming try (2 =
    first retry).
    """

    problem: Problem
    seconds: float
    attempt: int


class Held(msgspec.Struct, frozen=True, kw_only=True):
    """The request is held up before it is sent: others of this provider come first (`turn`), or the way in is
    being made, here or by another process (`way_in`).
    """

    why: Literal["turn", "way_in"]
    provider: str


class Restarted(msgspec.Struct, frozen=True, kw_only=True):
    """The answer starts anew: what was streamed so far is void."""


class PicturesRefused(msgspec.Struct, frozen=True, kw_only=True):
    """The provider refused a picture: the request goes again without any of its pictures."""


class Finished(msgspec.Struct, frozen=True, kw_only=True):
    """The last event of a stream: the whole answer."""

    reply: Reply


ModelEvent = Text | Reasoning | CallPart | Held | Waiting | Restarted | PicturesRefused | Finished
