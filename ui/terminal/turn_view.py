"""Show a turn as it happens: the answer on stdout as it comes, tools, waits and the end on stderr."""

from __future__ import annotations

import asyncio

from app.events import (
    ApprovalAsked,
    CompactionProgressed,
    CompactionStarted,
    Event,
    MessageStored,
    Noticed,
    RequestHeld,
    RetryWaited,
    StoreFailed,
    TextStreamed,
    ToolFinished,
    ToolStarted,
    TurnEnded,
    TurnStarted,
)
from app.memory_records import recalled
from ui.compaction_words import step_text, summarised_text
from ui.memory_words import recalled_line
from ui.sign_in_words import held_text
from ui.terminal.clean import Cleaner, one_line
from ui.terminal.helpers import helpers_of, write_helpers
from ui.terminal.output import Style, Terminal
from ui.terminal.session import say
from ui.words import _, duration, problem_text, summary, verb, wait

SLOW_SECONDS = 1.0
"""A call that takes longer than this is named on the terminal before it is done."""
REASON_CAP = 200
"""Characters that are shown of why a call failed."""


def concerns(event: Event, session: str) -> bool:
    """Whether a person who looks at a session is shown an event: those of it, and notes that are of none."""
    return event.session == session or (isinstance(event, Noticed) and not event.session)


class TurnView:
    """Draws the events of one session. With `answer` false only stderr is written to."""

    def __init__(self, terminal: Terminal, *, answer: bool = True) -> None:
        self.terminal = terminal
        self.answer = answer
        self._turns: set[str] = set()
        """The turns of this process; what others do in the session is not drawn here."""
        self._cleaner = Cleaner()
        self._message = ""
        self._shown: list[str] = []
        """The pieces that were streamed of the answer that is being written."""
        self._rows: dict[str, str] = {}
        self._slow: dict[str, asyncio.TimerHandle] = {}

    def take(self, event: Event) -> None:
        """Show one event."""
        match event:
            case TurnStarted():
                self._turns.add(event.turn)
            case TextStreamed():
                self._text(event.message, event.text)
            case MessageStored(message=message) if (
                message.role == "assistant" and message.turn in self._turns
            ):
                self._stored(message.id, message.text, message.state)
            case ToolStarted():
                self._started(event)
            case ApprovalAsked(approval=approval):
                self._forget(approval.call)
            case ToolFinished():
                self._row(event)
            case RetryWaited() | RequestHeld():
                self._waiting(event)
            case TurnEnded(problem=problem) if problem is not None:
                say(self.terminal, problem)
            case Noticed(problem=problem) | StoreFailed(problem=problem):
                say(self.terminal, problem)
            case _:
                self._quietly(event)

    def _quietly(self, event: Event) -> None:
        """Say that earlier messages are being summarised, and what was recalled; other events are not worth a
        line of their own.
        """
        if isinstance(event, CompactionStarted):
            self.terminal.note(_("Summarising the earlier messages."))
        elif isinstance(event, CompactionProgressed) and event.total > 1:
            self.terminal.note(step_text(event.done, event.total))
        elif isinstance(event, MessageStored) and event.message.role == "summary":
            self.terminal.note(summarised_text(event.message))
        elif isinstance(event, MessageStored) and event.message.turn in self._turns:
            self._recalled(event.message.context)

    def _recalled(self, context: str) -> None:
        if found := recalled(context):
            self.terminal.note(one_line(recalled_line(found), self.terminal.err.width))

    def _text(self, message: str, text: str) -> None:
        if message != self._message:
            self._begin(message)
        self._shown.append(text)
        if self.answer:
            self.terminal.out.write(self._cleaner.feed(text))

    def _begin(self, message: str) -> None:
        """A new answer starts on a line of its own, apart from the one before."""
        if self.answer and self._message:
            self.terminal.out.write("\n" if self.terminal.out.at_start else "\n\n")
        self._message, self._shown, self._cleaner = message, [], Cleaner()

    def _stored(self, message: str, text: str, state: str) -> None:
        if message != self._message and not text:
            return
        if message == self._message and state == "streaming" and not text and self._shown:
            if self.answer and not self.terminal.out.at_start:
                self.terminal.out.write("\n")
            self.terminal.note(_("The answer broke off. It begins again."))
            self._message, self._shown, self._cleaner = message, [], Cleaner()
        elif state != "streaming":
            shown = "".join(self._shown) if message == self._message else ""
            if text.startswith(shown):
                self._text(message, text[len(shown) :])
            if self.answer:
                self.terminal.out.write(self._cleaner.end())
                if not self.terminal.out.at_start:
                    self.terminal.out.write("\n")

    def _started(self, event: ToolStarted) -> None:
        words = " ".join(filter(None, [verb(event.verb) or event.call.name, event.subject]))
        self._rows[event.call.id] = words
        if self.terminal.err.terminal:
            loop = asyncio.get_running_loop()
            text = one_line(f"… {words}", self.terminal.err.width)
            self._slow[event.call.id] = loop.call_later(SLOW_SECONDS, self.terminal.note, text)

    def _forget(self, call: str) -> None:
        if timer := self._slow.pop(call, None):
            timer.cancel()

    def _row(self, event: ToolFinished) -> None:
        self._forget(event.call)
        err = self.terminal.err
        words = self._rows.pop(event.call, event.tool)
        # "failed" alone helps nobody: why it did stands at the beginning of what the model is told.
        told = "" if event.summary == "failed" else summary(event.summary)
        result = told or one_line(event.text, 60 if event.ok else REASON_CAP)
        style: Style = "good" if event.ok else "danger"
        mark = err.styled("✓" if event.ok else "✗", style) if err.terminal else ("ok" if event.ok else "--")
        room = max(10, err.width - 12)
        self.terminal.note(
            f"{mark} {one_line(f'{words} · {result}', room)} · {duration(event.seconds)}", "plain"
        )
        write_helpers(err, helpers_of(event.view))
        if event.decision == "ask" and not event.ok:
            self.terminal.note("  " + _("Nobody was there to allow this, so it was not done."), "caution")
            self.terminal.note(
                "  " + _("Run it in a terminal to be asked, or allow it with --allow RULE or --yes.")
            )

    def _waiting(self, event: RetryWaited | RequestHeld) -> None:
        if isinstance(event, RequestHeld):
            self.terminal.note(held_text(event.why, event.provider))
            return
        title = problem_text(event.problem).title
        again = _("Next try in {time}.").replace("{time}", wait(event.seconds))
        self.terminal.note(f"{one_line(title)} {again}", "caution")
