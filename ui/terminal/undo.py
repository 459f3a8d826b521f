"""`bramble undo`: list what was changed, and take one change, one turn or everything since a time back."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple, cast, get_args

import click
import msgspec

from app.errors import UndoConflict
from app.records import ChangeInfo, Choice, FileDiff
from ui.terminal import effects, exits
from ui.terminal.clean import visible
from ui.terminal.commands import json_option
from ui.terminal.output import Terminal
from ui.terminal.session import Trouble, fail, run
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
@click.option(
    "--take",
    type=click.Choice(["mine", "before", "merged"]),
    help="For files that were changed since: leave them (mine), put back what was there before, or take back "
    "only the part that nobody touched (merged).",
)
@click.option(
    "--file", "files", multiple=True, metavar="PATH=CHOICE", help="The same choice for one file; repeatable."
)
@json_option
@click.pass_obj
def undo(
    terminal: Terminal,
    words: tuple[str, ...],
    turn: str,
    since: str,
    take: Choice | None,
    files: tuple[str, ...],
) -> int:
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
    wanted = _Wanted(words[0] if words else "", turn, start, take, _choices(files))
    return _take_back(terminal, wanted)


class _Wanted(NamedTuple):
    """What is to be taken back, and what becomes of files that were changed since."""

    change: str
    turn: str
    since: float
    take: Choice | None
    choices: dict[str, Choice]


def _choices(files: tuple[str, ...]) -> dict[str, Choice]:
    """Return the choice for each real path. Raises UsageError."""
    made: dict[str, Choice] = {}
    for text in files:
        path, _sign, choice = text.rpartition("=")
        if not path or choice not in get_args(Choice):
            raise click.UsageError(
                _("{text} is no choice. Try PATH=mine, PATH=before or PATH=merged.").replace("{text}", text)
            )
        made[os.path.realpath(path)] = cast(Choice, choice)
    return made


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
    names = map(effects.counted, change.files[:3])
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


def _take_back(terminal: Terminal, wanted: _Wanted) -> int:
    async def work(engine: Engine) -> int:
        try:
            back = await _undone(engine, wanted, wanted.choices)
        except UndoConflict as error:
            if wanted.take is None:
                return _conflicting(terminal, error, wanted.change)
            choices = {conflict.path: wanted.take for conflict in error.conflicts}
            try:
                back = await _undone(engine, wanted, {**choices, **wanted.choices})
            except UndoConflict as again:
                return _conflicting(terminal, again, wanted.change)
        if terminal.json_wanted:
            terminal.json({"ok": True, "undo": back})
        else:
            terminal.out.line(_("Taken back. To bring it back: bramble undo {id}").replace("{id}", back))
        return exits.DONE

    return run(terminal, work, {"ok": False, "undo": None})


async def _undone(engine: Engine, wanted: _Wanted, choices: Mapping[str, Choice]) -> str:
    if wanted.change:
        back = await engine.changes.undo(wanted.change, choices)
    elif wanted.turn:
        back = await engine.changes.undo_turn(wanted.turn, choices)
    else:
        back = await engine.changes.undo_since(wanted.since, choices=choices)
    if not back:
        raise Trouble("no_change", change=wanted.change)
    return back


def _conflicting(terminal: Terminal, error: UndoConflict, change: str) -> int:
    """Show the three-way difference of each file, and how to choose; nothing was changed."""
    if terminal.json_wanted:
        conflicts = msgspec.to_builtins(error.conflicts)
        terminal.form = {"ok": False, "undo": None, "conflicts": conflicts}
        return fail(terminal, error.problem)
    for conflict in error.conflicts:
        terminal.out.line(visible(conflict.path, lines=False))
        _part(terminal, _("What Bramble made of it:"), conflict.ours)
        _part(terminal, _("What was changed since:"), conflict.since)
        if conflict.merged is not None:
            _part(terminal, _("What taking back only Bramble's part would do (merged):"), conflict.merged)
        else:
            terminal.out.line(_("Both changed the same place, so the two cannot be merged."))
    if change:
        hint = _("To choose: bramble undo {id} --take mine, before or merged, or --file PATH=CHOICE")
        terminal.note(hint.replace("{id}", change))
    return fail(terminal, error.problem)


def _part(terminal: Terminal, head: str, file: FileDiff) -> None:
    terminal.out.line(head)
    for line in effects.file_lines(file, terminal.out.styled):
        terminal.out.line(line)
