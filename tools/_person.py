"""What a tool may want of people and of the conversation's own model: an answer, a translation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol, runtime_checkable


class Choice(NamedTuple):
    """One answer that a person can pick, with a line that says what it means."""

    text: str
    detail: str = ""


class Reply(NamedTuple):
    """What the person said: the choices they picked, and words of their own."""

    picked: tuple[str, ...]
    text: str = ""


@runtime_checkable
class AskPerson(Protocol):
    """Asks the person of the conversation and waits; no answer ever allows anything."""

    async def ask(self, question: str, choices: Sequence[Choice], several: bool = False) -> Reply:
        """Return their reply. Raises Refused where nobody is there or they would rather not answer."""
        ...


class Translation(NamedTuple):
    """A text in another language, by the model that is named."""

    text: str
    model: str


@runtime_checkable
class Translate(Protocol):
    """Translates with the conversation's own model; what it costs counts in the conversation."""

    async def translate(self, text: str, to: str, source: str = "") -> Translation:
        """Raises BrambleError (no_model, ...) where there is none."""
        ...
