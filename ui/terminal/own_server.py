"""`bramble models add`: a server of the person's own by its address, with its wire, certificate and key."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ui.model_words import wire_names
from ui.terminal import exits
from ui.terminal.clean import one_line
from ui.terminal.commands import json_option
from ui.terminal.output import Terminal
from ui.terminal.session import only_by_a_person, run
from ui.terminal.sign_in import read_key
from ui.words import _

if TYPE_CHECKING:
    from app.engine import Engine
    from app.records import LocalServer

SHOWN = 20
"""Models that are named where one has to be chosen."""


@click.command()
@click.argument("url", metavar="URL")
@click.option("--model", metavar="NAME", default="", help="Its model that is used first.")
@click.option(
    "--wire",
    type=click.Choice(["chat", "responses", "messages"]),
    default=None,
    help="How it is talked to; else it is found out.",
)
@click.option(
    "--ca-file",
    metavar="FILE",
    type=click.Path(dir_okay=False),
    default="",
    help="Certificates (PEM) to trust beside those of the system, for a server with one of its own.",
)
@click.option(
    "--key",
    metavar="-",
    default="",
    help="Read its key from stdin. A key is never taken from the command line.",
)
@click.option(
    "--file",
    "in_file",
    is_flag=True,
    help="Agree to keep the key in a file that only you can read, where no keyring answers.",
)
@json_option
@click.pass_obj
def add(
    terminal: Terminal, url: str, model: str, wire: str | None, ca_file: str, key: str, in_file: bool
) -> int:
    """Add a model server of your own by its address."""
    if key not in ("", "-"):
        raise click.UsageError(
            _("A key on the command line can be seen by others. Give it on stdin: --key -")
        )
    text = read_key(terminal, url, piped=True) if key else ""

    async def work(engine: Engine) -> int:
        only_by_a_person(True)  # where conversations go, and what is trusted there, is no choice of a model
        before = engine.settings.ca_file
        if ca_file:
            path = str(Path(ca_file).expanduser().absolute())
            await engine.models.check_network(ca_file=path)
            await engine.change_settings(ca_file=path)
        name = ""
        try:
            found = await engine.models.own_servers.look(url, text)
            wanted = model or (found.models[0] if len(found.models) == 1 else "")
            if not wanted:
                return _choose(terminal, found)
            name = await engine.models.own_servers.add(
                found, wanted, text, wire=_wire(terminal, found, wire), file_consent=in_file
            )
        finally:
            if ca_file and not name:
                await engine.change_settings(ca_file=before)
        if not await engine.models.current():
            await engine.models.use(name)
        if terminal.json_wanted:
            terminal.json({"ok": True, "model": name})
        else:
            terminal.out.line(_("Added: {name}").replace("{name}", one_line(name)))
        return exits.DONE

    return run(terminal, work, {"ok": False, "model": ""})


def _wire(terminal: Terminal, found: LocalServer, wanted: str | None) -> Any:
    """Return how the server is talked to, and say it where nobody chose."""
    if wanted:
        return wanted
    spoken = next(iter(found.wires), "chat")
    name = wire_names()[spoken]
    terminal.note(_("It is talked to by {wire}; --wire says otherwise.").replace("{wire}", name))
    return spoken


def _choose(terminal: Terminal, found: LocalServer) -> int:
    """Say that a model has to be named, and which ones there are."""
    if terminal.json_wanted:
        terminal.json({"ok": False, "model": "", "models": list(found.models)})
    if found.models:
        names = ", ".join(map(one_line, found.models[:SHOWN]))
        words = _("It has several models. Name the one to use with --model: {names}")
        terminal.note(words.replace("{names}", names), "caution")
    else:
        terminal.note(_("It keeps no list of its models. Name the one to use with --model."), "caution")
    return exits.WRONG_USE
