"""Words about the person's own tools for both front ends: how one stands, what trust means, problems."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ui.language import _, later as L, plural
from ui.problem import Row

if TYPE_CHECKING:
    from app.own_tool_records import OwnTool, OwnToolInfo, Problem

OWN_TOOLS: dict[str, Row] = {
    "no_own_tool": Row(
        L("There is no such tool of your own."),
        L("Look at the list of your own tools."),
        "show_own_tools",
        L("There is no tool {name} of your own."),
    ),
    "bad_own_tool": Row(
        L("This tool does not keep the contract, so it was not trusted."),
        L("Mend the file; bramble tools check PATH names each fault with its line."),
        "none",
        L("{name} does not keep the contract: {why}"),
    ),
    "own_tool_exists": Row(
        L("There is a tool of this name already, so nothing was written."),
        L("Choose another name."),
        "none",
        L("There is a tool named {name} already, so nothing was written."),
    ),
    "own_tool_changed": Row(
        L("This file is not what you looked at, so it was not trusted."),
        L("Look at it again, then trust it."),
        "none",
        L("The file of {name} is not what you looked at, so it was not trusted."),
    ),
    "bad_tool_name": Row(
        L("A tool cannot have this name."),
        L("Take small letters a to z, digits and underscores, a letter first, such as count_words."),
        "none",
        L("A tool cannot be named {name}."),
    ),
}


def state_text(info: OwnToolInfo) -> str:
    """Return how a tool stands, in a word or two."""
    words = {
        "on": _("on"),
        "off": _("off"),
        "waiting": _("waits for you"),
        "changed": _("changed since you trusted it"),
        "broken": _("has a fault"),
    }
    return words[info.state]


def nature(info: OwnToolInfo) -> str:
    """Return what it may ask for."""
    if info.reads:
        return _("only reads")
    return _("may change things, as your rules and answers allow")


def problem_line(problem: Problem) -> str:
    """Return a fault with its line, where it has one."""
    if not problem.line:
        return problem.message
    words = _("Line {line}: {message}")
    return words.replace("{line}", str(problem.line)).replace("{message}", problem.message)


def question(tool: OwnTool) -> str:
    """Return what is asked before a tool is trusted."""
    if tool.info.state == "changed":
        return _("Trust {name} as it is now?").replace("{name}", tool.info.name)
    return _("Trust {name}?").replace("{name}", tool.info.name)


def consequence(tool: OwnTool) -> str:
    """Return what trust would let it do, and what holds it here."""
    words = _("Models may call it then, just as it stands here; when the file changes, you are asked again.")
    if tool.held:
        held = _("It runs sealed: files, commands and the network only through Bramble, with your rules.")
    else:
        held = _(
            "Nothing on this computer can seal it: only its source was checked. Trust it only if you know "
            "each line."
        )
    return f"{words} {held}"


def summed_up(infos: tuple[OwnToolInfo, ...]) -> str:
    """Return the state of all of them in a sentence."""
    on = sum(info.state == "on" for info in infos)
    waiting = sum(info.state in ("waiting", "changed") for info in infos)
    broken = sum(info.state == "broken" for info in infos)
    parts = [plural("{n} tool is on", "{n} tools are on", on).replace("{n}", str(on))]
    if waiting:
        parts.append(plural("{n} waits for you", "{n} wait for you", waiting).replace("{n}", str(waiting)))
    if broken:
        parts.append(plural("{n} has a fault", "{n} have a fault", broken).replace("{n}", str(broken)))
    return ", ".join(parts) + "."
