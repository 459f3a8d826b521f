"""Provider fields that a message or a call brings along and that go back unchanged: reasoning, signatures,
details.
"""

from __future__ import annotations

from typing import Any

REASONING_NAMES = ("reasoning_content", "reasoning", "reasoning_text")
"""Where servers put reasoning as text, the first that is not empty is shown (some send two copies)."""

KEPT_NAMES = (
    *REASONING_NAMES,
    "reasoning_details",
    "reasoning_opaque",
    "thinking_blocks",
    "extra_content",
    "thought_signature",
    "signature",
)
"""All fields of an assistant message that are kept; a profile's `echo` says which of them go back."""

_GROWING = ("text", "thinking", "summary", "data", "reasoning", *REASONING_NAMES)
"""Names whose text is streamed in pieces; other texts (ids, signatures, formats) come whole."""


def merge_fields(into: dict[str, Any], new: dict[str, Any]) -> None:
    """Merge streamed fields into what came before: growing texts are joined, objects merged, lists of blocks
    continued.
    """
    for name, value in new.items():
        old = into.get(name)
        if value is None:
            continue
        if isinstance(value, str) and isinstance(old, str) and name in _GROWING:
            into[name] = old + value
        elif isinstance(value, dict):
            into[name] = inner = old if isinstance(old, dict) else {}
            merge_fields(inner, value)
        elif isinstance(value, list):
            into[name] = blocks = old if isinstance(old, list) else []
            for block in value:
                _add_block(blocks, block)
        elif value != "" or old is None:
            into[name] = value


def _add_block(blocks: list[Any], block: Any) -> None:
    """Continue the last block when `block` is a further piece of it, else append it."""
    last = blocks[-1] if blocks else None
    if isinstance(block, dict) and isinstance(last, dict) and _continues(last, block):
        merge_fields(last, block)
    elif isinstance(block, dict):
        blocks.append({name: value for name, value in block.items() if value is not None})
    else:
        blocks.append(block)


def _continues(last: dict[str, Any], block: dict[str, Any]) -> bool:
    """Pieces of one block share type, index and id; a signature closes a block, encrypted data are whole."""
    if last.get("signature") or str(block.get("type", "")).endswith("encrypted"):
        return False
    ids = last.get("id"), block.get("id")
    if None not in ids and ids[0] != ids[1]:
        return False
    return last.get("type") == block.get("type") and last.get("index") == block.get("index")
