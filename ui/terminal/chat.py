"""`bramble chat`: a conversation in the terminal; what is typed while a turn runs steers it."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click
from msgspec import structs

from app.attachment_records import own_words
from app.events import (
    Event,
    QueueChanged,
    RetryWaited,
    SessionChanged,
    ToolFinished,
    TurnEnded,
    TurnStarted,
)
from app.records import Mode, Queued, SessionInfo, TurnOptions
from ui import slash
from ui.memory_words import private_text
from ui.step_words import Step, now_text, standing_steps, steps_of
from ui.terminal import exits
from ui.terminal.approving import Asker
from ui.terminal.ask import MODEL_HELP, Wanted, find_session, summary_line
from ui.terminal.attaching import sent_line, waiting_line, with_attached
from ui.terminal.clean import one_line
from ui.terminal.commands import cwd_option, private_option, rights_options
from ui.terminal.completing import MOST, Completer
from ui.terminal.countdown import Countdown
from ui.terminal.editor import Editor
from ui.terminal.output import Terminal
from ui.terminal.plans import tell_plan
from ui.terminal.screen import Screen
from ui.terminal.session import attended, only_by_a_person, run, say
from ui.terminal.sessions import write_message
from ui.terminal.turn_view import TurnView, concerns
from ui.terminal.typing_in import PipedLines, Prompt, Router, Source
from ui.words import _, mode_text

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from app.engine import Engine

RECENT = 12
"""Messages that are shown when a conversation is opened."""


@click.command()
@click.option("--session", metavar="ID", default="", help="Go on with this conversation.")
@click.option("--continue", "latest", is_flag=True, help="Go on with the newest conversation of this folder.")
@cwd_option
@click.option("--model", metavar="PROFILE/MODEL", default="", help=MODEL_HELP)
@click.option(
    "--mode", type=click.Choice(["agent", "plan", "chat"]), help="agent acts, plan and chat only read."
)
@private_option
@rights_options
@click.pass_obj
def chat(
    terminal: Terminal, session: str, latest: bool, cwd: str | None, model: str, mode: Mode | None, yes: bool,
    allow: tuple[str, ...], deny: tuple[str, ...], private: bool,
) -> int:  # fmt: skip
    """Talk with Bramble. /help shows what else can be done."""
    wanted = Wanted(session, latest, cwd, mode, model, private)
    options = TurnOptions(
        mode=mode, model=model, yes=yes, allow=allow, deny=deny, attended=attended(terminal)
    )
    return run(terminal, lambda engine: _chat(engine, terminal, wanted, options))


async def _chat(engine: Engine, terminal: Terminal, wanted: Wanted, options: TurnOptions) -> int:
    only_by_a_person(bool(options.yes or options.allow))
    info = await find_session(engine, terminal, wanted, agree=options.yes)
    talk = Talk(engine, terminal, info, options)
    source = talk.source()
    try:
        await talk.greet()
        return await talk.run(source)
    finally:
        source.close()


class Talk:
    """One conversation at the terminal, from the greeting to /quit."""

    def __init__(self, engine: Engine, terminal: Terminal, info: SessionInfo, options: TurnOptions) -> None:
        self.engine = engine
        self.terminal = terminal
        self.info = info
        self.options = options
        self.editor = Editor()
        self.leaving = False
        self.listed: list[SessionInfo] = []
        """What /sessions showed last, for /open NUMBER."""
        self.attached: list[str] = []
        """Paths of what goes with the next message."""
        self.queued: tuple[Queued, ...] = ()
        self.running = False
        self.ended: TurnEnded | None = None
        self._screen: Screen | None = None
        self._view = TurnView(terminal)
        self._steps: tuple[Step, ...] = ()
        """The model's checklist, as it stands."""
        self._countdown = Countdown(self._status)
        self._completer = Completer(self.editor, self._files, self._completed)
        self._interrupts = 0
        self._tasks: set[asyncio.Task[None]] = set()

    # --- in and out ------------------------------------------------------------

    def source(self) -> Source:
        """Return where lines come from; a terminal that can draw gets the prompt that stays at its foot."""
        able = self.options.attended and self.terminal.out.terminal and sys.platform != "win32"
        if not able or self.terminal.environ.get("TERM", "dumb") == "dumb":
            return PipedLines()
        self._screen = Screen(self.terminal.out.stream, self.terminal.environ, self.editor)
        self.terminal.out = self.terminal.err = self._screen
        return Prompt(self._screen, self.interrupt, self._completer)

    async def greet(self) -> None:
        """Say where we are, and what was said last."""
        await self.open(self.info)
        self.terminal.note(_("/help shows what can be done. Ctrl+D or /quit leaves."))

    async def open(self, info: SessionInfo) -> None:
        """Go on with a session: show its newest messages and give its texts to the history."""
        self.info, self.queued, self.running = info, (), False
        recent = await self.engine.sessions.messages(info.id, tail=RECENT)
        self._steps = standing_steps(recent)
        for message in recent:
            if message.role == "user":
                self.editor.remember(own_words(message.text))
            write_message(self.terminal.out, message)
        model = await self.engine.models.current(info.model) or _("no model yet")
        self.terminal.note(
            one_line(f"{info.title or _('New conversation')} · {info.cwd} · {model} · {mode_text(info.mode)}")
        )
        if info.private:
            self.terminal.note(private_text(), "caution")
        self._status()

    def interrupt(self) -> None:
        """Ctrl+C: stop the turn; without one, say how to leave, and leave at the second time."""
        if self.running:
            self._start(self.engine.stop(self.info.id))
            return
        self._interrupts += 1
        if self._interrupts > 1:
            self.leaving = True
            self._router.lines.put_nowait(None)
        else:
            self.terminal.note(_("Nothing runs. Ctrl+C once more leaves."))

    # --- the loop ------------------------------------------------------------

    async def run(self, source: Source) -> int:
        """Take lines until the end; returns the exit code."""
        from ui.terminal.signals import interrupts

        self._router = Router(source)
        asker = Asker(self.terminal, self.engine, self._router, lambda one: one.session == self.info.id)
        unsubscribe = [self.engine.subscribe(self._take), self.engine.subscribe(asker.take)]
        helpers = [asyncio.create_task(self._router.run()), asyncio.create_task(asker.run())]
        self.engine.daily.timers.begin()
        try:
            with interrupts(self.interrupt):
                await self._ask_project()
                while not self.leaving:
                    line = await self._router.lines.get()
                    if line is None:
                        break
                    await self._line(line)
                await self._leave()
        finally:
            for end in unsubscribe:
                end()
            self._countdown.end()
            self._completer.close()
            for helper in [*helpers, *self._tasks]:
                helper.cancel()
            await asyncio.gather(*helpers, *self._tasks, return_exceptions=True)
        return self._exit()

    async def next_line(self) -> str | None:
        """Return the next line that the person types, None when nobody types any more."""
        line = await self._router.lines.get()
        if line is None:
            self._router.lines.put_nowait(None)  # the loop ends by it too
        return line

    def away(self) -> AbstractContextManager[None]:
        """Leave the terminal to another program meanwhile."""
        return self._router.away()

    async def _ask_project(self) -> None:
        """Ask about the instructions and skills of a project that the person was not asked about; a pipe is
        only told.
        """
        from app.errors import BrambleError
        from ui.terminal.asking_project import tell_waiting
        from ui.terminal.instructions import ask_instructions
        from ui.terminal.skill_asking import ask_project

        if not self.options.attended:
            await tell_waiting(self.terminal, self.engine, self.info.cwd)
            return
        for ask in (ask_instructions, ask_project):
            try:
                line = await ask(self.terminal, self.engine, self.info.cwd, self.next_line)
            except BrambleError as error:
                say(self.terminal, error.problem)
                continue
            if line is None:
                return
            if line:
                await self._line(line)
                return

    async def _line(self, line: str) -> None:
        from app.errors import BrambleError
        from ui.terminal.chat_commands import command
        from ui.terminal.session import Trouble

        if not line.strip():
            return
        self._interrupts = 0
        try:
            if split := slash.split(line):
                await command(self, *split)
            else:
                await self.say(line)
        except (BrambleError, Trouble) as error:
            say(self.terminal, error.problem)

    async def say(self, text: str) -> None:
        """Begin a turn, or give the running one a word, with what was attached for it."""
        named = (os.path.join(self.info.cwd, path) for path in self._completer.sent(text))
        self.attached += [path for path in named if path not in self.attached]
        text = await with_attached(self, text)
        if self._screen is not None:
            self.terminal.out.line(self.terminal.out.styled("> " + own_words(text), "accent"))
        if brings := sent_line(text):
            self.terminal.note(brings)
        if not self.running:
            await self.engine.wait(
                self.info.id
            )  # the turn that has ended may still be putting its things away
        if self.running:
            await self.engine.steer(self.info.id, text)
            return
        self.running = True
        self._status()
        await self.engine.send(self.info.id, text, self.options)
        if not self.options.attended:
            await self.engine.wait(self.info.id)  # lines of a pipe are taken one after the other

    async def _leave(self) -> None:
        """At the end of a pipe the turn runs to its end; a person who leaves stops it."""
        if self.running and self.options.attended:
            await self.engine.stop(self.info.id)
        elif self.running:
            await self.engine.wait(self.info.id)
        self.terminal.note(_("Kept. Go on with: bramble chat --session {id}").replace("{id}", self.info.id))

    def _exit(self) -> int:
        """A conversation that a script leads ends with the code of its last turn."""
        if self.options.attended or self.ended is None:
            return exits.DONE
        problem = self.ended.problem.code if self.ended.problem else ""
        return exits.of_turn(self.ended.stop, problem)

    def set_mode(self, mode: Mode) -> None:
        """Use a mode from the next turn on, whatever the command line said."""
        self.options = structs.replace(self.options, mode=mode)

    def set_model(self, model: str) -> None:
        """Use a model from the next turn on, whatever the command line said."""
        self.options = structs.replace(self.options, model=model)

    async def stop_here(self) -> None:
        """Stop what runs before another conversation is opened."""
        if self.running:
            await self.engine.stop(self.info.id)

    # --- events ------------------------------------------------------------

    def _take(self, event: Event) -> None:
        if not concerns(event, self.info.id):
            return
        self._view.take(event)
        if isinstance(event, RetryWaited):
            self._countdown.begin(event.seconds)
        elif event.session == self.info.id:
            self._countdown.end()
        match event:
            case TurnStarted():
                self.running = True
            case ToolFinished(view=view) if steps := steps_of(view):
                self._steps = steps
            case TurnEnded():
                self.running, self.ended = False, event
                self.terminal.note(summary_line(event))
                if self.options.attended:
                    self._start(tell_plan(self))
            case QueueChanged(queued=queued):
                self.queued = queued
            case SessionChanged(info=info) if info is not None:
                self.info = info
        self._status()

    def _completed(self) -> None:
        """Draw what Tab has made of the text, and what else would fit."""
        self._status()
        if self._screen is not None:
            self._screen.draw()

    async def _files(self, typed: str) -> Sequence[str]:
        return (await self.engine.attachments.find(self.info.cwd, typed, MOST)).paths

    def _status(self) -> None:
        """Show above the prompt what runs and what waits."""
        if self._screen is None:
            return
        parts = [_("Working. Enter adds a word, Ctrl+C stops.")] if self.running else []
        steps = now_text(self._steps) if self.running and self._steps else ""
        parts = [*filter(None, [self._countdown.text, steps]), *parts, *self._completer.offered]
        parts += [
            f"{number}. {one_line(waiting_line(item), 40)}" for number, item in enumerate(self.queued, 1)
        ]
        status = one_line(" · ".join(parts), self._screen.columns - 1)
        if status != self._screen.status:
            self._screen.status = status
            self._screen.draw()

    def _start(self, work: object) -> None:
        task = asyncio.ensure_future(work)  # type: ignore[call-overload]
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
