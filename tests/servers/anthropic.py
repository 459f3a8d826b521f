"""What a server of the Messages wire sends, as scripts for `tests.servers.scripted`."""

from __future__ import annotations

import json
from typing import Any

from tests.servers.scripted import Exchange, Script

Event = dict[str, Any]


def start(model: str = "test-model", **usage: int) -> Event:
    """The event that begins an answer."""
    message = {"id": "msg_1", "type": "message", "role": "assistant", "content": [], "model": model}
    return {"type": "message_start", "message": {**message, "usage": {"input_tokens": 10, **usage}}}


def block(index: int, content: dict[str, Any], *deltas: dict[str, Any]) -> list[Event]:
    """A whole block: its start, its pieces, its end."""
    return [
        {"type": "content_block_start", "index": index, "content_block": content},
        *({"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas),
        {"type": "content_block_stop", "index": index},
    ]


def text(index: int, *pieces: str) -> list[Event]:
    """A block of text."""
    return block(
        index, {"type": "text", "text": ""}, *({"type": "text_delta", "text": one} for one in pieces)
    )


def thinking(index: int, words: str, signature: str = "sig==") -> list[Event]:
    """A block of thinking, signed."""
    return block(
        index,
        {"type": "thinking", "thinking": "", "signature": ""},
        {"type": "thinking_delta", "thinking": words},
        {"type": "signature_delta", "signature": signature},
    )


def tool_use(index: int, id_: str, name: str, arguments: Any = None, *, cut: int = 5) -> list[Event]:
    """A call; its input comes in two pieces, cut at `cut`, after an empty one. A str goes out as it is."""
    encoded = arguments if isinstance(arguments, str) else json.dumps(arguments or {})
    pieces = ("", encoded[:cut], encoded[cut:]) if arguments is not None else ("",)
    return block(
        index,
        {"type": "tool_use", "id": id_, "name": name, "input": {}},
        *({"type": "input_json_delta", "partial_json": piece} for piece in pieces),
    )


def end(reason: str = "end_turn", **usage: int) -> list[Event]:
    """The events that end an answer."""
    delta = {"stop_reason": reason, "stop_sequence": None}
    return [
        {"type": "message_delta", "delta": delta, "usage": {"output_tokens": 5, **usage}},
        {"type": "message_stop"},
    ]


async def send(exchange: Exchange, *events: Event) -> None:
    """Send named events, as this wire does."""
    for event in events:
        await exchange.send(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())


def streams(*events: Event | list[Event]) -> Script:
    """A script that sends events between the start and whatever end is among them."""

    async def script(exchange: Exchange) -> None:
        await exchange.head()
        for event in events:
            await send(exchange, *(event if isinstance(event, list) else [event]))
        await exchange.end()

    return script


def says(words: str, **usage: int) -> Script:
    """A script that answers with plain text in two pieces."""
    half = len(words) // 2
    return streams(start(**usage), {"type": "ping"}, text(0, words[:half], words[half:]), end())


def calls(*made: tuple[str, dict[str, Any]], words: str = "") -> Script:
    """A script that calls tools, side by side, with ids toolu_N_I for request N."""

    async def script(exchange: Exchange) -> None:
        first = text(0, words) if words else []
        rest = [
            event
            for at, (name, arguments) in enumerate(made)
            for event in tool_use(bool(words) + at, f"toolu_{exchange.number}_{at}", name, arguments)
        ]
        await streams(start(), first, rest, end("tool_use"))(exchange)

    return script


def error(kind: str, message: str) -> dict[str, Any]:
    """An error, as a body and as an event."""
    return {"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_1"}
