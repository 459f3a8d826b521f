"""Add an MCP server at the terminal: show its exact command or address, ask, and say what came of it."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import click

from app.mcp_offers import Field, Offer, Way
from ui.server_words import fault_text, offer_text, sent_text, why_not_text
from ui.terminal import exits
from ui.terminal.clean import clean, one_line, visible
from ui.terminal.confirming import confirmed
from ui.terminal.server_lists import told
from ui.terminal.session import Trouble, attended, only_by_a_person, stdin_text
from ui.words import _, as_called

if TYPE_CHECKING:
    from app.engine import Engine
    from app.records import ServerInfo
    from ui.terminal.output import Terminal


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


async def add(terminal: Terminal, engine: Engine, wanted: Wanted) -> int:
    """Show the exact command, ask, and add the server."""
    only_by_a_person(True)
    await engine.mcp_registry.check(wanted.id, wanted.command, wanted.url)
    given = {**wanted.given, **_secrets(terminal, wanted.secret)}
    lines = [shlex.join(wanted.command) if wanted.command else wanted.url]
    hidden = {*wanted.secret, *(given if wanted.url else ())}
    lines += [f"+ {name}" if name in hidden else f"+ {name}={value}" for name, value in given.items()]
    if not await agreed(terminal, wanted.id, lines, url=wanted.url, yes=wanted.yes):
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
    return _added(terminal, info)


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
        listed = "\n".join(f"{key}: {fault_text(code)}" for key, code in wrong.items())
        raise click.UsageError(clean(listed))
    made = market.preview(offer, way, values, wanted.id)
    lines = [*map(shlex.join, made.steps), shlex.join(made.command) if made.command else made.url]
    lines += [f"+ {name}={value}" for name, value in {**made.env, **made.headers}.items()]
    lines += [f"+ {name}" for name in (*made.secret_env, *made.secret_headers)]
    title = f"{made.id} ({made.origin})"
    if not await agreed(terminal, title, lines, url="" if made.command else made.url, yes=wanted.yes):
        return exits.NO_APPROVAL
    info = await market.install(
        offer,
        way,
        values,
        id=wanted.id,
        file_consent=wanted.in_file,
        progress=lambda text: terminal.note(one_line(text)),
    )
    return _added(terminal, info)


def _added(terminal: Terminal, info: ServerInfo) -> int:
    """Say what became of a new server, and that it stays where it did not start."""
    told(terminal, info, tools=True)
    if info.state == "failed" and not terminal.json_wanted:
        name = shlex.quote(info.id)
        terminal.note(_("It is added all the same. To try it again, or to take it out:"))
        terminal.note(one_line(as_called(f"  bramble mcp test {name}")))
        terminal.note(one_line(as_called(f"  bramble mcp remove {name}")))
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


async def agreed(terminal: Terminal, title: str, lines: Sequence[str], *, url: str, yes: bool) -> bool:
    """Show what would be started or reached, word for word, and ask; `url` is "" where a program is started.

    Raises Trouble where nobody answers.
    """
    terminal.note(one_line(title), "strong")
    for line in lines:
        terminal.note("  │ " + visible(line, lines=False), "plain")
    started = _("It runs outside of the sandbox, with your rights, whenever Bramble does.")
    terminal.note(sent_text(url) if url else started, "caution")
    return yes or await confirmed(terminal, _("Agree to just this? y agrees, anything else leaves it."))
