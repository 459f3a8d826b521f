"""`bramble approvals`: the questions that wait, from any process, and their answers."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

import click

from app.records import Answer, Approval, RuleInfo, Scope
from ui.terminal import effects, exits
from ui.terminal.commands import json_option
from ui.terminal.output import Terminal
from ui.terminal.permissions import rule_form, saved_text
from ui.terminal.session import Trouble, only_by_a_person, run
from ui.terminal.table import write_table
from ui.words import _, ago

if TYPE_CHECKING:
    from app.engine import Engine

SAVED_SECONDS = 3.0
"""The process that asked hears of an answer within a second, and then saves its rule."""


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


def whole_form(approval: Approval) -> dict[str, object]:
    """Return all of a question as JSON has it."""
    names = ("reason", "parts", "outside", "losses", "offers", "marks", "cwd")
    return {**form(approval), **{name: getattr(approval, name) for name in names}}


@approvals.command()
@click.argument("approval", metavar="ID")
@json_option
@click.pass_obj
def show(terminal: Terminal, approval: str) -> int:
    """Show all of what a question is about."""

    async def work(engine: Engine) -> int:
        found = await _find(engine, approval)
        if terminal.json_wanted:
            terminal.json(whole_form(found))
            return exits.DONE
        out = terminal.out
        out.line(out.styled(effects.headline(found.effect), "strong"))
        for line in (
            *effects.body(found.effect, out.styled),
            *effects.facts(found, out.styled),
            effects.footnote(found),
            *effects.offer_lines(found, out.styled),
        ):
            out.line(line)
        return exits.DONE

    return run(terminal, work)


async def _find(engine: Engine, approval: str) -> Approval:
    found: Approval | None = await engine.approvals.get(approval)
    if found is None:
        raise Trouble("no_approval", id=approval)
    return found


@approvals.command()
@click.argument("approval", metavar="ID")
@click.option("--once", "scope", flag_value="once", default="once", help="Only this time (usual).")
@click.option("--session", "scope", flag_value="session", help="From now on in this conversation.")
@click.option("--project", "scope", flag_value="project", help="From now on in this folder and below.")
@click.option("--always", "scope", flag_value="always", help="From now on everywhere.")
@click.option(
    "--rule",
    "rules",
    metavar="RULE",
    multiple=True,
    help="For longer than once: which of the rules that `show` offers; the first otherwise.",
)
@json_option
@click.pass_obj
def allow(terminal: Terminal, approval: str, scope: Scope, rules: tuple[str, ...]) -> int:
    """Allow what a question asks."""
    if rules and scope == "once":
        raise click.UsageError(_("--rule goes with --session, --project or --always."))

    async def work(engine: Engine) -> int:
        only_by_a_person(True)
        if scope == "once":
            return await _answer(engine, terminal, approval, Answer(decision="allow", by="approvals"))
        found = await _find(engine, approval)
        offer = _offer(found, scope, rules)
        answer = Answer(decision="allow", scope=scope, rules=offer, by="approvals")
        place = {"session": found.session, "project": found.cwd}.get(scope, "")
        return await _answer(engine, terminal, approval, answer, place)

    return run(terminal, work, {"ok": False, "id": approval})


def _offer(approval: Approval, scope: Scope, rules: tuple[str, ...]) -> tuple[str, ...]:
    """Return the offer that was meant. Raises Trouble (not_offered)."""
    if scope == "session" and not approval.session:
        raise Trouble("not_offered", exit=exits.WRONG_USE, detail=_("This is no conversation."))
    if not rules and approval.offers:
        return approval.offers[0]
    for offer in approval.offers:
        if set(offer) == set(rules):
            return offer
    raise Trouble("not_offered", exit=exits.WRONG_USE, rule=" ".join(rules))


@approvals.command()
@click.argument("approval", metavar="ID")
@click.option("--reason", metavar="TEXT", default="", help="What the model is told.")
@json_option
@click.pass_obj
def deny(terminal: Terminal, approval: str, reason: str) -> int:
    """Do not allow what a question asks."""
    answer = Answer(decision="deny", reason=reason, by="approvals")
    return run(
        terminal, lambda engine: _answer(engine, terminal, approval, answer), {"ok": False, "id": approval}
    )


async def _answer(engine: Engine, terminal: Terminal, approval: str, answer: Answer, place: str = "") -> int:
    if not await engine.answer(approval, answer):
        raise Trouble("no_approval", id=approval)
    saved = await _saved(engine, answer, place) if answer.scope != "once" else []
    if terminal.json_wanted:
        more = {"rules": [rule_form(one) for one in saved]} if answer.scope != "once" else {}
        terminal.json({"ok": True, "id": approval, **more})
    else:
        terminal.out.line(_("Allowed.") if answer.decision == "allow" else _("Not allowed."))
    for one in saved:
        terminal.note(saved_text(one))
    if answer.scope != "once" and not saved:
        terminal.note(_("The rule is not saved yet; the conversation that asked does it."), "caution")
    return exits.DONE


async def _saved(engine: Engine, answer: Answer, place: str) -> list[RuleInfo]:
    """Wait a moment for the one that asked to save the rules; return them, none when it has not."""
    until = time.monotonic() + SAVED_SECONDS
    while True:
        rules, _faults = await engine.rules.list()
        wanted = ("allow", answer.scope, place)
        found = [one for one in rules if (one.decision, one.scope, one.place) == wanted]
        found = [one for one in found if one.rule in answer.rules]
        if {one.rule for one in found} == set(answer.rules):
            return found
        if time.monotonic() > until:
            return []
        await asyncio.sleep(0.05)
