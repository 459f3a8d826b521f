"""The tree of commands: each stands in a module of its own that is loaded only when it is named."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])

MODULES = {
    "ask": "ask",
    "chat": "chat",
    "sessions": "sessions",
    "approvals": "approvals",
    "undo": "undo",
    "tools": "tools",
    "skills": "skills",
    "instructions": "instructions",
    "memory": "memory",
    "mcp": "mcp",
    "permissions": "permissions",
    "context": "context",
    "models": "models",
    "login": "sign_in",
    "logout": "sign_in",
    "doctor": "doctor",
    "backup": "copies",
    "restore": "copies",
}
"""Command to module in this folder, in the order of help; the module's function has the command's name."""


class Commands(click.Group):
    """A group that imports a command when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(MODULES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in MODULES:
            return None
        module = importlib.import_module(f"ui.terminal.{MODULES[cmd_name]}")
        command: click.Command = getattr(module, cmd_name)
        return command


def root() -> click.Group:
    """Return `bramble` itself."""
    return Commands(
        "bramble",
        help="Bramble acts on your computer, shows every change first, and can take it back."
        " Without a command it opens its window.",
        context_settings={"help_option_names": ["-h", "--help"]},
        no_args_is_help=True,
    )


def _wants_json(context: click.Context, parameter: click.Parameter, value: bool) -> None:
    context.obj.json_wanted = context.obj.json_wanted or value


def json_option(function: F) -> F:
    """Add --json: one JSON value on stdout and nothing else there, also on failure."""
    return click.option(
        "--json", is_flag=True, expose_value=False, is_eager=True, callback=_wants_json,
        help="Print one JSON value on stdout and nothing else.",
    )(function)  # fmt: skip


def rights_options(function: F) -> F:
    """Add what widens or narrows the rights of one run: --yes, --allow, --deny."""
    for option in (
        click.option(
            "--deny",
            multiple=True,
            metavar="RULE",
            help="Refuse what the rule names, such as 'run_command(git *)'.",
        ),
        click.option(
            "--allow",
            multiple=True,
            metavar="RULE",
            help="Allow what the rule names, such as 'write_file(notes/**)'.",
        ),
        click.option("--yes", is_flag=True, help="Allow everything but what is always asked."),
    ):
        function = option(function)
    return function


cwd_option = click.option(
    "--cwd", metavar="DIR", default=None, help="The folder to work in; the current one otherwise."
)

private_option = click.option(
    "--private", is_flag=True, help="A conversation without memory: it reads none and leaves none."
)

fixture_option = click.option(
    "--mcp-fixture",
    "fixture",
    metavar="FILE",
    default="",
    help="Add the tools of a JSON list of server, name, description, inputSchema, for measuring.",
)
