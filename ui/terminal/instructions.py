"""`bramble instructions`: a project's AGENTS.md and CLAUDE.md: read them, agree to them, leave them out."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import click

from ui.instruction_words import file_note, instructions_text, instructions_title
from ui.terminal import exits
from ui.terminal.clean import clean, one_line
from ui.terminal.commands import json_option
from ui.terminal.confirming import NextLine, ask_of_project, confirmed
from ui.terminal.output import Terminal
from ui.terminal.session import only_by_a_person, run, working_folder
from ui.words import _, as_called

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from app.engine import Engine
    from app.instruction_records import ProjectInstructions


@click.group()
def instructions() -> None:
    """See a project's AGENTS.md, and use it or leave it out."""


@instructions.command()
@click.argument("path", required=False)
@json_option
@click.pass_obj
def show(terminal: Terminal, path: str | None) -> int:
    """Show the instructions that hold for a folder."""
    folder = working_folder(path)

    async def work(engine: Engine) -> int:
        found = await engine.instructions.project(folder)
        if terminal.json_wanted:
            terminal.json(_fields(found))
            return exits.DONE
        if found is None:
            terminal.note(_("No project instructions hold for this folder."))
            return exits.DONE
        terminal.note(one_line(f"{instructions_title(found)} {instructions_text(found)}"))
        show_files(terminal, found)
        await engine.instructions.seen(folder, found.print)
        return exits.DONE

    return run(terminal, work, _fields(None))


@instructions.command()
@click.argument("path", required=False)
@click.option("--yes", is_flag=True, help="Agree to them as they are without being asked.")
@json_option
@click.pass_obj
def agree(terminal: Terminal, path: str | None, yes: bool) -> int:
    """Let the instructions of a project hold.

    They are shown first, and go to the model with each conversation in the project.
    """
    folder = working_folder(path)

    async def work(engine: Engine) -> int:
        only_by_a_person(True)
        shown = await engine.instructions.project(folder)
        if shown is not None and (shown.state != "agreed" or shown.changed):
            if not terminal.json_wanted:
                show_files(terminal, shown)
                terminal.note(one_line(f"{instructions_title(shown)} {instructions_text(shown)}"), "caution")
            question = _("Use just these? y uses them, anything else leaves it.")
            if not yes and not await confirmed(terminal, question):
                return exits.NO_APPROVAL
        found = await engine.instructions.agree(folder, shown.print if shown is not None else "")
        if terminal.json_wanted:
            terminal.json(_fields(found))
            return exits.DONE
        terminal.note(_("These instructions hold in new conversations of this project."), "good")
        return exits.DONE

    return run(terminal, work, _fields(None))


@instructions.command()
@click.argument("path", required=False)
@json_option
@click.pass_obj
def refuse(terminal: Terminal, path: str | None) -> int:
    """Leave the instructions of a project out, also after a yes."""
    said = _("The instructions of this project are left out.")
    return _answered(terminal, path, lambda engine, folder: engine.instructions.refuse(folder), said)


@instructions.command()
@click.argument("path", required=False)
@json_option
@click.pass_obj
def forget(terminal: Terminal, path: str | None) -> int:
    """Be asked again about a project's instructions."""
    said = _("You are asked again when you work in this project.")
    return _answered(terminal, path, lambda engine, folder: engine.instructions.forget_answer(folder), said)


def _answered(
    terminal: Terminal, path: str | None, answer: Callable[[Engine, str], Awaitable[object]], said: str
) -> int:
    """Give an answer to a project's instructions and tell what became of it."""
    folder = working_folder(path)

    async def work(engine: Engine) -> int:
        await answer(engine, folder)
        if terminal.json_wanted:
            terminal.json(_fields(await engine.instructions.project(folder)))
        else:
            terminal.note(said)
        return exits.DONE

    return run(terminal, work, _fields(None))


def show_files(terminal: Terminal, found: ProjectInstructions) -> None:
    """Write each file with its text."""
    for file in found.files:
        terminal.out.line(terminal.out.styled(one_line(file.path), "strong"))
        if note := file_note(file):
            terminal.note(note, "caution")
        if file.text:
            terminal.out.line(clean(file.text).rstrip("\n"))


def tell_instructions(terminal: Terminal, found: ProjectInstructions) -> None:
    """Say that instructions wait for a word of the person."""
    terminal.note(one_line(f"{instructions_title(found)} {instructions_text(found)}"), "caution")
    command = as_called(f"bramble instructions agree {shlex.quote(found.folder)}")
    terminal.note(one_line(_("To use them: {command}").replace("{command}", command)))


async def ask_instructions(terminal: Terminal, engine: Engine, folder: str, line: NextLine) -> str | None:
    """Ask about a project's instructions where that waits; return a line that was no answer, to be said
    instead.
    """
    found = await engine.instructions.waiting(folder)
    if found is None:
        return ""
    terminal.note(one_line(f"{instructions_title(found)} {instructions_text(found)}"), "caution")

    async def agree() -> None:
        await engine.instructions.agree(found.folder, found.print)
        terminal.note(_("The instructions of this project hold from now on."), "good")

    async def refuse() -> None:
        await engine.instructions.refuse(found.folder)
        terminal.note(_("The instructions of this project are left out."))

    return await ask_of_project(terminal, line, lambda: show_files(terminal, found), agree, refuse)


def _fields(found: ProjectInstructions | None) -> dict[str, object]:
    if found is None:
        return {"project": None, "state": None, "changed": False, "files": []}
    return {
        "project": found.project,
        "state": found.state,
        "changed": found.changed,
        "files": [
            {"path": file.path, "size": file.size, "cut": file.cut, "why": file.why} for file in found.files
        ],
    }
