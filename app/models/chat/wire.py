"""The Chat Completions wire: one way to ask, spoken by most servers, each with its dialect."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from app.models.chat.body import chat_body
from app.models.chat.failed import rescued
from app.models.chat.reader import ChatReader
from app.models.profiles import quirks_of
from app.models.refusal import Asked
from app.models.refused_effort import without_effort
from app.models.request import ModelRequest, Reply
from app.models.sights import without_pictures
from app.records import ToolCall


class ChatWire:
    """Chat Completions as a `Wire`."""

    path = "/chat/completions"

    def body(self, request: ModelRequest) -> dict[str, Any]:
        """Return the body in the order in which it is sent."""
        return chat_body(request)

    def reader(
        self, request: ModelRequest, asked: Asked, new_id: Callable[[], str], characters: int
    ) -> ChatReader:
        """Return a reader that gives calls ids which the conversation has not used yet."""
        read_text = quirks_of(request.profile, request.model).text_calls and request.tool_choice == "auto"
        taken = tuple(call.id for message in request.messages for call in message.calls)
        return ChatReader(
            asked,
            taken_ids=taken,
            new_id=new_id,
            characters=characters,
            rescue=lambda payload: rescued(payload, request, new_id),
            text_calls=(lambda text: _calls_in(text, request, new_id)) if read_text else None,
        )

    def rescue(
        self, payload: Any, request: ModelRequest, new_id: Callable[[], str]
    ) -> Reply | ModelRequest | None:
        """Return Groq's refused call as an answer, once in a row, or the request without its pictures or its
        effort where that is what was refused.
        """
        return (
            rescued(payload, request, new_id)
            or without_pictures(payload, request)
            or without_effort(payload, request)
        )


def _calls_in(
    text: str, request: ModelRequest, new_id: Callable[[], str]
) -> tuple[tuple[ToolCall, ...], str]:
    from app.models.text_calls import calls_in  # few servers need it

    return calls_in(text, request.tools, new_id)
