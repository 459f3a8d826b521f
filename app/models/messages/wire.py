"""The Anthropic Messages wire: blocks of content, thinking that goes back unchanged, tools that load late."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from app.models.messages.body import messages_body
from app.models.messages.plainer import plainer
from app.models.messages.reader import MessagesReader
from app.models.refusal import Asked
from app.models.refused_effort import without_effort
from app.models.request import ModelRequest
from app.models.sights import without_pictures


class MessagesWire:
    """Messages as a `Wire`."""

    path = "/messages"

    def body(self, request: ModelRequest) -> dict[str, Any]:
        """Return the body in the order in which it is sent."""
        return messages_body(request)

    def reader(
        self, request: ModelRequest, asked: Asked, new_id: Callable[[], str], characters: int
    ) -> MessagesReader:
        """Return a reader that gives calls ids which the conversation has not used yet."""
        taken = tuple(call.id for message in request.messages for call in message.calls)
        return MessagesReader(asked, taken_ids=taken, new_id=new_id, characters=characters)

    def rescue(self, payload: Any, request: ModelRequest, new_id: Callable[[], str]) -> ModelRequest | None:
        """Return the request without what this server does not take, None where that is not it."""
        return (
            plainer(payload, request)
            or without_pictures(payload, request)
            or without_effort(payload, request)
        )
