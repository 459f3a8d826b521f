"""The Responses wire: items instead of messages, and reasoning that goes back encrypted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from app.models.refusal import Asked
from app.models.refused_effort import without_effort
from app.models.request import ModelRequest
from app.models.responses.body import responses_body
from app.models.responses.plainer import plainer
from app.models.responses.reader import ResponsesReader
from app.models.sights import without_pictures


class ResponsesWire:
    """Responses as a `Wire`."""

    path = "/responses"

    def body(self, request: ModelRequest) -> dict[str, Any]:
        """Return the body in the order in which it is sent."""
        return responses_body(request)

    def reader(
        self, request: ModelRequest, asked: Asked, new_id: Callable[[], str], characters: int
    ) -> ResponsesReader:
        """Return a reader that gives calls ids which the conversation has not used yet."""
        taken = tuple(call.id for message in request.messages for call in message.calls)
        return ResponsesReader(asked, taken_ids=taken, new_id=new_id, characters=characters)

    def rescue(self, payload: Any, request: ModelRequest, new_id: Callable[[], str]) -> ModelRequest | None:
        """Return the request without what an account or a model does not take, None where that is not it."""
        return (
            plainer(payload, request)
            or without_pictures(payload, request)
            or without_effort(payload, request)
        )
