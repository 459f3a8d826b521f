"""`bramble skills`: the instructions for kinds of work: list them, read one, check a folder, find one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ui.skill_words import place_text, state_of
from ui.terminal import exits
from ui.terminal.clean import clean, one_line
from ui.terminal.commands import cwd_option, json_option
from ui.terminal.faults import fault_forms, fault_line
from ui.terminal.output import Terminal
from ui.terminal.session import only_by_a_person, run, working_folder
from ui.terminal.skill_asking import tell_project
from ui.terminal.table import write_table
from ui.words import _

if TYPE_CHECKING:
    from app.engine import Engine
    from app.skill_records import ProjectSkills


@click.group()
def skills() -> None:
    """List, read, check, find and agree to skills."""


@skills.command("list")
@cwd_option
@json_option
@click.pass_obj
def list_skills(terminal: Terminal, cwd: str | None) -> int:
    """List all skills, broken and hidden ones too."""
    folder = working_folder(cwd)

    async def work(engine: Engine) -> int:
        found = await engine.skills.list(folder)
        if terminal.json_wanted:
            terminal.json(list(found))
            return exits.DONE
        rows = [[one.name, place_text(one.source), state_of(one), one.description] for one in found]
        if rows:
            write_table(terminal.out, rows, [_("name"), _("whose"), "", _("what for")])
        else:
            terminal.note(_("There are no skills."))
        for one in found:
            if one.problems:
                terminal.note(fault_line(one.problems[0], one.folder), "caution")
        project = await engine.skills.project(folder)
        if project is not None and project.state != "agreed":
            tell_project(terminal, project)
        return exits.DONE

    return run(terminal, work)


@skills.command()
@click.argument("name")
@cwd_option
@json_option
@click.pass_obj
def show(terminal: Terminal, name: str, cwd: str | None) -> int:
    """Show a whole skill."""
    folder = working_folder(cwd)

    async def work(engine: Engine) -> int:
        found = await engine.skills.show(name, folder)
        skill, info = found.skill, found.info
        if terminal.json_wanted:
            terminal.json({**_fields(info), "triggers": skill.triggers, "suggested_tools": skill.tools,
                           "body": skill.body, "files": found.files})  # fmt: skip
            return exits.DONE
        rows = [
            (_("What for"), skill.description),
            (_("Whose"), place_text(skill.source)),
            (_("Folder"), skill.folder),
            (_("Said as"), ", ".join(skill.triggers)),
            (_("Tools"), ", ".join(skill.tools)),
            (_("Modes"), ", ".join(skill.modes)),
            (_("Files"), ", ".join(file.path for file in found.files)),
        ]
        terminal.out.line(terminal.out.styled(one_line(skill.name), "strong"))
        for label, text in rows:
            if text:
                terminal.out.line(f"{terminal.out.styled(label, 'muted')}: {one_line(text)}")
        terminal.out.line("")
        terminal.out.line(clean(skill.body).rstrip("\n"))
        for fault in skill.faults:
            terminal.note(fault_line(fault, skill.folder), "caution")
        return exits.DONE

    return run(terminal, work)


def _fields(info: object) -> dict[str, object]:
    import msgspec

    fields: dict[str, object] = msgspec.to_builtins(info)
    return fields


@skills.command(short_help="Check a skill, and name each fault with its line.")
@click.argument("path", metavar="PATH")
@json_option
@click.pass_obj
def check(terminal: Terminal, path: str) -> int:
    """Check a skill's folder or its SKILL.md, and name each fault with its line."""

    async def work(engine: Engine) -> int:
        report = await engine.skills.check(path)
        if terminal.json_wanted:
            terminal.json({**_fields(report), "problems": fault_forms(report.problems)})
        else:
            for fault in report.problems:
                terminal.out.line(fault_line(fault))
            if not report.problems:
                terminal.note(_("Nothing is wrong with it."), "good")
            elif report.loaded:
                terminal.note(_("It can be used all the same."))
            else:
                terminal.note(_("It cannot be used."), "danger")
        return exits.DONE if report.ok else exits.FAILED

    return run(terminal, work, {"ok": False, "loaded": False, "problems": []})


@skills.command()
@click.argument("query", nargs=-1, required=True)
@cwd_option
@json_option
@click.pass_obj
def find(terminal: Terminal, query: tuple[str, ...], cwd: str | None) -> int:
    """Find the skills that fit plain words."""
    if not " ".join(query).strip():
        raise click.UsageError(_("Say in a few words what the skill is for."))
    folder = working_folder(cwd)

    async def work(engine: Engine) -> int:
        found = await engine.skills.find(" ".join(query), folder)
        if terminal.json_wanted:
            terminal.json({"skills": found})
        elif found:
            rows = [[one.name, f"{one.score:.2f}", one.description] for one in found]
            write_table(terminal.out, rows, [_("name"), _("score"), _("what for")])
        else:
            terminal.note(_("No skill fits this."))
        return exits.DONE

    return run(terminal, work, {"skills": []})


@skills.command()
@click.argument("path", required=False)
@click.option("--yes", is_flag=True, help="Agree to them as they are without being asked.")
@json_option
@click.pass_obj
def agree(terminal: Terminal, path: str | None, yes: bool) -> int:
    """Let the skills of a project be used.

    They are shown first. That is for those that it has now; when they change you are asked again.
    """
    folder = working_folder(path)

    async def work(engine: Engine) -> int:
        from ui.terminal.skill_asking import agree_to_project

        only_by_a_person(True)
        found = await agree_to_project(terminal, engine, folder, yes=yes)
        if found is None:
            return exits.NO_APPROVAL
        return _answered(terminal, found, _("These skills are used from now on, until their files change."))

    return run(terminal, work, {"project": "", "state": "", "skills": []})


@skills.command()
@click.argument("path", required=False)
@json_option
@click.pass_obj
def refuse(terminal: Terminal, path: str | None) -> int:
    """Leave the skills of a project out, also after you agreed to them."""
    folder = working_folder(path)

    async def work(engine: Engine) -> int:
        found = await engine.skills.refuse(folder)
        return _answered(terminal, found, _("The skills of this project are left out."))

    return run(terminal, work, {"project": "", "state": "", "skills": []})


def _answered(terminal: Terminal, found: ProjectSkills, words: str) -> int:
    if terminal.json_wanted:
        terminal.json(_project_fields(found))
        return exits.DONE
    for skill in found.skills:
        terminal.out.line(one_line(f"{skill.name}: {skill.description}", terminal.out.width))
    terminal.note(words, "good" if found.state == "agreed" else "muted")
    return exits.DONE


def _project_fields(found: ProjectSkills) -> dict[str, object]:
    names = [skill.name for skill in found.skills]
    return {"project": found.project, "state": found.state, "skills": names}
