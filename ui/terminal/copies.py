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


@click.command()
@click.argument("file", required=False, metavar="[FILE]")
@json_option
@click.pass_obj
def backup(terminal: Terminal, file: str | None) -> int:
    """Write a copy of all conversations, to FILE or into the data folder."""

    async def work(engine: Engine) -> int:
        made = await engine.backup(str(Path(file).expanduser().absolute()) if file else "")
        if terminal.json_wanted:
            terminal.json({"ok": True, "file": str(made)})
        else:
            terminal.out.line(str(made))
        return exits.DONE

    return run(terminal, work, {"ok": False, "file": ""})


@click.command()
@click.argument("file", metavar="FILE")
@json_option
@click.pass_obj
def restore(terminal: Terminal, file: str) -> int:
    """Put a backup in place of what is there; that is kept beside it."""
    path = Path(file).expanduser().absolute()

    async def work(engine: Engine) -> int:
        if not path.is_file():
            raise Trouble("not_found", exit=exits.WRONG_USE, path=str(path))
        kept = await engine.restore(str(path))
        if terminal.json_wanted:
            terminal.json({"ok": True, "file": str(path), "kept": kept})
        else:
            terminal.out.line(_("Restored. What was there before is kept in {path}").replace("{path}", kept))
        return exits.DONE

    return run(terminal, work, {"ok": False, "file": str(path)})
