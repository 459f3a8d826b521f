"""What stands in the folder, held against what was trusted: the state of each tool, and those to offer."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from app.models.request import ToolSchema
from app.own_tool_records import OwnToolInfo, Problem, State
from app.platform.plain_text import visible
from app.toolbox.foreign import Call, ForeignTool
from app.toolbox.own.folder import OwnFile
from app.toolbox.own.trust import Trust, Trusted

SOURCE = "own"
"""Of the registry, and the category of these tools."""


@dataclass(frozen=True)
class Entry:
    """One file, how it stands, and what was trusted of it, None where that is not this content."""

    file: OwnFile
    info: OwnToolInfo
    trusted: Trusted | None


def entries(files: Collection[OwnFile], trust: Trust, taken: Collection[str]) -> tuple[Entry, ...]:
    """Return the files as they stand; `taken` are the names of all other tools."""
    return tuple(_entry(file, trust, taken) for file in files)


def _entry(file: OwnFile, trust: Trust, taken: Collection[str]) -> Entry:
    found = file.outline
    problems = (*clash(file.name, taken), *found.problems)
    trusted = None if problems else trust.of(file.name, file.hash)
    info = OwnToolInfo(
        name=visible(file.name),
        path=visible(file.path),
        state=_state(file, trust, bool(problems)),
        hash=file.hash,
        summary=visible(found.summary),
        verb=visible(found.verb),
        reads=found.reads,
        size=file.size,
        problems=problems,
    )
    return Entry(file, info, trusted)


def clash(name: str, taken: Collection[str]) -> tuple[Problem, ...]:
    """Return the fault of a name that another tool has."""
    words = f"Bramble has a tool named {name} already; choose another name for the file and the function."
    return (Problem(line=0, message=words),) if name in taken else ()


def _state(file: OwnFile, trust: Trust, broken: bool) -> State:
    if broken:
        return "broken"
    if trust.of(file.name, file.hash) is None:
        return "changed" if trust.last(file.name) else "waiting"
    return "off" if file.name in trust.off else "on"


def tool_of(entry: Entry, call: Callable[[Entry], Call]) -> ForeignTool:
    """Return the tool that the registry gets."""
    assert entry.trusted is not None
    said, name = entry.trusted.described, entry.file.name
    return ForeignTool(
        name=name,
        category=SOURCE,
        source=SOURCE,
        schema=ToolSchema(name=name, description=said.description, parameters=said.parameters),
        call=call(entry),
        verb=said.verb,
        main=said.main,
        reading=said.reads,
        examples=said.examples,
    )
