"""How much of a model's window a conversation may take, and how much of it the next request takes.

The gauge of the window, the inspector and the trigger of compaction take their number from here, so that
none of them says something else (goose#8642).
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from app.conversation.effective import kept_of
from app.models import tokens
from app.models.request import ModelRequest
from app.record import Record
from app.records import Message, Usage

FULL = 0.8
"""Share of the window at which older messages are summarised (product.md 1.5); the rest is for the answer."""
TAIL = 20_000
"""Tokens of recent messages that stay word for word; a quarter of a window below 80,000."""
SUMMARY = 4_000
"""Tokens that a summary may have; an eighth of a window below 32,000."""
FRAME = 8
"""Tokens that a message or call costs besides its texts."""


class Budget(Record):
    """What fits into a window of so many tokens."""

    window: int

    @property
    def full(self) -> int:
        """The size of a request at which older messages are summarised."""
        return int(self.window * FULL)

    @property
    def tail(self) -> int:
        """Tokens of recent messages that stay word for word."""
        return min(TAIL, self.window // 4)

    @property
    def letters(self) -> int:
        """Characters that one result of a tool may have: an eighth of the window."""
        return max(1_000, self.window // 2)

    @property
    def summary(self) -> int:
        """Tokens that a summary may have."""
        return min(SUMMARY, self.window // 8)


class Size(Record):
    """The tokens of a request; `counted` of them were counted by the provider, the rest is estimated."""

    total: int
    counted: int


class Gauge:
    """Tells the size of requests; each text is estimated once, since a long conversation is asked about each
    round.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[str, int, int, int], int] = {}
        self._beginnings: dict[tuple[int, int], int] = {}

    def size(self, request: ModelRequest, history: Sequence[Message]) -> Size:
        """Return the size of a request with this effective history: what the provider counted for the last
        answer of this very model, and our estimate of what came since; all estimated where nothing was.
        """
        at = _counted_at(history, f"{request.profile.name}/{request.model}")
        if at is None:
            return Size(self.beginning(request) + sum(map(self.of, history)), 0)
        counted = after(history[at].usage or Usage())
        return Size(counted + sum(map(self.of, history[at + 1 :])), counted)

    def beginning(self, request: ModelRequest) -> int:
        """Return about the tokens of the system prompt and the tools."""
        key = (hash(request.system), hash(tuple(tool.name for tool in request.tools)))
        if key not in self._beginnings:
            schemas = msgspec.json.encode(request.tools).decode() if request.tools else ""
            self._beginnings[key] = tokens.estimate(request.system) + tokens.estimate(schemas) + FRAME
        return self._beginnings[key]

    def of(self, message: Message) -> int:
        """Return about the tokens of one message."""
        key = (message.id, len(message.text), len(message.context), _length(message))
        if key not in self._known:
            self._known[key] = _estimate(message)
        return self._known[key]


def after(usage: Usage) -> int:
    """Return the tokens that a context has after an answer: what was sent, and the answer without what the
    model only thought.
    """
    return usage.input + max(0, usage.output - usage.reasoning)


def _counted_at(history: Sequence[Message], model: str) -> int | None:
    first = kept_of(history)
    for at in range(len(history) - 1, first - 1, -1):
        usage, message = history[at].usage, history[at]
        if message.role != "assistant" or usage is None:
            continue
        return at if usage.exact and usage.input and message.model == model else None
    return None


def _length(message: Message) -> int:
    return sum(len(call.arguments) for call in message.calls)


def _estimate(message: Message) -> int:
    if message.role == "assistant" and not (message.text.strip() or message.calls):
        return 0  # nothing of it is sent
    texts = [message.context, message.text, *(str(one) for one in message.extra.values())]
    texts += [f"{call.name} {call.arguments}" for call in message.calls]
    frames = FRAME * (1 + len(message.calls)) + tokens.PICTURE * len(message.pictures)
    return frames + sum(map(tokens.estimate, texts))
