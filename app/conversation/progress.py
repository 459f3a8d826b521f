"""Whether a turn gets on between two compactions, or fills its context with the same again and again."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from app.conversation.limits import same_key, same_result
from app.errors import BrambleError
from app.records import Message, ToolCall

UNANSWERED = ("compaction_stuck", "does_not_fit")
"""Codes of turns that end for want of room: no message of theirs says so by itself."""
VAIN = 3
"""Compactions without progress after which a turn ends (product.md 1.5)."""


class Progress:
    """Of one turn. New is a result that no equal call gave before, a word of the person, a plain answer."""

    def __init__(self) -> None:
        self._results: set[str] = set()
        self._looked: set[str] = set()
        self._calls: dict[str, ToolCall] = {}
        self._begun = False
        self.vain = 0
        """Compactions in a row after which the context filled again with nothing new."""

    def check(self, history: Sequence[Message]) -> None:
        """Take the history before it is summarised. Raises BrambleError compaction_stuck."""
        new = self._new(history)
        if self._begun:
            self.vain = 0 if new else self.vain + 1
        self._begun = True
        if self.vain >= VAIN:
            raise stuck(self.vain)

    def _new(self, history: Sequence[Message]) -> bool:
        fresh = [message for message in history if message.id not in self._looked]
        self._looked.update(message.id for message in fresh)
        found = False
        for message in fresh:
            self._calls.update((call.id, call) for call in message.calls)
            if message.role == "tool":
                call = self._calls.get(message.call)
                words = f"{same_key(call) if call else message.tool}\n{same_result(message.text)}"
                print_ = hashlib.sha256(words.encode("utf-8", "surrogatepass")).hexdigest()
                found = found or print_ not in self._results
                self._results.add(print_)
            elif message.role == "user" or (message.role == "assistant" and _answers(message)):
                found = True
        return found


def _answers(message: Message) -> bool:
    return bool(message.text.strip()) and not message.calls


def stuck(times: int) -> BrambleError:
    """Return the error of a turn whose context fills again and again."""
    words = "The context fills again and again without progress."
    return BrambleError("compaction_stuck", words, times=str(times))


def does_not_fit(detail: str = "") -> BrambleError:
    """Return the error of a request that is too long however it is shortened; `detail` is the provider's."""
    return BrambleError("does_not_fit", "The context does not fit.", detail=detail)
