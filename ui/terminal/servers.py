"""What the commands of `bramble mcp` do: show servers, ask before one is added, act, say what came of it."""

from __future__ import annotations

import asyncio
import shlex
from collections.abc import Awaitable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import click

from app.events import Event, SignInAsked
from app.mcp_offers import Field, Offer, Way
from app.records import ServerInfo
from ui.server_words import (
    changed_lines,
    fault_text,
    held_text,
    offer_text,
    package_text,
    state_text,
    target_text,
    tools_text,
    trouble_text,
    way_text,
    why_not_text,
)
from ui.terminal import exits
from ui.terminal.clean import clean, one_line, visible
from ui.terminal.session import Trouble, attended, only_by_a_person, stdin_text
from ui.terminal.table import write_table
from ui.words import _

if TYPE_CHECKING:
    from app.engine import Engine
    from ui.terminal.output import Style, Terminal


class Wanted(NamedTuple):
    """A server to add by hand. `given` are variables or headers, `secret` names of more."""

    id: str
    command: tuple[str, ...]
    url: str
    given: Mapping[str, str]
    secret: tuple[str, ...]
    yes: bool
    in_file: bool


class Chosen(NamedTuple):
    """A server of the registry to install."""

    name: str
    version: str
    way: str
    values: Mapping[str, str]
    id: str
    yes: bool
    in_file: bool


# --- showing -----------------------------------------------------------------------------------------------


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
    terminal.note(one_line(str(engine.mcp.path)))
    return exits.DONE


def _told(terminal: Terminal, info: ServerInfo, *, tools: bool = False) -> int:
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
        terminal.note(_("Try: {command}").replace("{command}", f"bramble mcp login {shlex.quote(info.id)}"))
    if info.held:
        terminal.note(_("Tools are held back, since they are no longer what you agreed to:"), "caution")
        for held in info.held:
            terminal.note(one_line(f"  {held_text(held)}"), "caution")
        terminal.note(f"  bramble mcp approve --tools {shlex.quote(info.id)}")
    if tools and info.tools:
        rows = [[tool.tool, " ".join((tool.description or tool.title).split())] for tool in info.tools]
        write_table(terminal.out, rows, [_("tool"), _("what it says of itself")])
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
    code = _told(terminal, info, tools=True)
    return exits.FAILED if info.state == "off" else code


async def logs(terminal: Terminal, engine: Engine, id: str) -> int:
    """Show the end of what a server's program writes."""
    info = await engine.mcp.test(id)
    if terminal.json_wanted:
        terminal.json({"ok": True, "server": info})
    elif info.stderr.strip():
        terminal.out.line(clean(info.stderr).rstrip("\n"))
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
        terminal.note(_("Try: {command}").replace("{command}", "bramble mcp install NAME"))
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


# --- adding ------------------------------------------------------------------------------------------------


async def add(terminal: Terminal, engine: Engine, wanted: Wanted) -> int:
    """Show the exact command, ask, and add the server."""
    only_by_a_person(True)
    given = {**wanted.given, **_secrets(terminal, wanted.secret)}
    lines = [shlex.join(wanted.command) if wanted.command else wanted.url]
    hidden = {*wanted.secret, *(given if wanted.url else ())}
    lines += [f"+ {name}" if name in hidden else f"+ {name}={value}" for name, value in given.items()]
    if not await _agreed(terminal, wanted.id, lines, started=bool(wanted.command), yes=wanted.yes):
        return exits.NO_APPROVAL
    info = await engine.mcp_registry.add(
        wanted.id,
        wanted.command,
        wanted.url,
        given,
        secret=wanted.secret,
        approved=True,
        file_consent=wanted.in_file,
    )
    _told(terminal, info, tools=True)
    return exits.DONE


