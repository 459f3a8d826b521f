"""Which tools beyond the offered ones are active: those whose schemas stand in the context (product.md 2.6).

Pure: it follows from the effective context alone, so a restart, another branch and a summary need no rule of
their own.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence

from app.records import Message

FIND = "find_tools"


class Evidence:
    """Takes the effective context as it grows, so that a long one is not read again each round."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        """Names with the text that holds their schemas, "" where a call is the evidence."""
        self._seen: list[str] = []

    def look(self, history: Sequence[Message]) -> None:
        """Take the whole effective history; what left it, as by a summary, counts no longer."""
        known = len(self._seen)
        if not goes_on(self._seen, history):
            self._names, self._seen, known = {}, [], 0
        for message in history[known:]:
            self._seen.append(message.id)
            said = message.text if message.tool == FIND else ""
            for name in brought(message):
                self._names[name] = said or self._names.get(name, "")

    def names(self) -> tuple[str, ...]:
        """Return all names with evidence, in the order of the first, also those that are gone."""
        return tuple(self._names)

    def current(self, line: Callable[[str], str]) -> frozenset[str]:
        """Return the names whose schema was told as it is now; `line` gives a tool's schema as it would be
        told. A server may have changed it since.
        """
        return frozenset(name for name, said in self._names.items() if not said or line(name) in said)


def goes_on(seen: Sequence[str], history: Sequence[Message]) -> bool:
    """Whether a history begins with the messages of these ids; the first and the last of them tell, since a
    summary stands first and another branch ends otherwise.
    """
    if not seen:
        return True
    return len(history) >= len(seen) and history[0].id == seen[0] and history[len(seen) - 1].id == seen[-1]


def brought(message: Message) -> tuple[str, ...]:
    """Return the tools that a message is evidence for: a result of find_tools that holds their whole schemas,
    or a successful call. What failed, was interrupted or was only talked about counts for nothing.
    """
    if message.role != "tool" or not message.ok or message.state != "complete":
        return ()
    if message.tool != FIND:
        return (message.tool,)
    return tuple(name for name in message.view.data.get("tools", ()) if isinstance(name, str))


def active(history: Sequence[Message], loadable: Container[str]) -> tuple[str, ...]:
    """Return the active tools in the order of their first evidence, as far as the mode still has them."""
    evidence = Evidence()
    evidence.look(history)
    return tuple(name for name in evidence.names() if name in loadable)
