"""`bramble context`: the first request as it would be sent now, by its parts or as its body."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from app.records import ContextReport, Mode
from ui.context_words import part_name, saving_lines, why_loaded
from ui.terminal import exits
from ui.terminal.clean import clean
from ui.terminal.commands import cwd_option, fixture_option, json_option
from ui.terminal.fixtures import add_fixture
from ui.terminal.output import Terminal
from ui.terminal.session import argument_text, run, working_folder
from ui.terminal.table import write_table
from ui.words import _, plural, size, tokens

if TYPE_CHECKING:
    from app.engine import Engine


@click.command()
@click.option("--prompt", metavar="TEXT", default="", help="What would be said; - reads it from stdin.")
@click.option("--session", metavar="ID", default="", help="The next request of this conversation.")
@click.option("--mode", type=click.Choice(["agent", "plan", "chat"]), help="The mode to look at.")
@click.option("--raw", is_flag=True, help="Print the body of the request.")
@fixture_option
@cwd_option
@json_option
@click.pass_obj
def context(
    terminal: Terminal,
    prompt: str,
    session: str,
    mode: Mode | None,
    raw: bool,
    fixture: str,
    cwd: str | None,
) -> int:
    """Show what the next request to the model holds. Nothing is sent."""
    said = argument_text(prompt)

    async def work(engine: Engine) -> int:
        folder = "" if session and cwd is None else working_folder(cwd)
        await add_fixture(terminal, engine, fixture)
        found: ContextReport = await engine.context(session=session, prompt=said, mode=mode, cwd=folder)
        if raw:
            terminal.out.line(
                found.body if terminal.json_wanted or not terminal.out.terminal else clean(found.body)
            )
        elif terminal.json_wanted:
            terminal.json(form(found))
        else:
            _write(terminal, found)
        return exits.DONE

    return run(terminal, work, {"parts": [], "total_tokens": 0, "tools": []})


def form(found: ContextReport) -> dict[str, object]:
    """Return the report as the contract has it, with what is known beyond."""
    return {
        "parts": found.parts,
        "total_tokens": found.total_tokens,
        "window": found.window,
        "tools": found.tools,
        "counted": found.counted,
        "loaded": found.loaded,
        "loadable": found.loadable,
        "caching": found.caching,
        "prefixes": found.prefixes,
        "anew": found.anew,
    }


def _write(terminal: Terminal, found: ContextReport) -> None:
    out, about = terminal.out, "~"  # a word in each row would be cut on a narrow terminal
    rows = [
        [part_name(part.name), ("" if part.exact else about) + tokens(part.tokens), size(part.bytes)]
        for part in found.parts
        if part.bytes
    ]
    whole = size(sum(part.bytes for part in found.parts))
    write_table(out, [*rows, [_("in all"), about + tokens(found.total_tokens), whole]])
    out.line(_("~ stands before what is estimated."))
    if found.counted:
        out.line(_("The provider has counted {n} of them.").replace("{n}", tokens(found.counted)))
    if found.window:
        out.line(_("The model reads up to {n}.").replace("{n}", tokens(found.window)))
    out.line()
    write_table(out, [[tool.name, tokens(tool.tokens), why_loaded(tool)] for tool in found.loaded])
    out.line(plural("{n} more tool can be loaded.", "{n} more tools can be loaded.", found.loadable))
    for line in saving_lines(found):
        out.line(line)
