"""`bramble mcp`: servers of the Model Context Protocol: list, add, try, switch, sign in, search for one."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

import click

from ui.terminal.commands import json_option
from ui.terminal.output import Terminal
from ui.terminal.session import run
from ui.words import _

if TYPE_CHECKING:
    from app.engine import Engine

_NO_SERVER = {"ok": False, "server": None}
_YES = "Agree to the exact command without being asked."
_FILE = "Agree to keep secrets in a file that only you can read, where no keyring answers."


@click.group()
def mcp() -> None:
    """Add and look after MCP servers, which bring more tools."""


def _pairs(texts: tuple[str, ...], between: str, option: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for text in texts:
        name, mark, value = text.partition(between)
        if not mark or not name.strip():
            example = "NAME=VALUE" if between == "=" else "NAME: VALUE"
            raise click.UsageError(
                _("{option} takes {form}.").replace("{option}", option).replace("{form}", example)
            )
        found[name.strip()] = value if between == "=" else value.strip()
    return found


@mcp.command("list")
@json_option
@click.pass_obj
def list_servers(terminal: Terminal) -> int:
    """List all servers. None is started for it."""
    from ui.terminal import server_lists

    return run(terminal, lambda engine: server_lists.show_list(terminal, engine))


@mcp.command(short_help="Add a server by its command or address.")
@click.argument("id")
@click.argument("command", nargs=-1, metavar="[-- COMMAND...]")
@click.option("--url", metavar="URL", default="", help="The address of a server on the web.")
@click.option("--env", multiple=True, metavar="NAME=VALUE", help="A variable that the program is given.")
@click.option(
    "--header", multiple=True, metavar="'NAME: VALUE'", help="A header of requests; kept with your keys."
)
@click.option(
    "--secret",
    multiple=True,
    metavar="NAME",
    help="A variable or header whose value is asked for or read from stdin.",
)
@click.option("--yes", is_flag=True, help=_YES)
@click.option("--file", "in_file", is_flag=True, help=_FILE)
@json_option
@click.pass_obj
def add(
    terminal: Terminal, id: str, command: tuple[str, ...], url: str, env: tuple[str, ...],
    header: tuple[str, ...], secret: tuple[str, ...], yes: bool, in_file: bool,
) -> int:  # fmt: skip
    """Add a server: `add ID -- COMMAND...` starts a program, `add ID --url URL` reaches an address.

    The program is started as it is written, without a shell, once you have agreed to it.
    """
    from ui.terminal import server_adding

    if bool(command) == bool(url):
        raise click.UsageError(_("Give a command after --, or --url, and not both."))
    if (url and env) or (command and header):
        raise click.UsageError(_("--env goes with a command, --header with --url."))
    given = _pairs(header, ":", "--header") if url else _pairs(env, "=", "--env")
    wanted = server_adding.Wanted(id, command, url, given, secret, yes, in_file)
    return run(terminal, lambda engine: server_adding.add(terminal, engine, wanted), _NO_SERVER)


@mcp.command()
@click.argument("query", nargs=-1, required=True)
@click.option("--limit", type=click.IntRange(1, 50), default=10, help="How many at most.")
@json_option
@click.pass_obj
def search(terminal: Terminal, query: tuple[str, ...], limit: int) -> int:
    """Search the official registry of servers.

    Another one is asked where BRAMBLE_MCP_REGISTRY names it.
    """
    from ui.terminal import server_lists

    if not " ".join(query).strip():
        raise click.UsageError(_("Say in a few words what the server is for."))
    return run(
        terminal,
        lambda engine: server_lists.search(terminal, engine, " ".join(query), limit),
        {"servers": []},
    )


@mcp.command(short_help="Install a server of the registry.")
@click.argument("name")
@click.option("--id", "id_", default="", help="Its name here.")
@click.option("--version", default="latest", help="An exact version; the newest otherwise.")
@click.option("--way", default="", help="One of the ways that `mcp search --json` names.")
@click.option(
    "--set", "values", multiple=True, metavar="KEY=VALUE", help="A value that it takes; may be repeated."
)
@click.option("--yes", is_flag=True, help=_YES)
@click.option("--file", "in_file", is_flag=True, help=_FILE)
@json_option
@click.pass_obj
def install(
    terminal: Terminal, name: str, id_: str, version: str, way: str, values: tuple[str, ...], yes: bool,
    in_file: bool,
) -> int:  # fmt: skip
    """Install a server of the registry in one exact version. Secrets that it needs are asked for."""
    from ui.terminal import server_adding

    wanted = server_adding.Chosen(name, version, way, _pairs(values, "=", "--set"), id_, yes, in_file)
    return run(terminal, lambda engine: server_adding.install(terminal, engine, wanted), _NO_SERVER)


@mcp.command()
@click.argument("id")
@click.option("--tools", "definitions", is_flag=True, help="Agree to tools that changed, not to the command.")
@click.option("--yes", is_flag=True, help=_YES)
@json_option
@click.pass_obj
def approve(terminal: Terminal, id: str, definitions: bool, yes: bool) -> int:
    """Agree to the exact command of a server, or to its tools."""
    from ui.terminal import servers

    deed = servers.approve_tools if definitions else servers.approve
    return run(terminal, lambda engine: deed(terminal, engine, id, yes), _NO_SERVER)


def _plain(name: str, words: str) -> None:
    """Make a command that takes a server alone."""

    @click.argument("id")
    @json_option
    @click.pass_obj
    def act(terminal: Terminal, id: str) -> int:
        from ui.terminal import server_lists, servers

        place = server_lists if name in ("logs", "test") else servers
        deed: Callable[[Terminal, Engine, str], Awaitable[int]] = getattr(place, name)
        form = {"ok": False, "id": id} if name == "remove" else _NO_SERVER
        return run(terminal, lambda engine: deed(terminal, engine, id), form)

    mcp.command(name, help=words)(act)


_plain("remove", "Remove a server, with its secrets and its sign-in.")
_plain("test", "Start a server and list its tools.")
_plain("enable", "Switch a server on.")
_plain("disable", "Switch a server off; it ends.")
_plain("restart", "End a server and start it anew.")
_plain("logout", "Forget the sign-in of a server.")
_plain("logs", "Show the end of what a server's program writes, started for it.")


@mcp.command()
@click.argument("id")
@click.option("--file", "in_file", is_flag=True, help=_FILE)
@json_option
@click.pass_obj
def login(terminal: Terminal, id: str, in_file: bool) -> int:
    """Sign in to a server on the web, in your browser."""
    from ui.terminal import servers

    return run(terminal, lambda engine: servers.login(terminal, engine, id, in_file), _NO_SERVER)
