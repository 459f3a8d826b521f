"""What of a branch goes to the model: the newest summary and what follows it, each call with one result.

The one place where that is decided: turns, the inspector, untrusted marks and the evidence of tools take the
list from here. Pure; it follows from the branch alone, so a restart, another branch and an edit of an earlier
message need no rule of their own: a branch without the summary is whole again.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import msgspec

from app.conversation.repair import repaired
from app.records import Compaction, Message, ToolCall
from app.toolbox.activation import FIND

LEFT_OUT = "[{n:,} characters left out here, so that the conversation fits. The person still has all of it.]"
LEAST = 200
"""Characters below which a text is never shortened: its marker would be longer than what it saves."""


def effective(branch: Sequence[Message]) -> list[Message]:
    """Return the messages of a branch (oldest first) as the next request holds them, the summary first."""
    place = _newest(branch)
    if place is None:
        return repaired([message for message in branch if message.role != "summary"])
    at, start, compaction = place
    tail = [shortened(message, compaction.cut) for message in branch[start:at] if message.role != "summary"]
    later = [message for message in branch[at + 1 :] if message.role != "summary"]
    return [branch[at], *repaired([*tail, *later])]


def kept_of(history: Sequence[Message]) -> int:
    """Return how many of an effective history's first messages stood before its summary was made: the summary
    and the kept ones. What a provider counted for an answer among them is not the size of this history.
    """
    if not history or history[0].compaction is None:
        return 0
    last = history[0].parent
    at = next((place for place, message in enumerate(history) if message.id == last), None)
    if at is None:  # the newest kept message is a result that only the repair put elsewhere
        at = sum(message.created < history[0].created for message in history[1:])
    return at + 1


def _newest(branch: Sequence[Message]) -> tuple[int, int, Compaction] | None:
    """Return the places of the newest usable summary and of the first message that it keeps."""
    places = {message.id: place for place, message in enumerate(branch)}
    for at in range(len(branch) - 1, -1, -1):
        compaction = branch[at].compaction
        if branch[at].role != "summary" or compaction is None:
            continue
        start = places.get(compaction.kept, at)
        if start < at and branch[at].text.strip():
            return at, start, compaction
    return None


def shortened(message: Message, cut: int) -> Message:
    """Return a message whose texts have at most about `cut` characters each, head and tail; 0 leaves it.

    What find_tools found stays whole, since a tool is active while its whole schema is there (product 2.6).
    """
    if not cut or message.tool == FIND:
        return message
    calls = tuple(_call(call, cut) for call in message.calls)
    return msgspec.structs.replace(
        message, text=ends(message.text, cut), reasoning=ends(message.reasoning, cut), calls=calls
    )


def ends(text: str, cut: int) -> str:
    """Return head and tail of a text that is longer than `cut` characters, with a word between."""
    cut = max(cut, LEAST)
    if len(text) <= cut:
        return text
    head, tail = cut * 2 // 3, cut // 3
    return f"{text[:head]}\n{LEFT_OUT.format(n=len(text) - head - tail)}\n{text[-tail:]}"


def _call(call: ToolCall, cut: int) -> ToolCall:
    """Return a call whose arguments stay sound JSON: only long texts among them are shortened."""
    if len(call.arguments) <= max(cut, LEAST):
        return call
    try:
        value = json.loads(call.arguments)
    except (ValueError, RecursionError):
        return call
    return msgspec.structs.replace(call, arguments=json.dumps(_short(value, cut), ensure_ascii=False))


def _short(value: Any, cut: int) -> Any:
    if isinstance(value, str):
        return ends(value, cut)
    if isinstance(value, list):
        return [_short(item, cut) for item in value]
    if isinstance(value, dict):
        return {key: _short(item, cut) for key, item in value.items()}
    return value
