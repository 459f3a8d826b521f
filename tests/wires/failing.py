"""What a server sends that fails, as scripts in the dialect of each wire."""

from __future__ import annotations

import json
from typing import Any

from tests.servers import anthropic, responses, scripted
from tests.servers.scripted import Exchange, Script, chunk, piece, says

WIRES = ("chat", "responses", "messages")
PATHS = {"chat": "/chat/completions", "responses": "/responses", "messages": "/messages"}
HALF = '{"path": "a.txt", "cont'
"""The arguments of a call, as far as they came."""


def answer(wire: str, text: str, prompt: int = 10) -> Script:
    """A whole answer of text to a request of so many tokens."""
    if wire == "chat":
        return says(text, prompt=prompt)
    if wire == "messages":
        return anthropic.says(text, input_tokens=prompt)
    return responses.answers(responses.message(text), usage=responses.usage(asked=prompt))


def calling(wire: str, *made: tuple[str, dict[str, Any]]) -> Script:
    """A whole answer of calls, side by side."""
    speaks = {"chat": scripted, "messages": anthropic, "responses": responses}[wire]
    script: Script = speaks.calls(*made)
    return script


def error_body(wire: str, message: str, code: str = "") -> dict[str, Any]:
    """The body of an error."""
    if wire == "messages":
        return anthropic.error(code or "invalid_request_error", message)
    return {"error": {"message": message, "code": code or None, "type": None, "param": None}}


def _event(payload: dict[str, Any], wire: str) -> bytes:
    name = "" if wire == "chat" else f"event: {payload['type']}\n"
    return f"{name}data: {json.dumps(payload)}\n\n".encode()


def begun(wire: str, text: str = "") -> bytes:
    """The stream of an answer as far as this text."""
    if wire == "chat":
        parts: list[dict[str, Any]] = [chunk({"role": "assistant", "content": text})]
    elif wire == "messages":
        block = {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}
        parts = [anthropic.start(), block]
    else:
        item = {"type": "message", "id": "m", "role": "assistant", "status": "in_progress", "content": []}
        part = {"type": "output_text", "text": "", "annotations": []}
        parts = [
            responses.event("created", response=responses.response("in_progress")),
            responses.event("output_item.added", output_index=0, item=item),
            responses.event("content_part.added", output_index=0, content_index=0, item_id="m", part=part),
        ]
    rest = b"" if wire == "chat" else more(wire, text)
    return b"".join(_event(part, wire) for part in parts) + rest


def more(wire: str, text: str) -> bytes:
    """A further piece of text."""
    if wire == "chat":
        return _event(chunk({"content": text}), wire)
    if wire == "messages":
        delta = {"type": "text_delta", "text": text}
        return _event({"type": "content_block_delta", "index": 0, "delta": delta}, wire)
    place = {"output_index": 0, "content_index": 0, "item_id": "m"}
    return _event(responses.event("output_text.delta", delta=text, **place), wire)


def half_call(wire: str) -> bytes:
    """The stream of an answer as far as half of the arguments of a call that would write a file."""
    if wire == "chat":
        return _event(chunk({"tool_calls": [piece(0, "c1", "write_file", HALF)]}), wire)
    if wire == "messages":
        use = {"type": "tool_use", "id": "c1", "name": "write_file", "input": {}}
        delta = {"type": "input_json_delta", "partial_json": HALF}
        parts = [
            anthropic.start(),
            {"type": "content_block_start", "index": 0, "content_block": use},
            {"type": "content_block_delta", "index": 0, "delta": delta},
        ]
    else:
        item = {"type": "function_call", "id": "f", "call_id": "c1", "name": "write_file", "arguments": ""}
        parts = [
            responses.event("created", response=responses.response("in_progress")),
            responses.event("output_item.added", output_index=0, item=item),
            responses.event("function_call_arguments.delta", output_index=0, item_id="f", delta=HALF),
        ]
    return b"".join(_event(part, wire) for part in parts)


def cuts(data: bytes) -> Script:
    """A stream that breaks off."""

    async def script(exchange: Exchange) -> None:
        await exchange.head()
        await exchange.send(data)
        exchange.abort()

    return script


def holds(data: bytes) -> Script:
    """A stream that goes silent."""

    async def script(exchange: Exchange) -> None:
        await exchange.head()
        await exchange.send(data)
        await exchange.gone()

    return script


def whole(data: bytes) -> Script:
    """A stream that ends in good order after these bytes."""

    async def script(exchange: Exchange) -> None:
        await exchange.head()
        await exchange.send(data)
        await exchange.end()

    return script


async def silent(exchange: Exchange) -> None:
    """Takes the request and never answers."""
    await exchange.gone()


async def resets(exchange: Exchange) -> None:
    """Breaks the connection in place of an answer."""
    exchange.abort()


def endless(wire: str) -> Script:
    """An answer that does not end."""

    async def script(exchange: Exchange) -> None:
        await exchange.head()
        await exchange.send(begun(wire, "on and on "))
        while True:
            await exchange.send(more(wire, "and on " * 500))

    return script


def broken_event(wire: str, payload: dict[str, Any]) -> bytes:
    """An answer that began, and an error in its stream."""
    if wire == "chat":
        return begun(wire, "So far") + _event(payload, wire)
    if wire == "messages":
        return begun(wire, "So far") + _event({"type": "error", **payload}, wire)
    return begun(wire, "So far") + _event({**payload["error"], "type": "error"}, wire)


def refused(wire: str) -> bytes:
    """An answer that the provider's filter ends."""
    if wire == "chat":
        return begun(wire, "So far") + _event(chunk(finish="content_filter"), wire) + b"data: [DONE]\n\n"
    if wire == "messages":
        stop: dict[str, Any] = {"type": "content_block_stop", "index": 0}
        return begun(wire, "So far") + b"".join(
            _event(one, wire) for one in (stop, *anthropic.end("refusal"))
        )
    item = {
        "type": "message",
        "id": "m",
        "role": "assistant",
        "status": "incomplete",
        "content": [{"type": "output_text", "text": "So far", "annotations": []}],
    }
    done = responses.event("output_item.done", output_index=0, item=item)
    last = responses.response("incomplete", item, incomplete_details={"reason": "content_filter"})
    return (
        begun(wire, "So far")
        + _event(done, wire)
        + _event(responses.event("incomplete", response=last), wire)
    )