async def install(terminal: Terminal, engine: Engine, wanted: Chosen) -> int:
    """Show the exact command that the values come to, ask, and install the server."""
    only_by_a_person(True)
    market = engine.mcp_registry
    offer = await market.get(wanted.name, wanted.version)
    if offer is None:
        raise Trouble("not_found", path=f"{wanted.name} {wanted.version}")
    way = _way(offer, wanted.way)
    values = _values(terminal, way, wanted.values)
    if wrong := market.faults(way, values):
        told = "\n".join(f"{key}: {fault_text(code)}" for key, code in wrong.items())
        raise click.UsageError(clean(told))
    made = market.preview(offer, way, values, wanted.id)
    lines = [*map(shlex.join, made.steps), shlex.join(made.command) if made.command else made.url]
    lines += [f"+ {name}={value}" for name, value in {**made.env, **made.headers}.items()]
    lines += [f"+ {name}" for name in (*made.secret_env, *made.secret_headers)]
    title = f"{made.id} ({made.origin})"
    if not await _agreed(terminal, title, lines, started=bool(made.command), yes=wanted.yes):
        return exits.NO_APPROVAL
    info = await market.install(
        offer,
        way,
        values,
        id=wanted.id,
        file_consent=wanted.in_file,
        progress=lambda text: terminal.note(one_line(text)),
    )
    _told(terminal, info, tools=True)
    return exits.DONE


def _way(offer: Offer, wanted: str) -> Way:
    found = (
        next((one for one in offer.ways if one.id == wanted), None)
        if wanted
        else next(iter(offer.ways), None)
    )
    if found is None and wanted:
        raise click.UsageError(one_line(_("There is no way {way}.").replace("{way}", wanted)))
    if found is None or not found.usable:
        raise Trouble("bad_server", server=offer_text(offer), why=why_not_text(found))
    return found


def _values(terminal: Terminal, way: Way, given: Mapping[str, str]) -> dict[str, str | Sequence[str]]:
    """Return the values by their keys; repeated fields take comma-separated ones, secrets are asked for."""
    by_key = {field.key: field for field in way.fields}
    found: dict[str, str | Sequence[str]] = {}
    for name, value in given.items():
        field: Field | None = by_key.get(name)
        found[name] = value.split(",") if field is not None and field.repeated else value
    missing = [field for field in way.fields if field.secret and field.required and field.key not in found]
    typed = _secrets(terminal, [field.name for field in missing])
    return {**found, **{field.key: typed[field.name] for field in missing}}


def _secrets(terminal: Terminal, names: Sequence[str]) -> dict[str, str]:
    """Ask for secrets on the terminal, or read them from stdin, a line each in their order."""
    if not names:
        return {}
    if attended(terminal):
        import getpass

        prompt = _("Value of {name} (it is not shown): ")
        return {
            name: getpass.getpass(prompt.replace("{name}", one_line(name)), terminal.err.stream)
            for name in names
        }
    lines = stdin_text().splitlines()
    if len(lines) < len(names):
        words = _("Give the value of {names} on stdin, one to a line.")
        raise click.UsageError(words.replace("{names}", ", ".join(names)))
    return dict(zip(names, lines, strict=False))


async def _agreed(terminal: Terminal, title: str, lines: Sequence[str], *, started: bool, yes: bool) -> bool:
    """Show what would be started or reached, word for word, and ask. Raises Trouble where nobody answers."""
    terminal.note(one_line(title), "strong")
    for line in lines:
        terminal.note("  │ " + visible(line, lines=False), "plain")
    words = (
        _("It runs outside of the sandbox, with your rights, whenever Bramble does.")
        if started
        else _("What is sent to it leaves this computer.")
    )
    terminal.note(words, "caution")
    if yes:
        return True
    if not attended(terminal) or terminal.json_wanted:
        raise Trouble("refused", exit=exits.NO_APPROVAL)
    from ui.terminal.approving import AnswerLines

    answers = AnswerLines(terminal)
    terminal.note(_("Agree to just this? y agrees, anything else leaves it."), "strong")
    await answers.settle()
    if (await answers.answer() or "").strip().casefold() == "y":
        return True
    terminal.note(_("It was left as it was."))
    return False


