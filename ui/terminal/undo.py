"""`bramble undo`: list what was changed, and take one change, one turn or everything since a time back."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import click

from app.records import ChangeInfo
from ui.terminal import effects, exits
from ui.terminal.commands import json_option
from ui.terminal.output import Terminal
from ui.terminal.session import Trouble, run
from ui.terminal.table import write_table
from ui.terminal.times import moment
from ui.words import _, ago

if TYPE_CHECKING:
    from app.engine import Engine


@click.command()
@click.argument("words", nargs=-1, metavar="[list | show ID | ID]")
@click.option("--turn", metavar="ID", default="", help="Take back all changes of a turn.")
@click.option(
    "--since", metavar="TIME", default="", help="Take back all changes since then: 14:05, '2 h', an ISO time."
)
@json_option
@click.pass_obj
def undo(terminal: Terminal, words: tuple[str, ...], turn: str, since: str) -> int:
    """Take changes of files back. An undo can be undone too."""
    if sum(map(bool, (words, turn, since))) != 1:
        raise click.UsageError(_("Say what to take back: list, show ID, ID, --turn ID or --since TIME."))
    if words == ("list",):
        return _list(terminal)
    if words[:1] == ("show",) and len(words) == 2:
        return _show(terminal, words[1])
    if len(words) > 1 or words == ("show",):
        raise click.UsageError(_("Say what to take back: list, show ID, ID, --turn ID or --since TIME."))
    start = moment(since, time.time()) if since else 0.0
    if start is None:
        raise click.UsageError(
            _("{text} is no time. Try 14:05, '2 h' or 2026-05-03T14:05.").replace("{text}", since)
        )
    return _take_back(terminal, words[0] if words else "", turn, start)


def _list(terminal: Terminal) -> int:
    async def work(engine: Engine) -> int:
        found: list[ChangeInfo] = list(await engine.changes.list())
        if terminal.json_wanted:
            terminal.json(found)
        elif found:
            rows = [[one.id, ago(one.made, time.time()), one.tool, _state(one), _names(one)] for one in found]
            write_table(terminal.out, rows, ["id", _("made"), _("tool"), "", _("files")])
        else:
            terminal.note(_("Nothing was changed yet."))
        return exits.DONE

    return run(terminal, work)


def _state(change: ChangeInfo) -> str:
    return _("taken back") if change.undone else ""


def _names(change: ChangeInfo) -> str:
    names = [f"{file.shown or file.path} +{file.added} -{file.removed}" for file in change.files[:3]]
    return ", ".join(names) + (" …" if len(change.files) > 3 else "")


def _show(terminal: Terminal, change: str) -> int:
    async def work(engine: Engine) -> int:
        found = await engine.changes.show(change)
        if terminal.json_wanted:
            terminal.json(found)
            return exits.DONE
        for file in found.files:
            for line in effects.file_lines(file, terminal.out.styled):
                terminal.out.line(line)
        return exits.DONE

    return run(terminal, work)


def _take_back(terminal: Terminal, change: str, turn: str, since: float) -> int:
    async def work(engine: Engine) -> int:
        if change:
            back = await engine.changes.undo(change)
        elif turn:
            back = await engine.changes.undo_turn(turn)
        else:
            back = await engine.changes.undo_since(since)
        if not back:
            raise Trouble("no_change", change=change)
        if terminal.json_wanted:
            terminal.json({"ok": True, "undo": back})
        else:
            terminal.out.line(_("Taken back. To bring it back: bramble undo {id}").replace("{id}", back))
        return exits.DONE

    return run(terminal, work, {"ok": False, "undo": None})
