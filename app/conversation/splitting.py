"""Where a history is cut in two, and a long one into portions: never between a call and its result. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from app.conversation.effective import LEAST, shortened
from app.record import Record
from app.records import Message

Measure = Callable[[Message], int]
"""Tokens of a message."""
_LETTERS = 3
"""Characters of a token, for a text that must fit: rather too few."""


class Split(Record):
    """`kept` is the number of the first message that stays; `cut` the characters that its texts may have."""

    kept: int
    cut: int = 0


def split(history: Sequence[Message], tail: int, measure: Measure) -> Split:
    """Return where the newest messages begin that have at most `tail` tokens together.

    The newest answer with its results, or the newest words of the person, always stay, so the tail is never
    empty; where they alone are longer, their texts are cut. A summary at the front never stays.
    """
    first = 1 if history and history[0].role == "summary" else 0
    kept, size, total = len(history), 0, 0
    for at in range(len(history) - 1, first - 1, -1):
        total += measure(history[at])
        if history[at].role == "tool":
            continue
        if total > tail and kept < len(history):
            break
        kept, size = at, total
    return Split(kept, _cut(history[kept:], tail, measure) if size > tail else 0)


def _cut(kept: Sequence[Message], room: int, measure: Measure) -> int:
    """Return how many characters each text may have so that all fit, about; at least LEAST."""
    cut = room * _LETTERS
    while cut > LEAST and sum(measure(shortened(message, cut)) for message in kept) > room:
        cut //= 2
    return max(cut, LEAST)


def portions(older: Sequence[Message], room: int, measure: Measure) -> Iterator[tuple[Message, ...]]:
    """Yield older messages in portions of about `room` tokens; an answer stays with its results, and where
    they alone are longer their texts are cut.
    """
    portion: list[Message] = []
    size = 0
    for group in _groups(older):
        weight = sum(map(measure, group))
        if weight > room:
            cut = _cut(group, room, measure)
            group = [shortened(message, cut) for message in group]
            weight = sum(map(measure, group))
        if portion and size + weight > room:
            yield tuple(portion)
            portion, size = [], 0
        portion += group
        size += weight
    if portion:
        yield tuple(portion)


def _groups(history: Sequence[Message]) -> Iterator[list[Message]]:
    group: list[Message] = []
    for message in history:
        if group and message.role != "tool":
            yield group
            group = []
        group.append(message)
    if group:
        yield group
