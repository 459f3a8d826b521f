"""Tools of servers that are not there, from a JSON list in a file: to measure what so many would cost.

They stand in the registry of this process like those of real servers, under the same names; a call of one
says that nobody is behind it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from app.errors import BrambleError
from app.record import Record
from app.tool_records import FixtureFault
from app.toolbox.foreign import ForeignTool
from app.toolbox.here import Here
from app.toolbox.mcp.definitions import TOOLS_CAP, Definition, definition_of, names, prefix, told
from app.toolbox.registry import Registry
from tools import ToolResult

FILE_CAP = 64 << 20
"""Bytes of a file that are read."""


class Fixture(Record):
    """The tools of each source, and what was wrong with entries."""

    tools: Mapping[str, tuple[ForeignTool, ...]]
    faults: tuple[FixtureFault, ...]


def load(path: Path) -> Fixture:
    """Return the tools of a file. Raises BrambleError bad_fixture for one that is no JSON list."""
    try:
        with path.open("rb") as file:
            data = file.read(FILE_CAP + 1)
        if len(data) > FILE_CAP:
            raise ValueError(f"it is larger than {FILE_CAP >> 20} MB")
        rows = json.loads(data)
        if not isinstance(rows, list):
            raise ValueError("it holds one value that is no list")
    except (OSError, ValueError, RecursionError) as error:
        why = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise BrambleError("bad_fixture", f"{path}: {why}", detail=why, path=str(path)) from error
    return fixture_of(rows)


def fixture_of(rows: Iterable[Any]) -> Fixture:
    """Return the tools of these entries; each bad one is left out and named, and spoils no other."""
    servers: dict[str, dict[str, tuple[int, Definition]]] = {}
    faults: list[FixtureFault] = []
    for number, row in enumerate(rows, 1):
        if fault := _fault(row, servers):
            faults.append(_named(number, row, fault))
            continue
        made = definition_of(row)
        servers.setdefault(row["server"], {})[made.tool] = (number, made)
        faults += [_named(number, row, note) for note in made.notes if note != "description_cut"]
    return Fixture(
        {f"mcp:{server}": _tools(server, found) for server, found in servers.items()}, tuple(faults)
    )


def put(registry: Registry, fixture: Fixture) -> tuple[FixtureFault, ...]:
    """Give a registry these tools; return all that was wrong, names that others have already too."""
    for source, found in fixture.tools.items():
        registry.put(source, found)
    taken = tuple(
        FixtureFault(entry=0, server=tool.source.removeprefix("mcp:"), name=tool.name, code="clash")
        for tool in registry.clashes
        if tool.source in fixture.tools
    )
    return (*fixture.faults, *taken)


def _fault(row: Any, servers: Mapping[str, Mapping[str, object]]) -> str:
    """Return why an entry is left out, "" for one that is taken."""
    if not isinstance(row, dict):
        return "no_object"
    server, name = row.get("server"), row.get("name")
    if not isinstance(server, str) or not server.strip():
        return "no_server"
    if not isinstance(name, str) or not name.strip():
        return "no_name"
    known = servers.get(server, {})
    if name in known:
        return "same_name"
    return "too_many" if len(known) >= TOOLS_CAP else ""


def _named(number: int, row: Any, code: str) -> FixtureFault:
    given = row if isinstance(row, dict) else {}
    return FixtureFault(
        entry=number,
        server=str(given.get("server", ""))[:80],
        name=str(given.get("name", ""))[:80],
        code=code,
    )


def _tools(server: str, found: Mapping[str, tuple[int, Definition]]) -> tuple[ForeignTool, ...]:
    ours = names(server, list(found))
    return tuple(
        ForeignTool(
            name=ours[tool],
            category=prefix(server),
            source=f"mcp:{server}",
            schema=told(definition, ours[tool]),
            call=_nobody,
        )
        for tool, (_, definition) in sorted(found.items())
    )


async def _nobody(here: Here, arguments: dict[str, Any]) -> ToolResult:
    return ToolResult(
        "This tool comes from a file for measuring (--mcp-fixture); there is no server behind it.",
        summary="no server behind it",
        ok=False,
    )
