"""Skills in a conversation at the terminal: the question about a project's, and saving what was done."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from typing import TYPE_CHECKING

from ui.skill_words import project_text, project_title
from ui.terminal.clean import clean, one_line
from ui.terminal.confirming import NextLine, ask_of_project, confirmed
from ui.terminal.session import say
from ui.words import _, as_called

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from app.engine import Engine
    from app.skill_records import ProjectSkills
    from ui.terminal.output import Terminal


def tell_project(terminal: Terminal, found: ProjectSkills) -> None:
    """Say what a project brings that does not count."""
    terminal.note(one_line(f"{project_title(found)} {project_text(found)}"), "caution")
    if not found.too_large:
        command = as_called(f"bramble skills agree {shlex.quote(found.project)}")
        terminal.note(one_line(_("To use them: {command}").replace("{command}", command)))


async def ask_project(terminal: Terminal, engine: Engine, folder: str, line: NextLine) -> str | None:
    """Ask about a project's skills where that waits; return a line that was no answer, to be said instead."""
    found = await engine.skills.waiting(folder)
    if found is None:
        return ""
    if found.too_large:
        tell_project(terminal, found)
        return ""
    terminal.note(one_line(f"{project_title(found)} {project_text(found)}"), "caution")

    async def agree() -> None:
        await engine.skills.agree(found.project, found.print)
        terminal.note(_("The skills of this project are used from now on."), "good")

    async def refuse() -> None:
        await engine.skills.refuse(found.project)
        terminal.note(_("The skills of this project are left out."))

    return await ask_of_project(terminal, line, lambda: _show_skills(terminal, found), agree, refuse)


async def agree_to_project(
    terminal: Terminal, engine: Engine, folder: str, *, yes: bool
) -> ProjectSkills | None:
    """Show a project's skills, ask, and let just these count; None where the person leaves it.

    Raises Trouble where nobody is there to ask, BrambleError as `engine.skills.agree`.
    """
    found = await engine.skills.project(folder)
    if found is None or found.state == "agreed" or found.too_large:
        return await engine.skills.agree(folder)  # which says what is wrong, or finds nothing to do
    if not terminal.json_wanted:
        _show_skills(terminal, found)
        terminal.note(one_line(f"{project_title(found)} {project_text(found)}"), "caution")
    if not yes and not await confirmed(terminal, _("Use just these? y uses them, anything else leaves it.")):
        return None
    return await engine.skills.agree(folder, found.print)


def _show_skills(terminal: Terminal, found: ProjectSkills) -> None:
    for skill in found.skills:
        terminal.out.line(terminal.out.styled(one_line(skill.name), "strong"))
        terminal.out.line(clean(f"{skill.description}\n\n{skill.body}").rstrip("\n"))


async def save_as_skill(
    terminal: Terminal,
    engine: Engine,
    session: str,
    line: NextLine,
    away: Callable[[], AbstractContextManager[None]],
) -> None:
    """Show what the conversation did as a skill, let the person change it, and save it."""
    draft = await engine.skills.draft(session)
    name = await _field(terminal, line, _("Name"), draft.name)
    what = await _field(terminal, line, _("What for"), draft.description) if name is not None else None
    if name is None or what is None:
        terminal.note(_("Nothing was saved."))
        return
    text = engine.skills.document(name, what, draft.body, tools=draft.tools)
    while True:
        terminal.out.line(clean(text).rstrip("\n"))
        terminal.note(_("Save it? y saves it, e opens it in your editor, anything else leaves it."))
        match ((await line()) or "").strip().casefold():
            case "y":
                if await _saved(terminal, engine, text):
                    return
            case "e":
                text = await _edited(terminal, text, away)
            case _:
                terminal.note(_("Nothing was saved."))
                return


async def _field(terminal: Terminal, line: NextLine, word: str, given: str) -> str | None:
    """Return what the person wants there: Enter keeps what is given, a lone - gives up (None)."""
    words = _("{word}: {given}. Enter keeps it, - leaves everything.")
    terminal.note(one_line(words.replace("{word}", word).replace("{given}", given.rstrip("."))))
    typed = await line()
    if typed is None or typed.strip() == "-":
        return None
    return typed.strip() or given


async def _saved(terminal: Terminal, engine: Engine, text: str) -> bool:
    from app.errors import BrambleError

    try:
        made = await engine.skills.create(text)
    except BrambleError as error:
        say(terminal, error.problem)
        return False
    words = _("Saved as {name}, in {folder}.").replace("{name}", made.skill.name)
    terminal.note(one_line(words.replace("{folder}", made.skill.folder)), "good")
    return True


async def _edited(terminal: Terminal, text: str, away: Callable[[], AbstractContextManager[None]]) -> str:
    from ui.terminal.external import CannotEdit, edited

    try:
        with away():
            return await edited(text, "SKILL.md", terminal.environ)
    except CannotEdit as error:
        words = _("It could not be edited ({why}). Nothing has changed.")
        terminal.note(one_line(words.replace("{why}", str(error))), "caution")
        return text
