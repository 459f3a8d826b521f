"""`bramble ask`: one turn, its answer on stdout, everything else on stderr."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from app.events import Event, TurnEnded, TurnStarted
from app.records import Mode, SessionInfo, TurnOptions, Usage
from ui.spending_words import turn_text
from ui.terminal import exits
from ui.terminal.commands import cwd_option, json_option, private_option, rights_options
from ui.terminal.first_steps import need_model
from ui.terminal.output import Terminal, as_json
from ui.terminal.report import Report
from ui.terminal.session import (
    Trouble,
    attended,
    error_form,
    only_by_a_person,
    run,
    stdin_text,
    working_folder,
)
from ui.terminal.turn_view import TurnView, concerns
from ui.terminal.weights import make_ready
from ui.words import _, money, plural, stop_text, tokens

if TYPE_CHECKING:
    from app.engine import Engine

MODEL_HELP = "The model that answers. With --yes one for this computer is fetched without a question."
BUSY_SECONDS = 1.0
"""How long a turn may wait for its session before the person is told why."""
FORM = {"session": "", "text": "", "stop": "failed", "rounds": 0, "tools": [], "usage": Usage(), "cost": None}


class Wanted(NamedTuple):
    """Which conversation the command line asked for, and what a new one is made with."""

    session: str
    latest: bool
    cwd: str | None
    mode: Mode | None
    model: str
    private: bool = False


class Asked(NamedTuple):
    """What the command line asked for."""

    text: str
    wanted: Wanted
    options: TurnOptions
    events: bool
    attach: tuple[str, ...] = ()


@click.command()
@click.argument("text", nargs=-1, required=True)
@click.option("--session", metavar="ID", default="", help="Go on with this conversation.")
@click.option("--continue", "latest", is_flag=True, help="Go on with the newest conversation of this folder.")
@cwd_option
@click.option("--model", metavar="PROFILE/MODEL", default="", help=MODEL_HELP)
@click.option(
    "--mode", type=click.Choice(["agent", "plan", "chat"]), help="agent acts, plan and chat only read."
)
@private_option
@rights_options
@click.option(
    "--max-rounds",
    type=click.IntRange(min=1),
    default=None,
    help="At most so many model requests with tools.",
)
@click.option("--attach", multiple=True, metavar="FILE", help="Give the model a text file with it.")
@click.option("--events", is_flag=True, help="Print every event as one line of JSON instead.")
@json_option
@click.pass_obj
def ask(
    terminal: Terminal, text: tuple[str, ...], session: str, latest: bool, cwd: str | None, model: str,
    mode: Mode | None, yes: bool, allow: tuple[str, ...], deny: tuple[str, ...], max_rounds: int | None,
    attach: tuple[str, ...], events: bool, private: bool,
) -> int:  # fmt: skip
    """Ask for one thing. TEXT is what you say; - stands for what comes on stdin."""
    said = " ".join(stdin_text() if word == "-" else word for word in text)
    if not said.strip():
        raise click.UsageError(_("There is no text. Say what should be done."))
    options = TurnOptions(
        mode=mode, model=model, max_rounds=max_rounds or 0, yes=yes, allow=allow, deny=deny,
        attended=attended(terminal),
    )  # fmt: skip
    files = tuple(_attached(name) for name in attach)
    wanted = Wanted(session, latest, cwd, mode, model, private)
    asked = Asked(said, wanted, options, events, files)
    return run(terminal, lambda engine: _ask(engine, terminal, asked), FORM)


def _attached(name: str) -> str:
    path = Path(os.path.abspath(os.path.expanduser(name)))
    if not path.exists():
        raise click.UsageError(_("There is no file {path} to attach.").replace("{path}", name))
    return str(path)


async def _ask(engine: Engine, terminal: Terminal, asked: Asked) -> int:
    only_by_a_person(bool(asked.options.yes or asked.options.allow))
    engine.models.prepare()
    asked = asked._replace(text=await _with_files(engine, asked))
    info = await find_session(engine, terminal, asked.wanted, agree=asked.options.yes)
    report = Report(session=info.id)
    view = TurnView(terminal, answer=not terminal.json_wanted and not asked.events)
    started = asyncio.Event()

    def listen(event: Event) -> None:
        report.take(event)
        if asked.events:
            terminal.out.write(as_json(event) + "\n")
        if concerns(event, info.id):
            view.take(event)
            if isinstance(event, TurnStarted):
                started.set()
        if terminal.out.gone and not stopping:
            stopping.append(asyncio.ensure_future(engine.stop(info.id)))

    stopping: list[asyncio.Future[None]] = []
    unsubscribe = engine.subscribe(listen)
    try:
        await _turn(engine, terminal, asked, report, started)
    finally:
        unsubscribe()
    _close(terminal, report, asked)
    if attended(terminal) and not terminal.json_wanted and not asked.events:
        from ui.terminal.asking_project import tell_waiting

        await tell_waiting(terminal, engine, info.cwd)  # the answer was not delayed by that
    return report.exit


async def _with_files(engine: Engine, asked: Asked) -> str:
    """Return the message with its files. Raises Trouble with the exit code of wrong use."""
    from app.errors import BrambleError

    if not asked.attach:
        return asked.text
    try:
        return await engine.attach(asked.text, asked.attach)
    except BrambleError as error:
        problem = error.problem
        detail = problem.detail or str(error)
        raise Trouble(problem.code, exit=exits.WRONG_USE, detail=detail, **problem.fields) from error


async def _turn(
    engine: Engine, terminal: Terminal, asked: Asked, report: Report, started: asyncio.Event
) -> None:
    """Run the turn to its end, with the person at hand where there is a terminal."""
    from ui.terminal.signals import interrupts

    helpers: list[asyncio.Task[None]] = [asyncio.create_task(_tell_busy(terminal, started))]
    unsubscribe = None
    if asked.options.attended:
        from ui.terminal.approving import AnswerLines, Asker

        asker = Asker(terminal, engine, AnswerLines(terminal), lambda one: one.session == report.session)
        unsubscribe = engine.subscribe(asker.take)
        helpers.append(asyncio.create_task(asker.run()))
    with interrupts(lambda: helpers.append(asyncio.ensure_future(engine.stop(report.session)))):
        try:
            report.turn = (await engine.send(report.session, asked.text, asked.options)).turn
            await engine.wait(report.session)
        finally:
            if unsubscribe is not None:
                unsubscribe()
            for helper in helpers:
                helper.cancel()
            await asyncio.gather(*helpers, return_exceptions=True)


async def _tell_busy(terminal: Terminal, started: asyncio.Event) -> None:
    try:
        await asyncio.wait_for(started.wait(), BUSY_SECONDS)
    except TimeoutError:
        terminal.note(
            _("This conversation is being answered in another window or terminal. Waiting for its end.")
        )


async def find_session(
    engine: Engine, terminal: Terminal, wanted: Wanted, *, agree: bool = False
) -> SessionInfo:
    """Return the session to speak in, a new one where none was named; a local model is fetched first.

    `agree` counts as agreement to that. Raises UsageError and Trouble.
    """
    if wanted.session and wanted.latest:
        raise click.UsageError(_("--session and --continue do not go together."))
    if wanted.private and (wanted.session or wanted.latest):
        raise click.UsageError(_("--private begins a conversation; it does not go with an earlier one."))
    if not wanted.session and not wanted.latest:
        # Before the conversation is made, so that a no leaves no empty one.
        model = await engine.models.current(wanted.model)
        await need_model(engine, terminal, model)
        await make_ready(engine, terminal, model, agree=agree)
        created: SessionInfo = await engine.sessions.create(
            cwd=working_folder(wanted.cwd), mode=wanted.mode, model=wanted.model, private=wanted.private
        )
        return created
    info = await _named(engine, wanted) if wanted.session else await _newest(engine, wanted)
    await need_model(engine, terminal, await engine.models.current(wanted.model or info.model))
    if wanted.cwd is not None and working_folder(wanted.cwd) != info.cwd:
        info = await engine.sessions.configure(info.id, cwd=working_folder(wanted.cwd))
    model = await engine.models.current(wanted.model or info.model)
    await make_ready(engine, terminal, model, agree=agree)
    return info


async def _named(engine: Engine, wanted: Wanted) -> SessionInfo:
    info = await engine.sessions.get(wanted.session)
    if info.deleted:
        raise Trouble("no_session", session=wanted.session)
    return info


async def _newest(engine: Engine, wanted: Wanted) -> SessionInfo:
    """Return the newest session of the folder. Raises Trouble (no_session) that names the folder."""
    folder = working_folder(wanted.cwd)
    found = [one for one in await engine.sessions.list() if _is_of(engine, one, folder)]
    if not found:
        where = folder or str(Path.cwd())
        words = _("There is no conversation of the folder {path} to go on with.").replace("{path}", where)
        raise Trouble("no_session", detail=words)
    return max(found, key=lambda one: one.updated)


def _is_of(engine: Engine, info: SessionInfo, folder: str) -> bool:
    """Whether the session works in the folder; "" stands for one of our empty ones, whichever it is."""
    if folder:
        return info.cwd == folder
    return not info.cwd or Path(info.cwd).resolve().is_relative_to(engine.home.scratch.resolve())


def _close(terminal: Terminal, report: Report, asked: Asked) -> None:
    """Print the one JSON value, and say which session it was, what it cost and how it ended."""
    ended = report.ended
    if terminal.json_wanted and not asked.events:
        form = report.form()
        if ended is not None and ended.problem is not None:
            form["error"] = error_form(ended.problem)
        terminal.json(form)
    if ended is None or terminal.out.gone:
        return
    if ended.stop not in ("done", "failed"):
        terminal.note(stop_text(ended.stop), "caution")
    line = f"{_('session {id}').replace('{id}', report.session)} · {summary_line(ended)}"
    if report.exit != exits.DONE:
        line += " · " + _("exit code {n}").replace("{n}", str(report.exit))
    terminal.note(line)


def summary_line(ended: TurnEnded) -> str:
    """Return what a turn took: requests, tokens, money."""
    requests = plural("{n} request", "{n} requests", ended.rounds)
    paid = turn_text(ended.usage, ended.cost) if ended.cost else money(ended.cost)
    cost = _("cost {sum}").replace("{sum}", paid or _("unknown"))
    return f"{requests} · {tokens(ended.usage.input + ended.usage.output)} · {cost}"
