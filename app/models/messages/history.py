"""A conversation as the Messages wire wants it: blocks in two roles, each round of calls answered at once.

All results of a round stand in the one user message right after their calls, and a call that has none gets
one that says so; otherwise the whole request is refused (facts: providers 1.4).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from app.models.chat.ids import mapped_ids
from app.models.messages.layout import restored
from app.models.request import ModelRequest
from app.models.sending import NO_OUTPUT, plain_name, sound, spoken
from app.models.sights import Shown, shown
from app.records import Message, ToolCall

NO_TEXT = "(no text)"
NO_RESULT = "(no result: interrupted)"

Block = dict[str, Any]


def history(request: ModelRequest) -> tuple[list[Block], int]:
    """Return the messages of a request, and how many of them the request before held (0: there was none)."""
    messages, ids = request.messages, _ids(request.messages)
    sent: list[Block] = []
    before = 0
    for at, message in enumerate(messages):
        if message.role == "user":
            sent.append({"role": "user", "content": _said(message, request)})
        elif message.role == "assistant":
            before = len(sent)
            blocks = _answer(message, request, ids[at])
            if blocks and not sent:  # a conversation begins with the person
                sent.append({"role": "user", "content": _text(NO_TEXT)})
            if blocks:
                sent.append({"role": "assistant", "content": blocks})
            if message.calls:
                results = _results(message, messages[at + 1 :], request, ids[at])
                sent.append({"role": "user", "content": results})
    return sent, before


def _ids(messages: Sequence[Message]) -> dict[int, list[str]]:
    """Return the ids of the calls of each answer, by its place, as they are sent: none twice."""
    seen: dict[str, int] = {}
    keys: dict[int, list[str]] = {}
    for at, message in enumerate(messages):
        for call in message.calls:
            times = seen[call.id] = seen.get(call.id, 0) + 1
            keys.setdefault(at, []).append(call.id if times == 1 else f"{call.id}\n{times}")
    sent = mapped_ids((key for group in keys.values() for key in group), "sixty_four")
    return {at: [sent[key] for key in keys.get(at, ())] for at in range(len(messages))}


def thinks_on(request: ModelRequest) -> bool:
    """Whether thinking by budget may be asked for: a round of calls that goes on has to begin with thinking
    of this very model.
    """
    if not request.messages or request.messages[-1].role != "tool":
        return True
    last = next((one for one in reversed(request.messages) if one.role == "assistant"), None)
    if last is None:
        return True
    blocks = _answer(last, request, [call.id for call in last.calls])
    return bool(blocks) and blocks[0]["type"] in ("thinking", "redacted_thinking")


def _said(message: Message, request: ModelRequest) -> list[Block]:
    """Pictures first, then the words: models see them better that way."""
    seen = shown(message, request)
    content = [*_pictures(seen), *_text(seen.beside(spoken(message)))]
    return content or _text(NO_TEXT)


def _text(text: str) -> list[Block]:
    """Return a block of text; empty ones are refused."""
    return [{"type": "text", "text": text}] if text.strip() else []


def _pictures(seen: Shown) -> list[Block]:
    return [
        {"type": "image", "source": {"type": "base64", "media_type": one.media, "data": one.data}}
        for one in seen.sights
    ]


def _answer(message: Message, request: ModelRequest, ids: Sequence[str]) -> list[Block]:
    """Return the blocks of an answer: as they came where this very model wrote it, else text and calls."""
    calls = [_call(call, id_) for call, id_ in zip(message.calls, ids, strict=True)]
    own = message.model in (f"{request.profile.name}/{request.model}", "")
    by_id = {call.id: block for call, block in zip(message.calls, calls, strict=True)}
    blocks = restored(message, by_id) if own and len(by_id) == len(calls) else None
    return [*_text(message.text), *calls] if blocks is None else blocks


def _call(call: ToolCall, id_: str) -> Block:
    name = plain_name(call.name) or "unnamed"
    value = msgspec.json.decode(sound(call.arguments))
    return {"type": "tool_use", "id": id_, "name": name, "input": value}


def _results(
    answer: Message, after: Sequence[Message], request: ModelRequest, ids: Sequence[str]
) -> list[Block]:
    """Return one result for each call, in the order of the calls."""
    found: dict[str, list[Message]] = {}
    for message in after:
        if message.role != "tool":
            break
        found.setdefault(message.call, []).append(message)
    results = []
    for call, id_ in zip(answer.calls, ids, strict=True):
        mine = found.get(call.id)
        results.append(_result(id_, mine.pop(0) if mine else None, request))
    return results


def _result(id_: str, message: Message | None, request: ModelRequest) -> Block:
    block: Block = {"type": "tool_result", "tool_use_id": id_}
    if message is None:
        return {**block, "content": _text(NO_RESULT), "is_error": True}
    seen = shown(message, request)
    content = [*_text(seen.beside(message.text)), *_pictures(seen)]
    content += [{"type": "tool_reference", "tool_name": name} for name in request.found.get(message.call, ())]
    return {
        **block,
        "content": content or _text(NO_OUTPUT),
        **({} if message.ok else {"is_error": True}),
    }
