"""Put what waits for the person at the terminal, one after the other, and send back the answers."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from app.daily_records import Inquiry, InquiryReply, TimerInfo
from app.events import (
    ApprovalAnswered,
    ApprovalAsked,
    Event,
    InquiryAnswered,
    InquiryAsked,
    Noticed,
    RulesChanged,
    TimerRang,
)
from app.records import Answer, Approval
from ui.inquiry_words import ring_text
from ui.terminal import effects, inquiring
from ui.terminal.clean import visible
from ui.terminal.keyboard import Lines
from ui.terminal.output import Terminal
from ui.terminal.permissions import saved_text
from ui.terminal.replies import (
    Draft,
    Edit,
    Say,
    Without,
    choices,
    draft_of,
    read_reply,
    shown_approval,
    with_edit,
    without,
)
from ui.terminal.session import say
from ui.words import _

if TYPE_CHECKING:
    from app.engine import Engine


class Answers(Protocol):
    """Where the lines that answer a question come from."""

    async def answer(self) -> str | None:
        """Return the next line, None when nobody types any more."""
        ...

    async def settle(self) -> None:
        """Throw away what was typed before the question could be read."""
        ...

    def away(self) -> AbstractContextManager[None]:
        """Leave the terminal to another program meanwhile."""
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

    def away(self) -> AbstractContextManager[None]:
        """See Answers: a terminal in its own mode needs nothing."""
        return nullcontext()


class Asker:
    """Asks the questions of one process, in order; one that is answered elsewhere meanwhile is taken away."""

    def __init__(
        self, terminal: Terminal, engine: Engine, answers: Answers, mine: Callable[[Approval | Inquiry], bool]
    ) -> None:
        self.terminal = terminal
        self.engine = engine
        self.answers = answers
        self.mine = mine
        """Whether a question is one of this command; those of other processes are heard of too."""
        self._waiting: asyncio.Queue[Approval | Inquiry] = asyncio.Queue()
        self._gone: set[str] = set()
        self._current = ""
        self._reading: asyncio.Task[Answer] | asyncio.Task[InquiryReply] | None = None

    def take(self, event: Event) -> None:
        """Take notice of a question that was asked or is gone, and of what became of a rule."""
        if isinstance(event, RulesChanged):
            for saved in event.added:
                self.terminal.note(saved_text(saved))
        elif isinstance(event, Noticed) and event.problem.code in ("rule_not_saved", "not_offered"):
            say(self.terminal, event.problem)
        elif isinstance(event, ApprovalAsked) and self.mine(event.approval):
            self._waiting.put_nowait(event.approval)
        elif isinstance(event, InquiryAsked) and self.mine(event.inquiry):
            self._waiting.put_nowait(event.inquiry)
        elif isinstance(event, ApprovalAnswered):
            self._over(event.approval)
        elif isinstance(event, InquiryAnswered):
            self._over(event.inquiry)
        elif isinstance(event, TimerRang):
            self._rang(event.timer)

    def _rang(self, timer: TimerInfo) -> None:
        """Tell of a timer that this process took upon itself; what was told here is put away."""
        when = time.strftime("%H:%M", time.localtime(timer.due))
        self.terminal.note(visible(ring_text(timer, when), lines=False), "caution")
        self._away = asyncio.create_task(self.engine.daily.timers.put_away(timer.id))

    def _over(self, question: str) -> None:
        self._gone.add(question)
        if question == self._current and self._reading is not None:
            self._reading.cancel()

    async def run(self) -> None:
        """Ask until cancelled."""
        while True:
            waiting = await self._waiting.get()
            if waiting.id in self._gone:
                continue
            if isinstance(waiting, Inquiry):
                await self._inquire(waiting)
            else:
                await self._ask(waiting)

    async def _inquire(self, inquiry: Inquiry) -> None:
        """Put a question of the model, which allows nothing."""
        err = self.terminal.err
        self.terminal.note("")
        for line in inquiring.lines(inquiry, err.styled):
            err.line(line)
        self._current = inquiry.id
        self._reading = reading = asyncio.create_task(self._reply(inquiry))
        try:
            reply = await reading
        except asyncio.CancelledError:
            reading.cancel()
            if inquiry.id not in self._gone:
                raise  # the whole command is being ended
            self.terminal.note(_("Answered elsewhere, or not needed any more."))
            return
        finally:
            self._current = ""
        if not await self.engine.daily.inquiries.answer(inquiry.id, reply):
            self.terminal.note(_("Answered elsewhere, or not needed any more."))

    async def _reply(self, inquiry: Inquiry) -> InquiryReply:
        await self.answers.settle()
        while True:
            self.terminal.err.line(inquiring.hint(inquiry))
            reply = inquiring.read(await self.answers.answer(), inquiry)
            if isinstance(reply, InquiryReply):
                return reply
            self.terminal.note(reply, "caution")

    async def _ask(self, approval: Approval) -> None:
        self.show(approval)
        self._current = approval.id
        self._reading = reading = asyncio.create_task(self._read(draft_of(approval)))
        try:
            answer = await reading
        except asyncio.CancelledError:
            reading.cancel()
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
        for line in effects.facts(approval, err.styled):
            err.line(line)
        if footnote := effects.footnote(approval):
            err.line(err.styled(footnote, "muted"))
        for line in effects.offer_lines(approval, err.styled):
            err.line(line)

    async def _read(self, draft: Draft) -> Answer:
        """Take lines until one answers; a person may edit and leave pieces out in between."""
        await self.answers.settle()
        while True:
            self.terminal.err.line(choices(draft))
            line = await self.answers.answer()
            if line is None:
                return Answer(decision="deny", reason="", by="terminal")
            match read_reply(line, draft):
                case Answer() as answer:
                    return answer
                case Say(why=why):
                    self.terminal.note(why, "caution")
                case Without(pieces=pieces):
                    draft = without(draft, pieces)
                    self._say_left_out(draft)
                case Edit(file=at):
                    draft = await self._edited(draft, at)
                    await self.answers.settle()  # keys that were meant for the editor

    def _say_left_out(self, draft: Draft) -> None:
        numbers = [str(at) for at, piece in enumerate(draft.pieces, 1) if piece in draft.rejected]
        words = _("Left out: {pieces}. Nothing is written yet.") if numbers else _("All pieces are in again.")
        self.terminal.note(words.replace("{pieces}", ", ".join(numbers)))

    async def _edited(self, draft: Draft, at: int) -> Draft:
        """Let the person edit a file of the proposal, and show what would be written then."""
        from app.errors import BrambleError
        from ui.terminal.external import CannotEdit, edited

        file = draft.files[at]
        try:
            with self.answers.away():
                text = await edited(file.text or "", Path(file.path).name, self.terminal.environ)
            made = await self.engine.changes.preview(draft_of(draft.approval).files[at], text)
        except CannotEdit as error:
            words = _("It could not be edited ({why}). Nothing has changed.")
            self.terminal.note(words.replace("{why}", visible(str(error), lines=False)), "caution")
            return draft
        except BrambleError as error:
            say(self.terminal, error.problem)
            return draft
        if text == file.text:
            self.terminal.note(_("It is as it was."))
            return draft
        again = any(piece[0] == at for piece in draft.rejected)
        draft = with_edit(draft, at, made)
        self.show(shown_approval(draft))
        if again:
            self.terminal.note(_("The pieces that you left out of this file are in again."), "caution")
        return draft
