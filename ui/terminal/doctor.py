"""`bramble doctor`: what works on this machine, and what to do about the rest."""

from __future__ import annotations

import asyncio
import contextlib

import click

from app.records import Check
from ui.terminal import exits
from ui.terminal.clean import clean
from ui.terminal.commands import json_option
from ui.terminal.output import Style, Terminal
from ui.terminal.session import keep_log
from ui.words import _, state_text, use_language

_MARKS: dict[str, tuple[str, Style]] = {
    "ok": ("✓", "good"),
    "warn": ("!", "caution"),
    "fail": ("✗", "danger"),
}


@click.command(short_help="Show what works here, and what to do about the rest.")
@json_option
@click.pass_obj
def doctor(terminal: Terminal) -> int:
    """Show what works on this machine, and what to do about the rest."""
    keep_log(terminal)
    checks = asyncio.run(_checks(terminal))
    if terminal.json_wanted:
        terminal.json({"checks": [form(check) for check in checks]})
    else:
        for check in checks:
            _write(terminal, check)
    return exits.FAILED if any(check.state == "fail" for check in checks) else exits.DONE


async def _checks(terminal: Terminal) -> tuple[Check, ...]:
    """Return the engine's own checks. It is not opened: what keeps it from that is a check too."""
    from app.engine import Engine
    from app.errors import SettingsError
    from app.platform.paths import home
    from app.settings import load

    ours = home(terminal.environ)
    with contextlib.suppress(SettingsError):  # that is one of the checks
        use_language(load(ours.settings).language, terminal.environ)
    return await Engine(ours, terminal.environ, kind="terminal").doctor()


def form(check: Check) -> dict[str, str]:
    """Return a check as the contract has it."""
    return {"name": check.name, "state": check.state, "detail": check.detail, "fix": check.fix}


def _write(terminal: Terminal, check: Check) -> None:
    out = terminal.out
    mark, style = _MARKS[check.state]
    out.line(
        f"{out.styled(mark if out.terminal else state_text(check.state) + ':', style)} {clean(check.name)}"
    )
    for text in (check.detail, check.fix):
        if text:
            out.line("  " + clean(_(text)))
