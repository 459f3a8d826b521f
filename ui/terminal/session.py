"""Open the engine for one command, and turn typed errors into words, JSON and an exit code."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.records import Problem
from ui.terminal import exits
from ui.terminal.clean import clean
from ui.terminal.output import Terminal
from ui.words import _, ago, as_called, problem_text, use_language

if TYPE_CHECKING:
    from app.engine import Engine

Work = Callable[["Engine"], Awaitable[int]]


class Trouble(Exception):
    """Ends a command with a problem of its own making (a file that is not there, a wrong time)."""

    def __init__(self, code: str, *, detail: str = "", exit: int | None = None, **fields: str) -> None:
        super().__init__(code)
        self.problem = Problem(code=code, fields=fields, detail=detail)
        self.exit = exit


def run(terminal: Terminal, work: Work, form: Mapping[str, Any] | None = None) -> int:
    """Run `work` with an open engine and return its exit code; a failure prints `form` with its error."""
    terminal.form = form or {}
    keep_log(terminal)
    return asyncio.run(_run(terminal, work))


def keep_log(terminal: Terminal) -> None:
    """Send what this process logs to the log of its home."""
    from app import logs
    from app.platform.paths import home

    logs.install(home(terminal.environ).logs, terminal.environ)


async def _run(terminal: Terminal, work: Work) -> int:
    from app.engine import Engine
    from app.errors import BrambleError
    from app.platform.paths import home

    engine = Engine(home(terminal.environ), terminal.environ, kind="terminal")
    try:
        await engine.open()
        try:
            use_language(engine.settings.language, terminal.environ)
            if engine.problem is not None:
                say(terminal, engine.problem)
            return await work(engine)
        finally:
            await engine.close()
    except BrambleError as error:
        # A damaged store names the backup that it offers only in its own problem.
        known = engine.problem if engine.problem is not None else error.problem
        return fail(terminal, known if known.code == error.code else error.problem)
    except Trouble as trouble:
        return fail(terminal, trouble.problem, trouble.exit)


def only_by_a_person(widens: bool) -> None:
    """Refuse what widens rights when a tool of ours began this command: the model must not approve itself.

    `began_in_tool` says how far that can be seen. Raises Trouble (own_approval).
    """
    from app.platform.processes import began_in_tool

    if widens and began_in_tool():
        raise Trouble("own_approval", exit=exits.NO_APPROVAL)


def attended(terminal: Terminal) -> bool:
    """Whether a person can answer here: a terminal that a tool opened for itself has none."""
    from app.platform.processes import began_in_tool

    return terminal.interactive and not began_in_tool()


def say(terminal: Terminal, problem: Problem) -> None:
    """Tell the person what happened and what to do, once."""
    if problem in terminal.said:
        return
    terminal.said.append(problem)
    text = problem_text(problem)
    terminal.note(clean(text.title), "danger")
    terminal.note(clean(text.detail), "plain")
    if problem.fields.get("backup") and problem.fields.get("made"):
        made = ago(float(problem.fields["made"]), time.time())
        terminal.note(_("The newest backup was made: {when}.").replace("{when}", made), "plain")
    if hint := _hint(terminal, text.action, problem.fields):
        terminal.note(hint)


def fail(terminal: Terminal, problem: Problem, code: int | None = None) -> int:
    """Tell the person, with --json also the caller, and return the exit code."""
    say(terminal, problem)
    if terminal.json_wanted:
        terminal.json({**terminal.form, "error": error_form(problem)})
    return exits.of_problem(problem.code) if code is None else code


def error_form(problem: Problem) -> dict[str, str]:
    """Return a problem as the `error` of a JSON value."""
    text = problem_text(problem)
    return {"code": problem.code, "message": text.title, "detail": text.detail}


def _hint(terminal: Terminal, action: str, fields: Mapping[str, str]) -> str:
    """Return the command that helps, "" when none does."""
    if action == "open_settings_key" and fields.get("profile") == "env":
        return _("The key of this server is the variable BRAMBLE_API_KEY.")
    commands = {
        "open_settings_key": f"bramble login {fields.get('profile') or 'PROFILE'} --key -",
        "sign_in": f"bramble login {fields.get('profile') or 'copilot'}",
        "pick_model": "bramble models list",
        "use_fallback": f"bramble chat --continue --model {fields.get('fallback', 'MODEL')}",
        "restore_store": _restoring(terminal, fields),
        "install_local": f"bramble models install {fields.get('model') or 'NAME'}",
        "show_change": "bramble undo list",
        "show_rules": "bramble permissions list",
        "show_servers": "bramble mcp list",
        "show_skills": "bramble skills list",
        "show_tools": "bramble tools list",
        "show_own_tools": "bramble tools list --own",
        "report": "bramble doctor",
    }
    command = as_called(commands.get(action, ""))
    return _("Try: {command}").replace("{command}", command) if command else ""


def _restoring(terminal: Terminal, fields: Mapping[str, str]) -> str:
    """Return how to replace a damaged data file: by the backup that the store offers, else by what can be
    read of it; "" for the damage of another file.
    """
    import shlex

    from app.platform.paths import home

    if fields.get("backup"):
        return f"bramble restore {shlex.quote(fields['backup'])}"
    return "bramble restore --salvage" if fields.get("path") == str(home(terminal.environ).database) else ""


def working_folder(given: str | None, *, needed: bool = False) -> str:
    """Return the absolute folder of --cwd, or the current one; "" (an empty one) for home and the root.

    When a folder is `needed`, home and the root are refused. Raises Trouble (no_folder, bad_folder).
    """
    try:
        folder = Path(given).expanduser().resolve() if given is not None else Path.cwd().resolve()
    except OSError as error:
        raise Trouble("no_folder", detail=str(error), path=given or ".") from error
    if given is not None and not folder.is_dir():
        raise Trouble("no_folder", exit=exits.WRONG_USE, path=str(folder))
    if folder in (Path.home().resolve(), Path(folder.anchor)):
        if needed:
            raise Trouble("bad_folder", exit=exits.WRONG_USE, path=str(folder))
        if given is None:
            return ""
    return str(folder)


def stdin_text() -> str:
    """Return all of stdin as text: UTF-8, a byte-order mark left out, other bytes kept as lone surrogates."""
    import sys

    data = sys.stdin.buffer.read() if sys.stdin is not None else b""
    return data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape")


def argument_text(text: str) -> str:
    """Return a word of the command line as it is, or stdin for "-"."""
    return stdin_text() if text == "-" else text
