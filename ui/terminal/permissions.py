"""`bramble permissions explain`: the decision on a call and why, running nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from app.records import Decision, TurnOptions
from ui.terminal import exits
from ui.terminal.clean import visible
from ui.terminal.commands import cwd_option, json_option
from ui.terminal.output import Terminal
from ui.terminal.session import argument_text, run, working_folder
from ui.words import _, reason_text

if TYPE_CHECKING:
    from app.engine import Engine


@click.group()
def permissions() -> None:
    """See what may happen without asking, and why."""


@permissions.command()
@click.option("--tool", required=True, metavar="TOOL", help="The tool that would be called.")
@click.option(
    "--args",
    "arguments",
    metavar="JSON",
    default="{}",
    help="Its arguments as JSON; - reads them from stdin.",
)
@cwd_option
@click.option("--allow", multiple=True, metavar="RULE", help="Add an allowing rule for this question.")
@click.option("--deny", multiple=True, metavar="RULE", help="Add a refusing rule for this question.")
@json_option
@click.pass_obj
def explain(
    terminal: Terminal,
    tool: str,
    arguments: str,
    cwd: str | None,
    allow: tuple[str, ...],
    deny: tuple[str, ...],
) -> int:
    """Show the decision on a call. Nothing is run."""
    text = argument_text(arguments)

    async def work(engine: Engine) -> int:
        options = TurnOptions(allow=allow, deny=deny)
        found: Decision = await engine.explain(
            tool, text, cwd=working_folder(cwd, needed=True), options=options
        )
        if terminal.json_wanted:
            terminal.json(found)
        else:
            _write(terminal, found)
        return exits.DONE

    return run(terminal, work, {"decision": "ask", "reason": "", "rule": "", "parts": []})


def _write(terminal: Terminal, found: Decision) -> None:
    words = {"allow": _("It would run"), "ask": _("Bramble would ask"), "deny": _("It would be refused")}
    out = terminal.out
    out.line(f"{words[found.decision]}: {reason_text(found.reason)}.")
    if found.rule:
        out.line(_("Rule: {rule}").replace("{rule}", visible(found.rule, lines=False)))
    for part in found.parts:
        out.line("  " + visible(part, lines=False))
