"""`tools find`: one query, or one a line from stdin, ranked over our tools or over another catalogue."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from app.records import FoundTool
from ui.terminal import exits
from ui.terminal.clean import clean
from ui.terminal.explaining import LINE_CAP, lines_in
from ui.terminal.output import Terminal, as_json
from ui.terminal.table import write_table
from ui.words import _

Find = Callable[[str], Sequence[FoundTool]]


def read_catalogue(path: str) -> list[dict[str, Any]]:
    """Return the tools of a file. Raises UsageError for a file that is no list of them."""
    try:
        rows = json.loads(Path(path).expanduser().read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        raise click.UsageError(_("The catalogue could not be read: {reason}").format(reason=error)) from error
    found = rows["tools"] if isinstance(rows, dict) and "tools" in rows else rows
    if not isinstance(found, list) or not all(
        isinstance(row, dict) and isinstance(row.get("name"), str) and row["name"] for row in found
    ):
        raise click.UsageError(_("The catalogue must be a JSON list of tools, each with a name."))
    return found


def show(terminal: Terminal, found: Sequence[FoundTool], *, explain: bool) -> int:
    """Print one ranking; that nothing fits is an answer too."""
    if terminal.json_wanted:
        terminal.json({"tools": [_form(hit) for hit in found]})
        return exits.DONE
    if not found:
        terminal.note(_("No tool fits this."))
        return exits.DONE
    found = sorted(found, key=lambda hit: hit.planned)  # what is not there yet stands last, in its order
    rows = [[hit.name, f"{hit.score:.2f}", _("planned") if hit.planned else ""] for hit in found]
    write_table(terminal.out, rows, [_("name"), _("score"), ""])
    if planned := sum(hit.planned for hit in found):
        words = _("No tool that is there fits. What is planned is not built yet, so no model gets it.")
        others = _("What is planned is not built yet, so no model gets it.")
        terminal.note(words if planned == len(found) else others)
    if explain:
        for hit in found:
            terminal.out.line("")
            terminal.out.line(hit.name)
            for line in hit.why:
                terminal.out.line("  " + clean(line))
    return exits.DONE


def _form(hit: FoundTool) -> dict[str, Any]:
    return {"name": hit.name, "score": hit.score, "why": list(hit.why), "planned": hit.planned}


async def answer_queries(find: Find, terminal: Terminal, *, explain: bool) -> int:
    """Answer every line until the input ends, flushed one by one; a line that is no query finds nothing."""
    lines = lines_in()
    while (line := await asyncio.to_thread(next, lines, None)) is not None and not terminal.out.gone:
        terminal.out.write(as_json(_answer(find, line, explain)) + "\n")
    return exits.DONE


def _answer(find: Find, line: bytes, explain: bool) -> dict[str, Any]:
    try:
        if len(line) > LINE_CAP:
            raise ValueError("the line is too long")
        asked = json.loads(line)
        query = asked["query"] if isinstance(asked, dict) else asked
        if not isinstance(query, str):
            raise ValueError("query must be a text")
    except (ValueError, KeyError, RecursionError) as error:
        missing = isinstance(error, KeyError)
        return {"tools": [], "error": "each line needs a query" if missing else str(error)}
    found = find(query)
    answer: dict[str, Any] = {"tools": [hit.name for hit in found]}
    if explain:
        answer["why"] = {hit.name: list(hit.why) for hit in found}
    return answer
