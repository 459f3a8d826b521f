"""`bramble tools misses`: what was searched for in vain, and how often tools were found and called."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

from ui.amounts import ago
from ui.context_words import searches_text
from ui.terminal import exits
from ui.terminal.clean import clean, visible
from ui.terminal.output import Terminal
from ui.terminal.table import write_table
from ui.words import _

if TYPE_CHECKING:
    from app.engine import Engine


async def show(engine: Engine, terminal: Terminal) -> int:
    """Write the misses, the newest first, and what became of all searches."""
    counts, missed = await engine.lookups.counts(), await engine.lookups.misses()
    if terminal.json_wanted:
        terminal.json(
            {
                "searched": counts.searched,
                "missed": counts.missed,
                "tools": list(counts.tools),
                "misses": list(missed),
            }
        )
        return exits.DONE
    now = time.time()
    if missed:
        rows = [[str(one.times), ago(one.last, now), _seen(one.query)] for one in missed]
        write_table(terminal.out, rows, [_("times"), _("last"), _("searched for")])
    terminal.note(searches_text(counts))
    return exits.DONE


async def clear(engine: Engine, terminal: Terminal) -> int:
    """Forget all of it."""
    await engine.lookups.clear()
    if terminal.json_wanted:
        terminal.json({"ok": True})
    else:
        terminal.note(_("All counts and misses are forgotten."))
    return exits.DONE


def _seen(query: str) -> str:
    """Return the words of a model with what nobody sees as an escape; joiners of writing and emoji stay."""
    parts = re.split("([\u200c\u200d])", clean(query))
    return "".join(part if part in ("\u200c", "\u200d") else visible(part, lines=False) for part in parts)
