"""The order in which an answer came (reasoning, text, calls), kept with the message so that it goes back to
its own model as it was.

Reasoning goes back as its encrypted content; item ids never do: they are bound to the connection, and one
that a server does not know poisons the conversation (facts: providers 1.1).
"""

from __future__ import annotations

from typing import Any, NamedTuple

from app.records import Message

FIELD = "responses"
"""Where the layout stands in a message's `extra`: a list of objects of type reasoning (as it is sent),
message (`size`, the characters of its text, and `phase`) and function_call (`call_id`).
"""
GAP = "\n\n"
"""Stands between the texts of two messages of one answer."""


class Said(NamedTuple):
    """Text of an answer; `phase` is the provider's own mark for it, "" when there is none."""

    text: str
    phase: str = ""


class Called(NamedTuple):
    """The place of a call."""

    id: str


class Thought(NamedTuple):
    """Reasoning, as an item that can be sent."""

    item: dict[str, Any]


Part = Said | Called | Thought


def worth_keeping(layout: list[dict[str, Any]]) -> bool:
    """Whether an answer cannot be laid out again from its text and calls alone."""
    kinds = [part["type"] for part in layout]
    plain = ["message"] * kinds.count("message") + ["function_call"] * kinds.count("function_call")
    return kinds != plain or kinds.count("message") > 1 or any(part.get("phase") for part in layout)


def reasoning_of(item: dict[str, Any]) -> dict[str, Any] | None:
    """Return what goes back of a reasoning item, None where it holds nothing that a server could read.

    Plain reasoning (`content`) beside the encrypted one is refused (microsoft/agent-framework-go#784).
    """
    encrypted = item.get("encrypted_content")
    if not isinstance(encrypted, str) or not encrypted:
        return None
    summary = item.get("summary")
    return {
        "type": "reasoning",
        "summary": summary if isinstance(summary, list) else [],
        "encrypted_content": encrypted,
    }


def parts_of(message: Message, *, own: bool) -> list[Part]:
    """Return the parts of an answer in order. `own`: it goes to the model that wrote it, so reasoning goes
    along.
    """
    kept = _kept(message) if own else None
    return kept if kept is not None else [Said(message.text), *(Called(call.id) for call in message.calls)]


def _kept(message: Message) -> list[Part] | None:
    """Return the stored parts, None where there are none or where they do not fit the message."""
    stored = message.extra.get(FIELD)
    if not isinstance(stored, list):
        return None
    ids = [call.id for call in message.calls]
    parts: list[Part] = []
    at = 0
    for part in stored:
        kind = part.get("type") if isinstance(part, dict) else None
        if kind == "reasoning":
            parts.append(Thought(part))
        elif kind == "function_call" and part.get("call_id") in ids:
            ids.remove(part["call_id"])
            parts.append(Called(part["call_id"]))
        elif kind == "message" and isinstance(part.get("size"), int):
            at += len(GAP) if at else 0
            parts.append(Said(message.text[at : at + part["size"]], str(part.get("phase") or "")))
            at += part["size"]
    if at != len(message.text):
        return None
    parts += [Called(id_) for id_ in ids]
    parts = [part for part in parts if not isinstance(part, Said) or part.text.strip()]
    while parts and isinstance(parts[-1], Thought):
        parts.pop()  # reasoning must be followed by what it led to
    return parts
