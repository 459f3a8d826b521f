"""What stands in the place of older messages, and the notes that a person keeps in a conversation."""

from __future__ import annotations

from typing import Literal

from app.effects import Mark
from app.record import Record

Effort = Literal["", "off", "low", "medium", "high"]
"""How much a model reasons; "" is the model's own measure."""


class Pin(Record, kw_only=True):
    """A note that a person keeps in a conversation: it stays word for word, whatever is summarised."""

    id: str
    session: str
    text: str
    made: float
    message: str = ""
    """The message that it was taken from, "" for one that the person typed."""
    marks: tuple[Mark, ...] = ()
    """The untrusted sources that its text may come from."""


class Compaction(Record, kw_only=True):
    """What a summary stands for: all of its branch before it, except the messages from `kept` on."""

    kept: str
    """Id of the first message that goes on word for word. It and all behind it up to the summary do."""
    cut: int = 0
    """Characters that one text of the kept messages has at most for the model, 0 = whole."""
    pins: tuple[str, ...] = ()
    """Ids of the pinned notes that the summary carries."""
    messages: int = 0
    """Messages that are summarised."""
    before: int = 0
    """Tokens of the context before and after, about."""
    after: int = 0
    by: Literal["model", "cut"] = "model"
    """`cut`: the model gave no useful summary, so the older part is only listed."""
    why: Literal["full", "overflow", "asked"] = "full"
