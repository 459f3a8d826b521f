"""How the helpers of conversations get on, by the events of their own conversations. Without Qt."""

from __future__ import annotations

from app.events import (
    Event,
    MessageStored,
    RequestSent,
    SessionChanged,
    SessionCreated,
    TextStreamed,
    ToolFinished,
    ToolStarted,
    TurnEnded,
)
from ui.window.transcript.helpers_seen import LONGEST, TOOL, HelperSeen
from ui.words import _, verb


class HelperWatch:
    """Knows the helpers of calls that run, in the order in which they began."""

    def __init__(self) -> None:
        self._parents: dict[str, str] = {}
        self._seen: dict[str, HelperSeen] = {}

    def of(self, parent: str) -> tuple[HelperSeen, ...]:
        """Return the helpers of a conversation's running call."""
        return tuple(self._seen[key] for key, value in self._parents.items() if value == parent)

    def apply(self, event: Event) -> str:
        """Take an event of any conversation; return the conversation whose helpers it changed, "" for
        none.
        """
        if isinstance(event, SessionCreated) and event.info.parent:
            info = event.info
            self._parents[info.id] = info.parent
            self._seen[info.id] = HelperSeen(info.id, info.title, "running")
            return info.parent
        if event.session in self._parents:
            return self._follow(event)
        if event.session in self._parents.values() and _ends(event):
            self._forget(event.session)
        return ""

    def _follow(self, event: Event) -> str:
        before = self._seen[event.session]
        now = _after(before, event)
        self._seen[event.session] = now
        return self._parents[event.session] if now != before else ""

    def _forget(self, parent: str) -> None:
        """The call's result tells the rest."""
        for key in [key for key, value in self._parents.items() if value == parent]:
            del self._parents[key], self._seen[key]


def _ends(event: Event) -> bool:
    """Whether the call of a conversation that had helpers is over, as told here or by another process."""
    match event:
        case TurnEnded():
            return True
        case ToolFinished():
            return event.tool == TOOL
        case MessageStored():
            return event.message.role == "tool" and event.message.tool == TOOL
        case SessionChanged():
            return event.info is None or not event.info.running
        case _:
            return False


def _after(seen: HelperSeen, event: Event) -> HelperSeen:
    """Return what is known of a helper after an event of its own conversation."""
    match event:
        case RequestSent():
            return seen._replace(rounds=event.round, doing=_("Thinking"))
        case TextStreamed():
            return seen._replace(doing=_("Writing"))
        case ToolStarted():
            name = event.call.name.replace("_", " ")
            words = verb(event.verb) if event.verb else name[:1].upper() + name[1:]
            return seen._replace(doing=" ".join(filter(None, (words, event.subject[:LONGEST]))))
        case MessageStored() if event.message.role == "user" and event.message.by_model:
            return seen._replace(task=" ".join(event.message.text[:LONGEST].split()))
        case TurnEnded():
            return seen._replace(state="done" if event.stop == "done" else "early", rounds=event.rounds)
        case SessionChanged() if event.info is None:
            return seen._replace(state="early")
        case _:
            return seen
