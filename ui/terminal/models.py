"""`bramble models`: the models that can be chosen, and choosing one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from app.records import ModelInfo, Problem
from ui.problems import PROBLEMS
from ui.sign_in_words import quota_line
from ui.terminal import exits
from ui.terminal.clean import clean, one_line
from ui.terminal.commands import json_option
from ui.terminal.confirming import confirmed
from ui.terminal.output import Terminal
from ui.terminal.session import Trouble, only_by_a_person, run
from ui.terminal.table import write_table
from ui.terminal.weights import install, make_ready
from ui.words import _, problem_text, tokens

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
        rows = [
            [("* " if one.name == chosen else "  ") + one.name, _window(one), _price(one), _ready(one)]
            for one in found
        ]
        if rows:
            write_table(terminal.out, rows, [_("name"), _("reads up to"), _("price in / out"), ""])
        else:
            terminal.note(_("No provider is set up yet. Sign in with: bramble login PROFILE --key -"))
        return exits.DONE

    return run(terminal, work)


def _window(model: ModelInfo) -> str:
    return tokens(model.window) if model.window else ""


def _price(model: ModelInfo) -> str:
    if model.input_price is not None and model.output_price is not None:
        return f"${model.input_price:g} / ${model.output_price:g}"
    if model.multiplier is None:
        return ""
    return _("counts {n} times").replace("{n}", f"{model.multiplier:g}")


def _ready(model: ModelInfo) -> str:
    """Return why a model cannot answer yet; `why` is the code of the problem that it would be."""
    if model.ready:
        return ""
    return (
        problem_text(Problem(code=model.why)).title
        if model.why in PROBLEMS
        else (model.why or _("not ready"))
    )


models.add_command(install)


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
