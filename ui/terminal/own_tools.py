"""The person's own tools at the terminal: begin one, check one, look at it, trust it, switch it."""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING

from ui.own_tool_words import consequence, nature, problem_line, question, state_text
from ui.terminal import exits
from ui.terminal.clean import clean, one_line
from ui.terminal.confirming import confirmed
from ui.terminal.effects import file_lines
from ui.terminal.faults import fault_forms, fault_line
from ui.terminal.session import only_by_a_person
from ui.terminal.table import write_table
from ui.words import _, as_called

if TYPE_CHECKING:
    from app.engine import Engine
    from app.own_tool_records import OwnTool, OwnToolInfo
    from ui.terminal.output import Terminal


async def show_list(terminal: Terminal, engine: Engine) -> int:
    """List the files of the folder, broken ones and those that wait too."""
    found = await engine.own_tools.list()
    if terminal.json_wanted:
        terminal.json(list(found))
        return exits.DONE
    rows = [[one.name, state_text(one), nature(one), one.summary] for one in found]
    if rows:
        write_table(terminal.out, rows, [_("name"), "", "", _("what it does")])
    else:
        terminal.note(_("You have no tools of your own yet. To begin one: bramble tools new count_words"))
    for one in found:
        _faults(terminal, one)
    there, to_come = _("Each is a file in the folder {path}."), _("Each will be a file in the folder {path}.")
    words = there if rows else to_come
    terminal.note(one_line(words.replace("{path}", str(engine.own_tools.folder))))
    return exits.DONE


async def remind(terminal: Terminal, engine: Engine, only: str = "") -> None:
    """Say which own tools are left out of what was listed or called: all, or `only` the one of this name."""
    for one in await engine.own_tools.list():
        if one.state != "on" and only in ("", one.name):
            words = _("Your own tool {name} is left out: {state}.")
            text = words.replace("{name}", one.name).replace("{state}", state_text(one))
            terminal.note(one_line(text), "caution" if one.state == "broken" else "muted")
            if only and not one.problems:
                terminal.note(one_line(as_called(f"  bramble tools trust {one.name}")))


def _faults(terminal: Terminal, info: OwnToolInfo) -> None:
    for problem in info.problems[:1]:
        terminal.note(fault_line(problem, info.path), "caution")


async def new(terminal: Terminal, engine: Engine, name: str) -> int:
    """Write a working start and say what comes next."""
    made = await engine.own_tools.new(name)
    info = made.info
    if terminal.json_wanted:
        problems = fault_forms(info.problems)
        terminal.json({"ok": not problems, "problems": problems, "name": info.name, "path": info.path})
        return exits.DONE
    terminal.out.line(one_line(info.path))
    terminal.note(_("This is a whole tool that works. Change it, then:"), "good")
    terminal.note("  " + one_line(as_called(f"bramble tools check {shlex.quote(info.path)}")))
    terminal.note(as_called(f"  bramble tools trust {info.name}"))
    return exits.DONE


async def check(terminal: Terminal, engine: Engine, path: str) -> int:
    """Hold a file against the contract and name each fault with its line; an own tool can be named too."""
    report = await engine.own_tools.check(await _file(engine, path))
    if terminal.json_wanted:
        terminal.json({"ok": report.ok, "problems": fault_forms(report.problems)})
    else:
        for problem in report.problems:
            terminal.out.line(fault_line(problem))
        if report.ok:
            terminal.note(_("Nothing is wrong with it."), "good")
    if report.partly:
        words = _("Only its source was looked at: nothing on this computer could hold it while it is tried.")
        terminal.note(words, "caution")
    return exits.DONE if report.ok else exits.FAILED


async def _file(engine: Engine, path: str) -> str:
    if os.path.exists(os.path.expanduser(path)):
        return path
    return next((one.path for one in await engine.own_tools.list() if one.name == path), path)


async def show(terminal: Terminal, engine: Engine, name: str) -> int:
    """Show a tool: how it stands, what it says of itself, its source."""
    tool = await engine.own_tools.show(name)
    if terminal.json_wanted:
        terminal.json(tool)
        return exits.DONE
    _write(terminal, tool)
    terminal.out.line(clean(tool.source).rstrip("\n"))
    return exits.DONE


def _write(terminal: Terminal, tool: OwnTool) -> None:
    info, out = tool.info, terminal.out
    out.line(f"{out.styled(one_line(info.name), 'strong')}: {state_text(info)}, {nature(info)}")
    if tool.description:
        out.line(one_line(tool.description))
    for example in tool.examples:
        out.line(out.styled(one_line(f"  {example}"), "muted"))
    for problem in info.problems:
        terminal.note(one_line(problem_line(problem)), "caution")


async def trust(terminal: Terminal, engine: Engine, name: str, *, yes: bool) -> int:
    """Show what would be trusted, ask, and trust exactly that."""
    only_by_a_person(True)
    tool = await engine.own_tools.show(name)
    if tool.info.state in ("on", "off"):
        if tool.info.state == "off":
            await engine.own_tools.enable(tool.info.name)
        return _trusted(terminal, tool, _("You trust it already, just as it is."))
    if not tool.info.problems and not terminal.json_wanted:
        _write(terminal, tool)
        if tool.diff is not None:
            for line in file_lines(tool.diff, terminal.out.styled):
                terminal.out.line(line)
        else:
            terminal.out.line(clean(tool.source).rstrip("\n"))
        terminal.note(consequence(tool), "plain" if tool.held else "caution")
    asked = f"{question(tool)} {_('y trusts it, anything else leaves it.')}"
    if not yes and not tool.info.problems and not await confirmed(terminal, asked):
        return exits.NO_APPROVAL
    return _trusted(terminal, await engine.own_tools.trust(name, tool.info.hash), _("Trusted; it is on."))


def _trusted(terminal: Terminal, tool: OwnTool, words: str) -> int:
    if terminal.json_wanted:
        terminal.json({"ok": True, "name": tool.info.name, "hash": tool.info.hash})
    else:
        terminal.note(words, "good")
    return exits.DONE


async def forget(terminal: Terminal, engine: Engine, name: str) -> int:
    """Trust nothing of this name any more."""
    only_by_a_person(True)
    known = await engine.own_tools.forget(name)
    if terminal.json_wanted:
        terminal.json({"ok": known, "name": name})
    elif known:
        terminal.note(_("It is not trusted any more. The file stays."), "good")
    else:
        terminal.note(_("It was not trusted."))
    return exits.DONE if known else exits.FAILED


async def switch(terminal: Terminal, engine: Engine, name: str, *, on: bool) -> int:
    """Offer a trusted tool to models, or no longer."""
    only_by_a_person(True)
    await engine.own_tools.enable(name, on)
    if terminal.json_wanted:
        terminal.json({"ok": True, "name": name, "on": on})
    else:
        terminal.note(_("It is on.") if on else _("It is off."), "good")
    return exits.DONE
