"""How an answer's blocks lay, kept with the stored message so that they go back to their model unchanged.

A message keeps text and calls by themselves, for every wire; the layout says only where they stood, and
holds whole what belongs to this wire alone: thinking with its signature, and blocks of unknown types. An
answer that is plain text and then calls needs none.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.records import Message

FIELD = "blocks"
"""The name in `Message.extra`."""

Block = dict[str, Any]


def text_at(start: int, size: int) -> Block:
    """Return the entry for a block of text: `size` characters of the message's text from `start`."""
    return {"type": "text", "from": start, "size": size}


def call_at(id_: str) -> Block:
    """Return the entry for the call with this id."""
    return {"type": "tool_use", "call": id_}


def laid_out(entries: list[Block]) -> dict[str, Any]:
    """Return what a message keeps of these entries, nothing where text and then calls say it all."""
    kinds = [entry["type"] for entry in entries]
    texts = kinds.count("text")
    plain = texts <= 1 and kinds == ["text"] * texts + ["tool_use"] * kinds.count("tool_use")
    return {} if plain else {FIELD: entries}


def restored(message: Message, calls: Mapping[str, Block]) -> list[Block] | None:
    """Return the blocks of an answer as they lay; `calls` are its calls as blocks by their ids.

    None where nothing is kept, or where it does not fit the message. An answer that only thought says
    nothing, and is no message.
    """
    entries = message.extra.get(FIELD)
    if not isinstance(entries, list) or not _covers(entries, message.text):
        return None
    blocks: list[Block] = []
    used: list[str] = []
    for entry in entries:
        block = _block(entry, message.text, calls)
        if block is None:
            return None
        if block.get("type") == "tool_use":
            used.append(entry["call"])
        if block.get("type") != "text" or block["text"].strip():
            blocks.append(block)
    if used != list(calls):
        return None
    return (
        blocks if any(block.get("type") not in ("thinking", "redacted_thinking") for block in blocks) else []
    )


def _covers(entries: list[Any], text: str) -> bool:
    """Whether the texts of a layout begin and end as the message does: it may have been shortened since."""
    texts = [one for one in entries if isinstance(one, dict) and isinstance(one.get("from"), int)]
    if not texts:
        return not text.strip()
    return bool(texts[0]["from"] == 0 and texts[-1]["from"] + _size(texts[-1]) == len(text))


def _size(entry: Block) -> int:
    size = entry.get("size")
    return size if isinstance(size, int) else -1


def _block(entry: Any, text: str, calls: Mapping[str, Block]) -> Block | None:
    if not isinstance(entry, dict) or not isinstance(entry.get("type"), str):
        return None
    if "call" in entry:
        return calls.get(entry["call"]) if isinstance(entry["call"], str) else None
    if "from" not in entry:
        return entry
    start, size = entry["from"], entry.get("size")
    if not isinstance(start, int) or not isinstance(size, int) or not 0 <= start <= start + size <= len(text):
        return None
    return {"type": "text", "text": text[start : start + size]}
