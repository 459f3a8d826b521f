"""Tools from a file stand in the registry like those of servers; what is wrong with a file is named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from app.errors import BrambleError
from app.toolbox.mcp.fixture import fixture_of, load, put
from app.toolbox.registry import load_registry


def row(server: str, name: str, **fields: Any) -> dict[str, Any]:
    return {"server": server, "name": name, "description": "Do it.", "inputSchema": {}, **fields}


def codes(rows: list[Any]) -> list[tuple[int, str]]:
    return [(fault.entry, fault.code) for fault in put(load_registry(), fixture_of(rows))]


def test_names_are_mapped_like_those_of_servers() -> None:
    registry = load_registry()
    odd = ["a.b", "a b", "a_b", "x" * 90, "ünï"]
    assert put(registry, fixture_of(row("my server", name) for name in odd)) == ()
    names = [tool.name for tool in registry.of("mcp:my server")]
    assert len(set(names)) == 5 and all(len(name) <= 64 and name.isascii() for name in names)
    assert all(name in registry.tools and name.startswith("my_server") for name in names)


def test_bad_entries_are_named_and_left_out() -> None:
    rows = [1, row("", "a"), row("s", ""), row("s", "a"), row("s", "a"), {"name": "b"}, row("s", "b")]
    wrong = [(1, "no_object"), (2, "no_server"), (3, "no_name"), (5, "same_name"), (6, "no_server")]
    assert codes(rows) == wrong
    registry = load_registry()
    put(registry, fixture_of(rows))
    assert [tool.name for tool in registry.of("mcp:s")] == ["s__a", "s__b"]


def test_broken_schemas_spoil_nothing() -> None:
    deep: dict[str, Any] = {}
    for _ in range(200):
        deep = {"type": "object", "properties": {"a": deep}}
    circle = {"type": "object", "properties": {"a": {"$ref": "#"}}}
    large = {"type": "object", "properties": {f"p{n}": {"description": "x" * 200} for n in range(300)}}
    rows = [
        row("s", "list", inputSchema=[]),
        row("s", "deep", inputSchema=deep),
        row("s", "circle", inputSchema=circle),
        row("s", "large", inputSchema=large),
        row("s", "none", inputSchema=None, description=None),
    ]
    assert codes(rows) == [(1, "schema_broken"), (2, "schema_broken"), (4, "schema_large")]


def test_five_hundred_tools() -> None:
    registry = load_registry()
    before = len(registry.tools)
    assert put(registry, fixture_of(row("big", f"tool {n}") for n in range(500))) == ()
    assert len(registry.tools) == before + 500


@pytest.mark.parametrize("text", ["", "{", "{}", '"x"', "[" * 100_000, "\udcff"])
def test_a_bad_file_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "f.json"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(BrambleError) as refused:
        load(path)
    assert refused.value.code == "bad_fixture" and refused.value.problem.fields["path"] == str(path)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BrambleError):
        load(tmp_path / "none.json")
    (tmp_path / "one.json").write_text(json.dumps([row("s", "a")]))
    assert list(load(tmp_path / "one.json").tools) == ["mcp:s"]
