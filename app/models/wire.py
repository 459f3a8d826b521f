"""The door for wires: what a protocol between us and a model server must offer, and which one a profile
speaks.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import msgspec

from app.errors import ModelError
from app.models.profile import WireName
from app.models.profiles import wire_for
from app.models.refusal import Asked
from app.models.request import ModelEvent, ModelRequest, Reply
from app.models.sse import ServerEvent
from app.models.text import mend_all


class AnswerReader(Protocol):
    """Takes one answer piece by piece. Every method may raise ModelError."""

    @property
    def finished(self) -> bool:
        """The answer is whole; counts of tokens may still come."""

    @property
    def done(self) -> bool:
        """Nothing more comes."""

    def take(self, event: ServerEvent) -> list[ModelEvent]:
        """Return what one event of the stream brings."""

    def take_whole(self, payload: Any) -> list[ModelEvent]:
        """Return what an answer brings that came as one JSON value, not as a stream."""

    def reply(self) -> Reply:
        """Return the whole answer; raises cut_stream when it has not ended."""


class Wire(Protocol):
    """One protocol. Pure but for `new_id`."""

    path: str
    """What is appended to a profile's base URL."""

    def body(self, request: ModelRequest) -> dict[str, Any]:
        """Return the JSON body in the order in which it is sent, without what differs from one request to
        the next.
        """

    def reader(
        self, request: ModelRequest, asked: Asked, new_id: Callable[[], str], characters: int
    ) -> AnswerReader:
        """Return a reader for the answer to `request`, which refuses more than `characters` of text."""

    def rescue(
        self, payload: Any, request: ModelRequest, new_id: Callable[[], str]
    ) -> Reply | ModelRequest | None:
        """Return the answer that an error body holds, where a server puts a refused call into it, or the
        request to send in place of the refused one, which must lack something that this one had.
        """


def wire_of(name: WireName) -> Wire:
    """Return the wire that a profile names. Raises ModelError unsupported."""
    if name == "chat":
        from app.models.chat.wire import ChatWire

        return ChatWire()
    if name == "messages":
        from app.models.messages.wire import MessagesWire

        return MessagesWire()
    if name == "responses":
        from app.models.responses.wire import ResponsesWire

        return ResponsesWire()
    raise ModelError("unsupported", f"The wire {name!r} is not built yet.", feature=f"the wire {name}")


def body_bytes(request: ModelRequest) -> bytes:
    """Return the JSON body exactly as it is sent. Raises ModelError for a wire that is not there."""
    body = wire_of(wire_for(request.profile, request.model)).body(request)
    try:
        return msgspec.json.encode(body)
    except UnicodeEncodeError:
        return msgspec.json.encode(mend_all(body))
