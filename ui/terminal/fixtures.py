"""`--mcp-fixture FILE`: tools of servers that are not there, for one command."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ui.context_words import fault_text
from ui.terminal.clean import clean
from ui.terminal.output import Terminal
from ui.words import _

if TYPE_CHECKING:
    from app.engine import Engine

_SHOWN = 20
"""Faults that are told one by one."""


async def add_fixture(terminal: Terminal, engine: Engine, path: str) -> None:
    """Take the tools of a file where one is named, and say what was wrong with its entries.

    Raises BrambleError bad_fixture.
    """
    faults = await engine.add_fixture(path) if path else ()
    for fault in faults[:_SHOWN]:
        terminal.note(clean(fault_text(fault)), "caution")
    if (more := len(faults) - _SHOWN) > 0:
        terminal.note(_("{n} more entries are at fault.").replace("{n}", str(more)), "caution")
