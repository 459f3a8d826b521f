"""Reads what the ranker needs from `resources/`: aliases, planned tools, negative rules, the trained layer.

Nothing is kept here; who asks keeps the ranker. All of it is read late, when the first tool is searched.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from msgspec import structs

from app.toolbox.discovery.entries import Entry, Rule
from app.toolbox.discovery.layer import Layer
from app.toolbox.discovery.ranker import Table
from app.toolbox.registry import Registry

RESOURCES = Path(__file__).resolve().parents[3] / "resources"
LANGUAGES = ("en", "de", "es", "fr", "hi", "pt")
NEVER_FOUND = frozenset({"find_tools", "use_tool", "load_skill", "delegate", "plan_steps", "ask_user"})
"""They lead to tools and skills, or serve the work itself: a model knows them by name (the catalogue lists
those that are not always there), and no person asks for them.
"""
_MAGIC = b"bramble layer 1\n"


def entries(registry: Registry) -> list[Entry]:
    """Return all tools that can be found, the planned ones marked. Their aliases are in the trained layer."""
    there = [
        Entry(
            name=tool.name,
            category=tool.category,
            description=tool.description,
            parameters=tuple(tool.schema.parameters.get("properties", {})),
            source=tool.source,
        )
        for tool in registry.tools.values()
        if tool.name not in NEVER_FOUND
    ]
    names = {entry.name for entry in there}
    return [*there, *(one for one in planned() if one.name not in names)]


def planned() -> list[Entry]:
    """Return the tools that are promised and do not exist yet."""
    rows = json.loads((RESOURCES / "discovery" / "planned.json").read_text("utf-8"))
    return [
        Entry(
            name=row["name"],
            category=row["category"],
            description=row["description"],
            parameters=tuple(row["parameters"]),
            planned=True,
        )
        for row in rows
    ]


def foreign(rows: Iterable[Mapping[str, Any]], registry: Registry | None = None) -> list[Entry]:
    """Return entries of another catalogue: `name`, `description`, `category` and, where the row has them,
    `parameters` as a JSON schema; no aliases.

    A row that is a tool of `registry` under its own name keeps what was learned for that. Raises ValueError
    for what is no such row.
    """
    ours = {entry.name: entry for entry in entries(registry)} if registry is not None else {}
    found = []
    for row in rows:
        if not isinstance(row, dict) or not isinstance(row.get("name"), str) or not row["name"]:
            raise ValueError("each tool of the catalogue needs a name")
        entry = Entry(
            name=row["name"],
            category=str(row.get("category") or ""),
            description=str(row.get("description") or ""),
            parameters=_properties(row.get("parameters") or row.get("inputSchema")),
            source="catalogue",
        )
        own = ours.get(entry.name)
        if own is not None and (own.description == entry.description or own.category == entry.category):
            entry = structs.replace(entry, source=own.source)
        found.append(entry)
    return found


def _properties(schema: object) -> tuple[str, ...]:
    properties = schema.get("properties") if isinstance(schema, dict) else None
    return tuple(map(str, properties)) if isinstance(properties, dict) else ()


def table() -> Table:
    """Return the trained layer and the negative rules."""
    return Table(layer=layer(), rules=rules())


def rules() -> tuple[Rule, ...]:
    """Return the negative rules."""
    read = tomllib.loads((RESOURCES / "discovery" / "collisions.toml").read_text("utf-8"))
    return tuple(
        Rule(
            tools=tuple(row["tools"]),
            when=row["when"],
            because=row["because"],
            unless=row.get("unless", ""),
            factor=row.get("factor", 0.0),
        )
        for row in read.get("rule", ())
    )


def layer(path: Path = RESOURCES / "discovery" / "layer.bin") -> Layer | None:
    """Return the trained layer, or None where none has been trained (its form: `packed`)."""
    if not path.is_file():
        return None
    raw = path.read_bytes()
    if not raw.startswith(_MAGIC):
        raise ValueError(f"{path.name} is no layer of this version")
    start = len(_MAGIC) + 4
    size = int.from_bytes(raw[len(_MAGIC) : start], "little")
    head = json.loads(raw[start : start + size])
    start += size
    names = raw[start : start + head["words"]].decode("utf-8").split("\n")
    start += head["words"]
    return Layer(
        columns=tuple(head["columns"]),
        bias=tuple(head["bias"]),
        scales=head["scales"],
        rows=raw[start : start + head["rows"]],
        meanings=raw[start + head["rows"] :],
        known={name: number for number, name in enumerate(names)},
        spoken=head["spoken"],
        inputs=head.get("inputs", ""),
    )


def packed(layer: Layer) -> bytes:
    """Return the file of a layer: a line, the size of its head, the head as JSON, words, rows, meanings."""
    names = "\n".join(layer.known).encode("utf-8")
    head = json.dumps(
        {
            "columns": layer.columns,
            "bias": [round(value, 4) for value in layer.bias],
            "scales": layer.scales,
            "words": len(names),
            "rows": len(layer.rows),
            "spoken": dict(layer.spoken),
            "inputs": layer.inputs,
        },
        ensure_ascii=False,
    ).encode("utf-8")
    return _MAGIC + len(head).to_bytes(4, "little") + head + names + layer.rows + layer.meanings