# --- acting ------------------------------------------------------------------------------------------------


async def remove(terminal: Terminal, engine: Engine, id: str) -> int:
    """Remove a server."""
    await engine.mcp.remove(id)
    if terminal.json_wanted:
        terminal.json({"ok": True, "id": id})
    else:
        terminal.note(_("It is removed, with its secrets and its sign-in."), "good")
    return exits.DONE


async def approve(terminal: Terminal, engine: Engine, id: str, yes: bool) -> int:
    """Show the exact command of a server and agree to it."""
    only_by_a_person(True)
    info = await engine.mcp.info(id)
    if info.fault:
        raise Trouble("bad_server", server=id, why=trouble_text(info))
    lines = [target_text(info), *(f"+ {name}" for name in (*info.environment, *info.headers))]
    if info.state == "approval":
        if not await _agreed(terminal, id, lines, started=bool(info.command), yes=yes):
            return exits.NO_APPROVAL
        info = await engine.mcp.approve(id, info.print)
    else:
        terminal.note(_("You have agreed to it already."))
        info = await engine.mcp.test(id)
    _told(terminal, info, tools=True)
    return exits.DONE


async def approve_tools(terminal: Terminal, engine: Engine, id: str, yes: bool) -> int:
    """Show what changed in the tools of a server and agree to it."""
    only_by_a_person(True)
    info = await engine.mcp.test(id)
    if not info.held:
        terminal.note(_("None of its tools is held back."))
        return _told(terminal, info)
    for held in info.held:
        terminal.note(one_line(held_text(held)), "strong")
        for line in changed_lines(held):
            style: Style = "good" if line[:1] == "+" else "danger" if line[:1] == "-" else "muted"
            terminal.note("  " + visible(line, lines=False), style)
    if not yes and not await _agreed(terminal, id, (), started=bool(info.command), yes=False):
        return exits.NO_APPROVAL
    return _told(terminal, await engine.mcp.approve_definitions(id, info.held))


async def enable(terminal: Terminal, engine: Engine, id: str) -> int:
    """Switch a server on; one that was never agreed to waits for that."""
    only_by_a_person(True)
    return _told(terminal, await engine.mcp.enable(id))


async def disable(terminal: Terminal, engine: Engine, id: str) -> int:
    """Switch a server off."""
    return _told(terminal, await engine.mcp.disable(id))


async def restart(terminal: Terminal, engine: Engine, id: str) -> int:
    """Start a server anew."""
    return _told(terminal, await engine.mcp.restart(id))


async def logout(terminal: Terminal, engine: Engine, id: str) -> int:
    """Forget the sign-in of a server."""
    info = await engine.mcp.sign_out(id)
    if terminal.json_wanted:
        terminal.json({"ok": True, "server": info})
    else:
        terminal.note(_("Signed out. What was kept here is deleted."), "good")
    return exits.DONE


async def login(terminal: Terminal, engine: Engine, id: str, in_file: bool) -> int:
    """Open the server's page in the browser and wait until the person has signed in there."""
    only_by_a_person(True)
    opening: list[Awaitable[bool]] = []

    def hear(event: Event) -> None:
        if isinstance(event, SignInAsked):
            import webbrowser

            terminal.note(_("Sign in here, in your browser:"), "strong")
            terminal.note(one_line(event.url), "plain")
            if attended(terminal):
                opening.append(asyncio.ensure_future(asyncio.to_thread(webbrowser.open, event.url)))

    end = engine.subscribe(hear)
    try:
        info = await engine.mcp.sign_in(id, file_consent=in_file)
    finally:
        end()
        await asyncio.gather(*opening, return_exceptions=True)
    return _told(terminal, info, tools=True)
