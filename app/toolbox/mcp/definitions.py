"""What a server says of its tools, made fit for models and held against what the person agreed to. Pure.

Nothing of it is believed: names are mapped, texts are cut and shown with what hides in them, a schema that
cannot be used is left out, and what a tool says of its effects is a hint for the eye.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from app.models.request import ToolSchema
from app.platform.plain_text import visible
from app.record import Record
from app.records import HeldTool, ServerTool
from app.toolbox.mcp.shaping import cut, usable

NAME_CAP = 64
"""Characters of a name that every provider takes."""
DESCRIPTION_CAP = 1_000
"""Characters of a tool's description."""
TOOLS_CAP, TOOL_NAME_CAP = 2_000, 256
"""Tools of one server that are taken; a longer list is no list for anybody. Characters of its own name of one
(the protocol asks for at most 128): each is kept in the file of servers.
"""
_TAIL = 6
_OTHER = re.compile(r"[^A-Za-z0-9_-]")


class Definition(Record, kw_only=True):
    """One tool as its server defines it."""

    tool: str
    """The server's own name of it."""
    title: str = ""
    description: str = ""
    """As it came; see `told`."""
    schema: dict[str, Any]
    """Of type object, always usable."""
    says: Literal["", "reads", "destroys"] = ""
    text: str
    """All of the definition as indented JSON with sorted keys."""
    digest: str
    """The print of that text."""
    notes: tuple[str, ...] = ()
    """See ServerTool.notes."""


def read_definitions(raw: Iterable[Mapping[str, Any]]) -> tuple[Definition, ...]:
    """Return the definitions by name; of several with one name the first counts, one bad one spoils none."""
    found: dict[str, Definition] = {}
    for one in raw:
        made = definition_of(one)
        if made.tool not in found and len(made.tool) <= TOOL_NAME_CAP and len(found) < TOOLS_CAP:
            found[made.tool] = made
    return tuple(found[name] for name in sorted(found))


def definition_of(raw: Mapping[str, Any]) -> Definition:
    """Return one definition from the object of the protocol (`name`, `inputSchema`, ...)."""
    hints = raw.get("annotations")
    hints = hints if isinstance(hints, dict) else {}
    name, title = str(raw.get("name", "")), _line(raw.get("title") or hints.get("title"))
    words, parameters = _string(raw.get("description")), raw.get("inputSchema")
    told = {"name": name, "title": title, "description": words, "annotations": hints}
    text = as_text({**told, "inputSchema": parameters})
    schema, notes = usable(parameters)
    if len(words) > DESCRIPTION_CAP:
        notes = (*notes, "description_cut")
    return Definition(
        tool=name,
        title=title,
        description=words,
        schema=schema,
        says=_says(hints),
        text=text,
        digest=digest(text),
        notes=notes,
    )


def as_text(definition: Mapping[str, Any]) -> str:
    """Return a definition as a person compares it."""
    try:
        return json.dumps(definition, indent=2, sort_keys=True, ensure_ascii=False)
    except RecursionError:  # it is nested deeper than anybody reads
        return repr({**definition, "inputSchema": "nested too deeply"})


def digest(text: str) -> str:
    """Return the print of a definition's text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _says(hints: Mapping[str, Any]) -> Literal["", "reads", "destroys"]:
    if hints.get("readOnlyHint") is True:
        return "reads"
    return "destroys" if hints.get("destructiveHint") is True else ""


def _string(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _line(value: Any) -> str:
    return " ".join(visible(_string(value)).split())[:80]


# --- names -------------------------------------------------------------------------------------------------


def prefix(server: str) -> str:
    """Return how the names of a server's tools begin; two ids that look alike get two prefixes. It holds no
    `__`, so that a name belongs to one server alone, and a rule for it to no other.
    """
    plain = re.sub("__+", "_", _OTHER.sub("_", server)).strip("_-")[:20].rstrip("_") or "server"
    plain = plain if plain[0].isalpha() else f"s{plain}"
    return plain if plain == server else f"{plain[: 20 - _TAIL - 1].rstrip('_')}_{_tail(server)}"


def names(server: str, tools: Sequence[str]) -> dict[str, str]:
    """Return tool -> our name of it, `PREFIX__TOOL` of letters, digits, _ and - with at most 64 characters.

    A name that had to be shortened, or that others would share, ends in a print of the server's own name;
    of those that share one, the tool that is called just so keeps it.
    """
    first = prefix(server)
    plain = {tool: f"{first}__{_OTHER.sub('_', tool) or 'tool'}" for tool in tools}
    shared = Counter(plain.values())

    def name_of(tool: str) -> str:
        name = plain[tool]
        own = name == f"{first}__{tool}"
        if len(name) <= NAME_CAP and (own or shared[name] == 1):
            return name
        return f"{name[: NAME_CAP - _TAIL - 1]}_{_tail(tool)}"

    return {tool: name_of(tool) for tool in plain}


def _tail(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_TAIL]


# --- what the person agreed to -----------------------------------------------------------------------------


class Agreed(Record, kw_only=True):
    """The tools of a server that may be called now, and those that are held back."""

    tools: tuple[Definition, ...]
    held: tuple[HeldTool, ...]


def agreed(found: Sequence[Definition], pinned: Mapping[str, str] | None, texts: Mapping[str, str]) -> Agreed:
    """Hold definitions against the prints that the person agreed to; None: all of them, as they are now.

    `texts` are the definitions as they were; one that does not fit its print counts for nothing. A tool that
    is new since then is held back like one that changed: it was never agreed to.
    """
    if pinned is None:
        return Agreed(tools=tuple(found), held=())
    same = tuple(one for one in found if pinned.get(one.tool) == one.digest)
    held = tuple(
        HeldTool(tool=one.tool, old=_old(texts.get(one.tool, ""), pinned.get(one.tool, "")), new=one.text)
        for one in found
        if pinned.get(one.tool) != one.digest
    )
    return Agreed(tools=same, held=held)


def _old(text: str, print: str) -> str:
    return text if text and digest(text) == print else ""


# --- what a model and a person are told --------------------------------------------------------------------


def told(definition: Definition, name: str) -> ToolSchema:
    """Return the tool as a model is told of it."""
    words = cut(" ".join(visible(definition.description).split()), DESCRIPTION_CAP)
    return ToolSchema(
        name=name, description=words or definition.title or definition.tool, parameters=definition.schema
    )


def shown(definition: Definition, name: str, server: str) -> ServerTool:
    """Return the tool as a person sees it."""
    plain = name == f"{prefix(server)}__{definition.tool}"
    return ServerTool(
        name=name,
        tool=definition.tool,
        title=definition.title,
        description=cut(visible(definition.description), DESCRIPTION_CAP),
        says=definition.says,
        notes=definition.notes if plain else (*definition.notes, "name_changed"),
    )
