"""The terminal's entry point: load the named command alone, and turn what happens into an exit code."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ui.terminal import exits
from ui.terminal.output import Terminal, guard_streams

if TYPE_CHECKING:
    import click


def main(argv: Sequence[str]) -> int:
    """Run the command of `argv` (without the program's name) and return its exit code (see `exits`)."""
    guard_streams()
    terminal = Terminal(os.environ)
    try:
        code = _run(list(argv), terminal)
    except KeyboardInterrupt:
        return _interrupted(terminal)
    except Exception as error:  # the entry point is one of the three borders where everything is caught
        code = _failed(terminal, error)
    if terminal.out.lost is not None:
        return _failed(terminal, terminal.out.lost)
    return exits.FAILED if terminal.out.gone and code == exits.DONE else code


def _run(argv: list[str], terminal: Terminal) -> int:
    import click

    from ui.terminal.commands import root

    try:
        result = root().main(argv, prog_name="bramble", standalone_mode=False, obj=terminal)
    except click.exceptions.Abort:  # what click makes of a KeyboardInterrupt
        return _interrupted(terminal)
    except click.ClickException as error:
        _wrong_use(error, terminal)
        return exits.WRONG_USE
    return result if isinstance(result, int) else exits.DONE


def _wrong_use(error: click.ClickException, terminal: Terminal) -> None:
    """Say what was wrong and where help is."""
    from ui.terminal.clean import clean
    from ui.words import _

    terminal.note(clean(error.format_message()), "danger")
    context = getattr(error, "ctx", None)
    if context is not None:
        terminal.note(_("More: {command} --help").replace("{command}", context.command_path))


def _interrupted(terminal: Terminal) -> int:
    """Give the caller of --json its one value, also when the command was interrupted before it had one."""
    if terminal.json_wanted and terminal.form and not terminal.answered:
        from ui.words import stop_text

        stopped = {"stop": "stopped"} if "stop" in terminal.form else {}
        error = {"code": "stopped", "message": stop_text("stopped"), "detail": ""}
        terminal.json({**terminal.form, **stopped, "error": error})
    return exits.INTERRUPTED


def _failed(terminal: Terminal, error: Exception) -> int:
    import logging

    from app.records import Problem
    from ui.terminal.session import fail, keep_log

    keep_log(terminal)
    logging.getLogger(__name__).error("a command failed", exc_info=error)
    detail = f"{type(error).__name__}: {error}"
    code = "disk_full" if isinstance(error, OSError) and error.errno == 28 else "internal"
    return fail(terminal, Problem(code=code, detail=detail))
