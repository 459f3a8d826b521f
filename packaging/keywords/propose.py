"""Propose aliases for a tool from its own words, and show what they would change; nothing is written.

A person reviews them: takes what people would say into `resources/aliases/TOOL.toml` and writes the other
languages by hand.
"""

from __future__ import annotations

import difflib
import re
import sys
import tomllib
from collections.abc import Iterator

from app.toolbox.discovery.data import RESOURCES, planned
from app.toolbox.discovery.entries import Entry
from app.toolbox.discovery.text import stems
from app.toolbox.registry import load_registry

_VERBS = (
    ("show", "list", "display", "tell me"),
    ("create", "make", "add", "new"),
    ("delete", "remove", "get rid of"),
    ("change", "edit", "modify", "set"),
    ("find", "search", "look for", "where is"),
    ("get", "fetch", "read", "give me"),
    ("stop", "end", "terminate", "close"),
    ("save", "store", "keep"),
    ("run", "start", "launch", "execute"),
)
_MOST = 24


def propose(name: str) -> int:
    """Print a difference to the file of the tool; 2 when there is no such tool."""
    entry = next((one for one in _all() if one.name == name), None)
    if entry is None:
        print(f"There is no tool named {name}.", file=sys.stderr)
        return 2
    path = RESOURCES / "aliases" / f"{name}.toml"
    there = tomllib.loads(path.read_text("utf-8"))["en"]["aliases"] if path.is_file() else []
    spoken = {" ".join(stems(text)) for text in there}
    fresh = [text for text in dict.fromkeys(proposals(entry)) if " ".join(stems(text)) not in spoken][:_MOST]
    change = difflib.unified_diff(there, [*there, *fresh], f"{name}.toml", "proposed", lineterm="", n=2)
    print("\n".join(change))
    return 0


def proposals(entry: Entry) -> Iterator[str]:
    """Yield short texts: the examples, the clauses of the description, each with its verb said otherwise."""
    yield from entry.examples
    yield entry.name.replace("_", " ")
    for clause in re.split(r"[.;,:()]| or | and ", entry.description.lower()):
        plain = re.sub(r"\b(a|an|the|its?|with|of)\b", " ", clause)
        found = " ".join(plain.split())
        if not found:
            continue
        yield found
        verb, _, rest = found.partition(" ")
        for group in _VERBS:
            if verb in group and rest:
                yield from (f"{other} {rest}" for other in group if other != verb)
    for parameter in entry.parameters:
        yield f"{entry.name.split('_')[-1]} by {parameter.replace('_', ' ')}"


def _all() -> Iterator[Entry]:
    for tool in load_registry().tools.values():
        yield Entry(
            name=tool.name,
            category=tool.category,
            description=tool.summary,
            parameters=tuple(tool.schema.parameters.get("properties", {})),
            examples=(*tool.spec.keywords, *tool.spec.examples),
        )
    yield from planned()
