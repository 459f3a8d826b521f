"""`bramble models install`, and whoever else needs a model that runs in the app: fetch it, after a person
agreed to it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from app.events import DownloadProgressed, Event
from app.records import WeightsInfo
from ui.terminal import exits
from ui.terminal.clean import one_line
from ui.terminal.commands import json_option
from ui.terminal.output import Terminal
from ui.terminal.session import Trouble, run
from ui.words import _, later, size

if TYPE_CHECKING:
    from app.engine import Engine

LOCAL = "local/"
"""How the name of a model that runs in the app begins."""
STEPS = {
    "engine": later("Fetching the engine"),
    "fetch": later("Fetching"),
    "join": later("Joining the parts"),
    "check": later("Checking that it is the right file"),
    "ready": later("Ready"),
}


@click.command()
@click.argument("name")
@click.option("--agree", is_flag=True, help="Agree to what is shown without being asked.")
@json_option
@click.pass_obj
def install(terminal: Terminal, name: str, agree: bool) -> int:
    """Fetch a model for this computer. It then works without a network and without a key."""

    async def work(engine: Engine) -> int:
        info = await _find(engine, name, exits.WRONG_USE)
        if not info.installed:
            _show(terminal, info)
            if not agree and not await _agreed(terminal):
                raise Trouble("needs_consent")
            await _fetch(engine, terminal, info)
        model = f"{LOCAL}{info.name}"
        if terminal.json_wanted:
            terminal.json({"ok": True, "model": model})
        else:
            terminal.out.line(
                _("Ready. Choose it with: bramble models use {model}").replace("{model}", model)
            )
        return exits.DONE

    return run(terminal, work, {"ok": False, "model": name})


async def make_ready(engine: Engine, terminal: Terminal, model: str, *, agree: bool = False) -> None:
    """Fetch the weights of a `local/NAME` that are not here yet, once a person agreed to what is shown.

    Nothing happens for other models. `agree` counts as agreement. Raises Trouble: local_missing where nobody
    can be asked, needs_consent after a no, not_found for a name that is not known; each has exit code 4.
    """
    if not model.startswith(LOCAL):
        return
    info = await _find(engine, model, exits.NO_MODEL)
    if info.installed:
        return
    if not agree and not terminal.interactive:
        raise Trouble("local_missing", model=info.name)
    _show(terminal, info)
    if not agree and not await _agreed(terminal):
        raise Trouble("needs_consent")
    await _fetch(engine, terminal, info)


async def _fetch(engine: Engine, terminal: Terminal, info: WeightsInfo) -> None:
    unsubscribe = engine.subscribe(Progress(terminal).take)
    try:
        await engine.models.install(info.name)
    finally:
        unsubscribe()


async def _find(engine: Engine, name: str, code: int) -> WeightsInfo:
    """Return the weights of that name. Raises Trouble not_found with the exit code `code`."""
    known = await engine.models.weights()
    found = next((info for info in known if info.name == name.removeprefix(LOCAL)), None)
    if found is None:
        raise Trouble("not_found", exit=code, path=name, detail=", ".join(info.name for info in known))
    return found


def _show(terminal: Terminal, info: WeightsInfo) -> None:
    """Show everything that a person agrees to."""
    terminal.note(info.title, "strong")
    rows = (
        (_("size"), size(info.size)),
        (_("from"), info.source),
        (_("licence"), info.license),
        (_("fingerprint"), info.sha256),
        (_("good to know"), _(info.note)),
    )
    for label, text in rows:
        if text:
            terminal.note(f"  {label}: {one_line(text)}", "plain")


async def _agreed(terminal: Terminal) -> bool:
    if not terminal.interactive:
        return False
    from ui.terminal.approving import AnswerLines

    answers = AnswerLines(terminal)
    await answers.settle()
    terminal.note(_("Fetch it? y or n"), "strong")
    line = await answers.answer()
    return (line or "").strip().casefold() in ("y", "yes", _("yes").casefold())


class Progress:
    """Shows how far a download is: one row drawn again and again, or a line a step."""

    def __init__(self, terminal: Terminal) -> None:
        self.terminal = terminal
        self._step = ""

    def take(self, event: Event) -> None:
        """Show one step."""
        if not isinstance(event, DownloadProgressed):
            return
        words = _(STEPS.get(event.step, event.step))
        if self.terminal.err.terminal and event.total:
            share = min(100, 100 * event.done // event.total)
            text = f"{words}: {size(event.done)} / {size(event.total)} · {share} %"
            self.terminal.err.write("\r\x1b[K" + one_line(text, self.terminal.err.width - 1))
            self.terminal.err.at_start = False
        elif event.step != self._step:
            self.terminal.note(words)
        self._step = event.step
