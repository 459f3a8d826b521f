"""`bramble models`: the models that can be chosen, and choosing one."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from app.records import ModelInfo
from ui.model_words import abilities_of, day_text, lack_text, list_text, price_text, window_text
from ui.sign_in_words import quota_line
from ui.terminal import exits
from ui.terminal.clean import clean, one_line
from ui.terminal.commands import json_option
from ui.terminal.confirming import confirmed
from ui.terminal.output import Terminal
from ui.terminal.own_server import add
from ui.terminal.session import Trouble, only_by_a_person, run
from ui.terminal.table import write_table
from ui.terminal.weights import install, make_ready
from ui.words import _

if TYPE_CHECKING:
    from app.engine import Engine


@click.group()
def models() -> None:
    """See the models, and choose one."""


@models.command("list")
@json_option
@click.pass_obj
def list_models(terminal: Terminal) -> int:
    """List the models of all providers that are set up."""

    async def work(engine: Engine) -> int:
        found: list[ModelInfo] = list(await engine.models.list())
        if terminal.json_wanted:
            terminal.json(found)
            return exits.DONE
        chosen = await engine.models.current()
        tell_lists(terminal, engine)
        if found:
            write_models(terminal, found, chosen)
        else:
            terminal.note(_("No provider is set up yet. Sign in with: bramble login PROFILE --key -"))
        return exits.DONE

    return run(terminal, work)


def tell_lists(terminal: Terminal, engine: Engine) -> None:
    """Say of each provider whose list could not be brought up to date when and why."""
    for state in engine.models.lists():
        if said := list_text(state, time.time()):
            terminal.note(one_line(said), "caution")


def write_models(terminal: Terminal, found: Sequence[ModelInfo], chosen: str) -> None:
    """Print what each model reads, costs and can, with the unit of the prices and their day."""
    rows = [
        [
            ("* " if one.name == chosen else "  ") + one_line(one.name),
            window_text(one),
            price_text(one),
            ", ".join(words for _name, words in abilities_of(one)),
            lack_text(one),
        ]
        for one in found
    ]
    write_table(terminal.out, rows, [_("name"), _("reads up to"), _("price in / out"), _("can"), ""], kept=1)
    days = sorted({one.priced for one in found if one.priced})
    words = _("Prices are US dollars for a million tokens that go in / come out.")
    terminal.note(" ".join(filter(None, [words, day_text(", ".join(days))])))


models.add_command(install)
models.add_command(add)


@models.command()
@click.argument("name", metavar="PROFILE/MODEL")
@click.option("--yes", is_flag=True, help="Agree to fetching a local model that is not here yet.")
@json_option
@click.pass_obj
def use(terminal: Terminal, name: str, yes: bool) -> int:
    """Choose the model for new conversations."""

    async def work(engine: Engine) -> int:
        only_by_a_person(yes)
        await make_ready(engine, terminal, name, agree=yes)
        await engine.models.use(name)
        if terminal.json_wanted:
            terminal.json({"ok": True, "model": name})
        else:
            terminal.out.line(_("{model} answers from now on.").replace("{model}", name))
        return exits.DONE

    return run(terminal, work, {"ok": False, "model": name})


@models.command()
@click.argument("name", metavar="PROFILE/MODEL")
@click.option("--yes", is_flag=True, help="Accept the terms without being asked.")
@json_option
@click.pass_obj
def accept(terminal: Terminal, name: str, yes: bool) -> int:
    """Accept the own terms of a model, so that it can be used."""

    async def work(engine: Engine) -> int:
        only_by_a_person(yes)
        model = next((one for one in await engine.models.list() if one.name == name), None)
        if model is None:
            raise Trouble("not_found", exit=exits.NO_MODEL, path=name)
        if model.why == "model_terms":
            terminal.note(clean(model.terms) or _("The provider shows no text of them."), "plain")
            question = _("Accept these terms of {name}? y accepts them, anything else leaves it.")
            if not yes and not await confirmed(terminal, question.replace("{name}", one_line(model.title))):
                raise Trouble("model_terms", model=model.model)
            await engine.models.accept_terms(name)
        elif model.why:
            raise Trouble(model.why, model=model.model, profile=model.profile)
        if terminal.json_wanted:
            terminal.json({"ok": True, "model": name})
        else:
            terminal.out.line(_("{model} can be used now.").replace("{model}", name))
        return exits.DONE

    return run(terminal, work, {"ok": False, "model": name})


@models.command()
@click.argument("profile", default="copilot")
@json_option
@click.pass_obj
def quota(terminal: Terminal, profile: str) -> int:
    """Show what is left of a plan."""

    async def work(engine: Engine) -> int:
        found = await engine.models.sign_in.quota(profile)
        if terminal.json_wanted:
            terminal.json(found)
            return exits.DONE
        terminal.out.line(_("Plan: {plan}").replace("{plan}", one_line(found.plan) or _("not said")))
        for row in found.rows:
            terminal.out.line(f"  {quota_line(row)}")
        if found.resets:
            terminal.note(_("It begins anew on {date}.").replace("{date}", one_line(found.resets)))
        return exits.DONE

    return run(terminal, work)
