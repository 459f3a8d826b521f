"""Put the waiting questions to the person at the terminal, one after the other, and send back the answers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from app.events import ApprovalAnswered, ApprovalAsked, Event
from app.records import Answer, Approval
from ui.terminal import effects
from ui.terminal.keyboard import Lines
from ui.terminal.output import Terminal
from ui.words import _

if TYPE_CHECKING:
    from app.engine import Engine


def parse_answer(text: str) -> Answer | None:
    """Return what the typed text answers, None when it is no answer. An empty line never allows anything."""
    word, _blank, rest = text.strip().partition(" ")
    word = word.rstrip(",.:;").casefold()
    if word in ("y", "yes", _("yes").casefold()) and not rest:
        return Answer(decision="allow", by="terminal")
    if word in ("n", "no", _("no").casefold()):
        return Answer(decision="deny", reason=rest.strip(), by="terminal")
    return None


def choices() -> str:
    """Return the keys that may be typed. Answers for longer come with rules that can be saved."""
    return " · ".join(("y " + _("allow"), "n " + _("do not allow"), "n " + _("and a few words: say why")))


class Answers(Protocol):
    """Where the lines that answer a question come from."""

    async def answer(self) -> str | None:
        """Return the next line, None when nobody types any more."""
        ...

    async def settle(self) -> None:
        """Throw away what was typed before the question could be read."""
        ...


class AnswerLines:
    """Answers of a person at a terminal that is used for nothing else meanwhile."""

    def __init__(self, terminal: Terminal) -> None:
        self._err = terminal.err
        self._lines = Lines()

    async def answer(self) -> str | None:
        """See Answers."""
        self._err.write("> ")
        line = await self._lines.read()
        self._err.at_start = True  # the person's Enter ended the row
        return line

    async def settle(self) -> None:
        """See Answers."""
        await self._lines.settle()


class Asker:
    """Asks the questions of one process, in order; one that is answered elsewhere meanwhile is taken away."""

    def __init__(
        self, terminal: Terminal, engine: Engine, answers: Answers, mine: Callable[[Approval], bool]
    ) -> None:
        self.terminal = terminal
        self.engine = engine
        self.answers = answers
        self.mine = mine
        """Whether a question is one of this command; those of other processes are heard of too."""
        self._waiting: asyncio.Queue[Approval] = asyncio.Queue()
        self._gone: set[str] = set()
        self._current = ""
        self._reading: asyncio.Task[Answer] | None = None

    def take(self, event: Event) -> None:
        """Take notice of a question that was asked or is gone."""
        if isinstance(event, ApprovalAsked) and self.mine(event.approval):
            self._waiting.put_nowait(event.approval)
        elif isinstance(event, ApprovalAnswered):
            self._gone.add(event.approval)
            if event.approval == self._current and self._reading is not None:
                self._reading.cancel()

    async def run(self) -> None:
        """Ask until cancelled."""
        while True:
            approval = await self._waiting.get()
            if approval.id not in self._gone:
                await self._ask(approval)

    async def _ask(self, approval: Approval) -> None:
        self.show(approval)
        self._current = approval.id
        self._reading = asyncio.create_task(self._read())
        try:
            answer = await self._reading
        except asyncio.CancelledError:
            self._reading.cancel()
            if approval.id not in self._gone:
                raise  # the whole command is being ended
            self.terminal.note(_("Answered elsewhere, or not needed any more."))
            return
        finally:
            self._current = ""
        if await self.engine.answer(approval.id, answer):
            self.terminal.note(_("Allowed.") if answer.decision == "allow" else _("Not allowed."))
        else:
            self.terminal.note(_("Answered elsewhere, or not needed any more."))

    def show(self, approval: Approval) -> None:
        """Draw what would happen, whole."""
        err = self.terminal.err
        self.terminal.note("")
        err.line(err.styled(effects.headline(approval.effect), "strong"))
        for line in effects.body(approval.effect, err.styled):
            err.line(line)
        if footnote := effects.footnote(approval):
            err.line(err.styled(footnote, "muted"))

    async def _read(self) -> Answer:
        await self.answers.settle()
        while True:
            self.terminal.err.line(choices())
            line = await self.answers.answer()
            if line is None:
                return Answer(decision="deny", reason="", by="terminal")
            if answer := parse_answer(line):
                return answer
