"""What a person does with an MCP server at the terminal: remove, approve, switch, sign in and out."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import TYPE_CHECKING

from app.events import Event, SignInAsked
from ui.server_words import changed_lines, held_text, target_text, trouble_text
from ui.terminal import exits
from ui.terminal.clean import one_line, visible
from ui.terminal.server_adding import agreed
from ui.terminal.server_lists import told
from ui.terminal.session import Trouble, attended, only_by_a_person
from ui.words import _

if TYPE_CHECKING:
    from app.engine import Engine
    from ui.terminal.output import Style, Terminal


async def remove(terminal: Terminal, engine: Engine, id: str) -> int:
    """Remove a server."""
    await engine.mcp.remove(id)
    return _done(terminal, {"ok": True, "id": id}, _("It is removed, with its secrets and its sign-in."))


def _done(terminal: Terminal, form: dict[str, object], words: str) -> int:
    if terminal.json_wanted:
        terminal.json(form)
    else:
        terminal.note(words, "good")
    return exits.DONE


async def approve(terminal: Terminal, engine: Engine, id: str, yes: bool) -> int:
    """Show the exact command of a server and agree to it."""
    only_by_a_person(True)
    info = await engine.mcp.info(id)
    if info.fault:
        raise Trouble("bad_server", server=id, why=trouble_text(info))
    lines = [target_text(info), *(f"+ {name}" for name in (*info.environment, *info.headers))]
    if info.state == "approval":
        if not await agreed(terminal, id, lines, url="" if info.command else info.url, yes=yes):
            return exits.NO_APPROVAL
        info = await engine.mcp.approve(id, info.print)
    else:
        terminal.note(_("You have agreed to it already."))
        info = await engine.mcp.test(id)
    told(terminal, info, tools=True)
    return exits.DONE


async def approve_tools(terminal: Terminal, engine: Engine, id: str, yes: bool) -> int:
    """Show what changed in the tools of a server and agree to it."""
    only_by_a_person(True)
    info = await engine.mcp.test(id)
    if not info.held:
        terminal.note(_("None of its tools is held back."))
        return told(terminal, info)
    for held in info.held:
        terminal.note(one_line(held_text(held)), "strong")
        for line in changed_lines(held):
            style: Style = "good" if line[:1] == "+" else "danger" if line[:1] == "-" else "muted"
            terminal.note("  " + visible(line, lines=False), style)
    if not yes and not await agreed(terminal, id, (), url="" if info.command else info.url, yes=False):
        return exits.NO_APPROVAL
    return told(terminal, await engine.mcp.approve_definitions(id, info.held))


async def enable(terminal: Terminal, engine: Engine, id: str) -> int:
    """Switch a server on; one that was never agreed to waits for that."""
    only_by_a_person(True)
    return told(terminal, await engine.mcp.enable(id))


async def disable(terminal: Terminal, engine: Engine, id: str) -> int:
    """Switch a server off."""
    return told(terminal, await engine.mcp.disable(id))


async def restart(terminal: Terminal, engine: Engine, id: str) -> int:
    """Start a server anew."""
    return told(terminal, await engine.mcp.restart(id))


async def logout(terminal: Terminal, engine: Engine, id: str) -> int:
    """Forget the sign-in of a server."""
    info = await engine.mcp.sign_out(id)
    words = _("Signed out. What was kept here is deleted.")
    return _done(terminal, {"ok": True, "server": info}, words)


async def login(terminal: Terminal, engine: Engine, id: str, in_file: bool) -> int:
    """Open the server's page in the browser and wait until the person has signed in there."""
    only_by_a_person(True)
    opening: list[Awaitable[bool]] = []

    def hear(event: Event) -> None:
        if isinstance(event, SignInAsked):
            import webbrowser

            terminal.note(_("Sign in here, in your browser:"), "strong")
            terminal.note(one_line(event.url), "plain")
            terminal.note(_("Bramble waits until you are done there. Ctrl-C gives it up."))
            if attended(terminal):
                opening.append(asyncio.ensure_future(asyncio.to_thread(webbrowser.open, event.url)))

    end = engine.subscribe(hear)
    try:
        info = await engine.mcp.sign_in(id, file_consent=in_file)
    finally:
        end()
        await asyncio.gather(*opening, return_exceptions=True)
    return told(terminal, info, tools=True)
