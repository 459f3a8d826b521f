"""`bramble approvals`: the questions that wait, from any process, and their answers."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import click

from app.records import Answer, Approval
from ui.terminal import effects, exits
from ui.terminal.commands import json_option
from ui.terminal.output import Terminal
from ui.terminal.session import Trouble, only_by_a_person, run
from ui.terminal.table import write_table
from ui.words import _, ago

if TYPE_CHECKING:
    from app.engine import Engine


@click.group()
def approvals() -> None:
    """See and answer the questions that wait for you."""


@approvals.command("list")
@json_option
@click.pass_obj
def list_approvals(terminal: Terminal) -> int:
    """List the questions that wait, from any window or terminal."""

    async def work(engine: Engine) -> int:
        found: list[Approval] = list(await engine.approvals.list())
        if terminal.json_wanted:
            terminal.json([form(one) for one in found])
        elif found:
            rows = [
                [one.id, ago(one.asked, time.time()), one.tool, effects.short(one.effect)] for one in found
            ]
            write_table(terminal.out, rows, ["id", _("asked"), _("tool"), _("what it would do")])
        else:
            terminal.note(_("Nothing waits for you."))
        return exits.DONE

    return run(terminal, work)


def form(approval: Approval) -> dict[str, object]:
    """Return a question as the contract has it."""
    return {
        "id": approval.id,
        "session": approval.session,
        "tool": approval.tool,
        "effect": approval.effect,
        "asked": approval.asked,
    }


@approvals.command()
@click.argument("approval", metavar="ID")
@json_option
@click.pass_obj
def show(terminal: Terminal, approval: str) -> int:
    """Show all of what a question is about."""

    async def work(engine: Engine) -> int:
        found = await _find(engine, approval)
        if terminal.json_wanted:
            terminal.json({**form(found), "reason": found.reason, "offers": found.offers, "cwd": found.cwd})
            return exits.DONE
        out = terminal.out
        out.line(out.styled(effects.headline(found.effect), "strong"))
        for line in effects.body(found.effect, out.styled):
            out.line(line)
        out.line(effects.footnote(found))
        return exits.DONE

    return run(terminal, work)


async def _find(engine: Engine, approval: str) -> Approval:
    found: Approval | None = await engine.approvals.get(approval)
    if found is None:
        raise Trouble("no_approval", id=approval)
    return found


@approvals.command()
@click.argument("approval", metavar="ID")
@click.option("--once", "scope", flag_value="once", default="once", help="Only this time.")
@click.option("--session", "scope", flag_value="session", help="Not possible yet: in this conversation.")
@click.option("--always", "scope", flag_value="always", help="Not possible yet: always.")
@json_option
@click.pass_obj
def allow(terminal: Terminal, approval: str, scope: str) -> int:
    """Allow what a question asks."""
    if scope != "once":
        raise click.UsageError(
            _("A rule cannot be saved yet, so only this one time can be allowed: leave the option out.")
        )
    return _answer(terminal, approval, Answer(decision="allow", by="approvals"))


@approvals.command()
@click.argument("approval", metavar="ID")
@click.option("--reason", metavar="TEXT", default="", help="What the model is told.")
@json_option
@click.pass_obj
def deny(terminal: Terminal, approval: str, reason: str) -> int:
    """Do not allow what a question asks."""
    return _answer(terminal, approval, Answer(decision="deny", reason=reason, by="approvals"))


def _answer(terminal: Terminal, approval: str, answer: Answer) -> int:
    async def work(engine: Engine) -> int:
        only_by_a_person(answer.decision == "allow")
        if not await engine.answer(approval, answer):
            raise Trouble("no_approval", id=approval)
        if terminal.json_wanted:
            terminal.json({"ok": True, "id": approval})
        else:
            terminal.out.line(_("Allowed.") if answer.decision == "allow" else _("Not allowed."))
        return exits.DONE

    return run(terminal, work, {"ok": False, "id": approval})
