"""What one turn did, gathered from its events: the value of `ask --json` and the exit code."""

from __future__ import annotations

from typing import Any

import msgspec

from app.events import Event, MessageStored, TextStreamed, ToolFinished, ToolStarted, TurnEnded, TurnStarted
from app.records import Message, Usage
from ui.terminal import exits


class CallMade(msgspec.Struct):
    """One call as `ask --json` shows it: the inner tool of use_tool, with its own arguments."""

    id: str
    name: str
    arguments: str
    decision: str = ""
    ok: bool = False
    finished: bool = False


class Report(msgspec.Struct):
    """Grows with the events of one turn of one session."""

    session: str = ""
    turn: str = ""
    calls: list[CallMade] = []
    texts: dict[str, list[str]] = {}
    """What each answer of the turn says, by message, in order; in pieces as it came."""
    ended: TurnEnded | None = None

    def take(self, event: Event) -> None:
        """Take notice of an event; those of other turns count for nothing."""
        if event.session != self.session:
            return
        match event:
            case TurnStarted() if not self.turn:
                self.turn = event.turn
            case MessageStored(message=message) if message.turn == self.turn:
                self._stored(message)
            case TextStreamed() if event.turn == self.turn:
                self.texts.setdefault(event.message, []).append(event.text)
            case ToolStarted() if event.turn == self.turn:
                self._started(event)
            case ToolFinished() if event.turn == self.turn:
                self._finished(event)
            case TurnEnded() if event.turn == self.turn:
                self.ended = event

    def _stored(self, message: Message) -> None:
        if message.role != "assistant":
            return
        self.texts[message.id] = [message.text]
        if message.state == "complete":
            known = [call.id for call in self.calls if not call.finished]
            self.calls += [
                CallMade(call.id, call.name, call.arguments or "{}")
                for call in message.calls
                if call.id not in known
            ]

    def _open(self, call: str) -> CallMade | None:
        return next((made for made in self.calls if made.id == call and not made.finished), None)

    def _started(self, event: ToolStarted) -> None:
        made = self._open(event.call.id)
        if made is None:
            made = CallMade(event.call.id, event.call.name, "{}")
            self.calls.append(made)
        made.name, made.arguments = event.call.name, event.call.arguments or "{}"

    def _finished(self, event: ToolFinished) -> None:
        if made := self._open(event.call):
            made.decision, made.ok, made.finished = event.decision, event.ok, True

    @property
    def text(self) -> str:
        """The last answer that says anything."""
        joined = ("".join(pieces) for pieces in reversed(self.texts.values()))
        return next((text for text in joined if text.strip()), "")

    @property
    def unanswered(self) -> bool:
        """Whether a call needed an approval that nobody gave."""
        return any(call.decision == "ask" and not call.ok for call in self.calls)

    @property
    def exit(self) -> int:
        """The exit code of the turn."""
        if self.ended is None:
            return exits.FAILED
        problem = self.ended.problem.code if self.ended.problem else ""
        return exits.of_turn(self.ended.stop, problem, unanswered=self.unanswered)

    def form(self) -> dict[str, Any]:
        """Return the value that `ask --json` prints."""
        ended = self.ended
        return {
            "session": self.session,
            "text": self.text,
            "stop": ended.stop if ended else "failed",
            "rounds": ended.rounds if ended else 0,
            "tools": [
                {"name": call.name, "arguments": call.arguments, "decision": call.decision, "ok": call.ok}
                for call in self.calls
            ],
            "usage": ended.usage if ended else Usage(),
            "cost": ended.cost if ended else None,
        }
