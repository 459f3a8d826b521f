"""Where a Messages request asks for its beginning to be cached: at most four places, two of which slide.

A fifth mark is refused, and so is one on a deferred tool; a mark looks back over twenty blocks at most, so
that one after a round of many calls would miss what was cached before it (facts: providers 1.4). So the last
two stand where this request ends and where the one before ended, which is found however many blocks lie
between.
"""

from __future__ import annotations

from typing import Any

Block = dict[str, Any]


def mark(tools: list[Block], system: list[Block], messages: list[Block], before: int) -> None:
    """Put marks on the last of `tools`, of `system`, and on the ends of this request and the one before.
    `tools` are those that are not deferred; the request before held so many messages.
    """
    last = [blocks[-1] for blocks in (tools, system) if blocks]
    last += [messages[at]["content"][-1] for at in _ends(messages, before)]
    for block in last:
        block["cache_control"] = {"type": "ephemeral"}


def _ends(messages: list[Block], before: int) -> list[int]:
    """Return the places of the last user messages of both requests; thinking can carry no mark."""
    users = [at for at, message in enumerate(messages) if message["role"] == "user"]
    return sorted({*users[-1:], *[at for at in users if at < before][-1:]})
