"""Show MCP servers and what the registry has of them at the terminal."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from app.mcp_offers import Offer
from app.records import ServerInfo
from ui.server_words import (
    held_text,
    package_text,
    state_text,
    target_text,
    tool_notes,
    tools_text,
    trouble_text,
    way_text,
    why_not_text,
)
from ui.terminal import exits
from ui.terminal.clean import clean, one_line, visible
from ui.terminal.table import write_table
from ui.words import _, as_called

if TYPE_CHECKING:
    from app.engine import Engine
    from ui.terminal.output import Style, Terminal


async def show_list(terminal: Terminal, engine: Engine) -> int:
    """List all servers, broken ones and those that wait too."""
    found = await engine.mcp.list()
    if terminal.json_wanted:
        terminal.json(list(found))
        return exits.DONE
    rows = []
    for info in found:
        on = info.state == "off" and info.enabled and not info.fault
        rows.append([info.id, _("On") if on else state_text(info), tools_text(info), target_text(info)])
    if rows:
        write_table(terminal.out, rows, [_("name"), "", _("tools"), _("what it is")])
    else:
        terminal.note(_("There are no servers yet. To look for one: bramble mcp search calendar"))
    for info in found:
        if trouble_text(info):
            terminal.note(one_line(f"{info.id}: {trouble_text(info)}"), "caution")
    words = _("They stand in the file {path}.") if rows else _("They will stand in the file {path}.")
    terminal.note(one_line(words.replace("{path}", str(engine.mcp.path))))
    return exits.DONE


def told(terminal: Terminal, info: ServerInfo, *, tools: bool = False) -> int:
    """Say what became of a server, and return the exit code of its state."""
    if terminal.json_wanted:
        terminal.json({"ok": _code(info) == exits.DONE, "server": info})
        return _code(info)
    parts = (state_text(info), tools_text(info), package_text(info))
    style: Style = "good" if info.state == "ready" else "caution"
    terminal.note(one_line(f"{info.id}: {', '.join(filter(None, parts))}"), style)
    if trouble_text(info):
        terminal.note(clean(trouble_text(info)), "caution")
    if info.state == "sign_in":
        terminal.note(
            _("Try: {command}").replace("{command}", as_called(f"bramble mcp login {shlex.quote(info.id)}"))
        )
    if info.held:
        terminal.note(_("Tools are held back, since they are no longer what you agreed to:"), "caution")
        for held in info.held:
            terminal.note(one_line(f"  {held_text(held)}"), "caution")
        terminal.note(as_called(f"  bramble mcp approve --tools {shlex.quote(info.id)}"))
    if tools and info.tools:
        rows = [[tool.tool, " ".join((tool.description or tool.title).split())] for tool in info.tools]
        write_table(terminal.out, rows, [_("tool"), _("what it says of itself")])
        for tool in info.tools:
            for words in tool_notes(tool):
                terminal.note(one_line(f"{tool.tool or tool.name}: {words}"), "caution")
    return _code(info)


def _code(info: ServerInfo) -> int:
    if info.fault:
        return exits.FAILED
    return {
        "ready": exits.DONE,
        "off": exits.DONE,
        "approval": exits.NO_APPROVAL,
        "sign_in": exits.NO_MODEL,
    }.get(info.state, exits.FAILED)


async def test(terminal: Terminal, engine: Engine, id: str) -> int:
    """Start a server and list its tools."""
    info = await engine.mcp.test(id)
    code = told(terminal, info, tools=True)
    return exits.FAILED if info.state == "off" else code


async def logs(terminal: Terminal, engine: Engine, id: str) -> int:
    """Show the end of what a server's program writes."""
    info = await engine.mcp.test(id)
    if terminal.json_wanted:
        terminal.json({"ok": True, "server": info})
    elif info.stderr.strip():
        terminal.out.line(visible(clean(info.stderr)).rstrip("\n"))
    else:
        terminal.note(_("It wrote nothing."))
    return exits.DONE


async def search(terminal: Terminal, engine: Engine, query: str, limit: int) -> int:
    """Search the registry."""
    found = await engine.mcp_registry.search(query, limit)
    if terminal.json_wanted:
        terminal.json({"servers": list(found)})
        return exits.DONE
    if not found:
        terminal.note(_("The registry has nothing for this. Other words, or a product's name, may help."))
    for offer in found:
        _show_offer(terminal, offer)
    if any(offer.usable for offer in found):
        terminal.note(_("Try: {command}").replace("{command}", as_called("bramble mcp install NAME")))
    return exits.DONE


def _show_offer(terminal: Terminal, offer: Offer) -> None:
    out = terminal.out
    name = offer.name if not offer.title else f"{offer.name} ({offer.title})"
    out.line(out.styled(one_line(f"{name} {offer.version}"), "strong"))
    if offer.description:
        out.line(one_line(f"  {offer.description}"))
    if offer.deprecated:
        out.line(out.styled("  " + _("Its makers say that it is out of date."), "caution"))
    way = next(iter(offer.ways), None)
    usable = way is not None and way.usable
    how = way_text(way) if way is not None and usable else why_not_text(way)
    out.line(out.styled(one_line(f"  {how}"), "muted" if usable else "caution"))
    for field in way.fields if way is not None and usable else ():
        need = _("needed") if field.required else _("may stay empty")
        secret = f", {_('secret')}" if field.secret else ""
        about = f": {field.description}" if field.description else ""
        out.line(out.styled(one_line(f"    {field.key} ({need}{secret}){about}"), "muted"))
