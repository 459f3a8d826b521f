"""What one tool does and takes, and what would have let a call of it run without a question."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from msgspec import structs

from app.records import TurnOptions
from ui.terminal.clean import one_line
from ui.terminal.output import Terminal
from ui.terminal.table import write_table
from ui.words import _, as_called, reason_text

if TYPE_CHECKING:
    from app.engine import Engine


def show(terminal: Terminal, engine: Engine, name: str) -> bool:
    """Show a tool that is known now; false where there is none of this name."""
    info = next((one for one in engine.tools() if one.name == name), None)
    schema = engine.tool_arguments(name)
    if info is None or schema is None:
        return False
    if terminal.json_wanted:
        terminal.json({**structs.asdict(info), "parameters": schema})
        return True
    out = terminal.out
    state = _("reads") if info.read_only else _("changes")
    out.line(f"{out.styled(one_line(info.name), 'strong')}: {one_line(info.category)}, {state}")
    out.line(one_line(info.summary))
    rows = [
        [argument, _("needed") if argument in schema.get("required", ()) else "", kind_of(one),
         one_line(str(one.get("description", "")))]
        for argument, one in schema.get("properties", {}).items()
    ]  # fmt: skip
    if rows:
        write_table(out, rows, [_("argument"), "", _("kind"), _("what it is")])
    return True


def kind_of(schema: Mapping[str, Any]) -> str:
    """Return the kind of an argument: its values, or what JSON calls it."""
    if values := schema.get("enum"):
        return one_line(", ".join(map(str, values)))
    return one_line(str(schema.get("type", "")))


async def say_what_would_allow(
    terminal: Terminal, engine: Engine, call: tuple[str, str, str], options: TurnOptions
) -> None:
    """Say on stderr why a call (tool, arguments, folder) that nobody answered was asked about, and the rule
    that allows just it.
    """
    tool, arguments, folder = call
    asked = structs.replace(options, attended=True)
    found = await engine.explain(tool, arguments, cwd=folder, options=asked)
    terminal.note(_("Nobody was there to allow this, so it was not done."), "caution")
    if found.reason:
        why = _("It asks because {reason}.").replace("{reason}", reason_text(found.reason))
        terminal.note(one_line(why))
    offers = found.offers[0] if found.offers else ()
    words = _("Run it in a terminal to be asked.")
    if offers:
        given = " ".join(f"--allow {shlex.quote(one)}" for one in offers)
        words = _("Run it in a terminal to be asked, or allow just this: {options}").replace(
            "{options}", given
        )
    elif not options.yes:
        words = _("Run it in a terminal to be asked, or allow it with --yes.")
    terminal.note(one_line(as_called(words)))
