"""`bramble backup` and `bramble restore`: a copy of all data in one file, and back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ui.terminal import exits
from ui.terminal.commands import json_option
from ui.terminal.output import Terminal
from ui.terminal.session import Trouble, run
from ui.words import _

if TYPE_CHECKING:
    from app.engine import Engine

DAMAGED = "store_corrupt"
"""The code of a store that cannot be read whole."""


@click.command(short_help="Write a copy of all conversations.")
@click.argument("file", required=False, metavar="[FILE]")
@json_option
@click.pass_obj
def backup(terminal: Terminal, file: str | None) -> int:
    """Write a copy of all conversations, to FILE or into the data folder."""

    async def work(engine: Engine) -> int:
        made = await engine.copies.make(str(Path(file).expanduser().absolute()) if file else "")
        if terminal.json_wanted:
            terminal.json({"ok": True, "file": str(made)})
        else:
            terminal.out.line(str(made))
        return exits.DONE

    return run(terminal, work, {"ok": False, "file": ""})


@click.command(short_help="Put a backup in place of what is there.")
@click.argument("file", required=False, metavar="[FILE]")
@click.option("--salvage", is_flag=True, help="Take what can be read of a damaged data file instead of FILE.")
@json_option
@click.pass_obj
def restore(terminal: Terminal, file: str | None, salvage: bool) -> int:
    """Put a backup in place of what is there; that is kept beside it."""
    if bool(file) == salvage:
        raise click.UsageError(_("Name a backup, or give --salvage for a damaged data file."))
    path = Path(file).expanduser().absolute() if file else None

    async def work(engine: Engine) -> int:
        if path is not None and not path.is_file():
            raise Trouble("not_found", exit=exits.WRONG_USE, path=str(path))
        source = str(path) if path is not None else await _salvaged(engine)
        kept = await engine.copies.restore(source)
        if terminal.json_wanted:
            terminal.json({"ok": True, "file": source, "kept": kept})
        else:
            terminal.out.line(_("Restored. What was there before is kept in {path}").replace("{path}", kept))
        return exits.DONE

    return run(terminal, work, {"ok": False, "file": str(path or "")})


async def _salvaged(engine: Engine) -> str:
    """Return a new backup with what can be read of the damaged store. Raises UsageError for a sound one."""
    from app.errors import StoreError

    problem = await engine.copies.check()
    if problem is None or problem.code != DAMAGED:
        raise click.UsageError(_("The data file is not damaged, so there is nothing to salvage."))
    try:
        return await engine.copies.salvage()
    except StoreError as error:
        if error.code != DAMAGED:
            raise
        words = _("Nothing of it can be read. Move {path} away and start again; a new one is made.")
        raise Trouble(DAMAGED, detail=words.replace("{path}", str(engine.home.database))) from error
