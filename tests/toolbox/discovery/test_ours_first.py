"""A server whose tools do what ours do does not take their place: what ours do can be undone."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from app.models.request import ToolSchema
from app.toolbox.discovery import data
from app.toolbox.discovery.entries import Entry
from app.toolbox.discovery.ranker import Ranker
from app.toolbox.foreign import ForeignTool
from app.toolbox.here import Here
from app.toolbox.registry import Registry, load_registry
from tools import ToolResult

SERVER = {
    "read_text_file": "Read the complete contents of a file from the file system as text.",
    "read_media_file": "Read an image or audio file. Returns the base64 encoded data and MIME type.",
    "read_multiple_files": "Read the contents of multiple files simultaneously.",
    "create_directory": "Create a new directory or ensure a directory exists.",
    "directory_tree": "Get a recursive tree view of files and directories as a JSON structure.",
    "move_file": "Move or rename files and directories.",
    "get_file_info": "Retrieve detailed metadata about a file or directory.",
}


async def _answer(here: Here, arguments: dict[str, Any]) -> ToolResult:
    return ToolResult("found")


@pytest.fixture(scope="module")
def ranker() -> Ranker:
    registry = load_registry()
    schemas = [
        ToolSchema(name=f"fs__{name}", description=said, parameters={"type": "object", "properties": {}})
        for name, said in SERVER.items()
    ]
    registry.put("mcp:fs", [ForeignTool(one.name, "fs", "mcp:fs", one, _answer) for one in schemas])
    return Ranker(data.entries(registry), data.table())


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("move a file", "move_file"),
        ("read a file", "read_file"),
        ("rename report.txt to old.txt", "move_file"),
        ("make a new folder called photos", "create_dir"),
        ("verschiebe die Datei", "move_file"),
        ("move a file with the fs server", "fs__move_file"),
        ("get file metadata", "fs__get_file_info"),
    ],
)
def test_ours_go_first_unless_the_server_is_named(ranker: Ranker, query: str, first: str) -> None:
    assert ranker.rank(query)[0].name == first


def test_the_server_s_follow(ranker: Ranker) -> None:
    assert [hit.name for hit in ranker.rank("move a file")] == ["move_file", "fs__move_file"]


@pytest.mark.parametrize("query", ["git status", "git_status"])
def test_a_planned_tool_of_this_name_does_not_stand_before_a_server_s_that_is_there(query: str) -> None:
    """git_status was planned once; here it is again."""
    registry = load_registry()
    said = "Shows the working tree status"
    schema = ToolSchema(name="git__git_status", description=said, parameters={"type": "object"})
    alone = Ranker(_planned(registry, "git_status"), data.table())
    assert [(hit.name, hit.planned) for hit in alone.rank(query)] == [("git_status", True)]
    registry.put("mcp:git", [ForeignTool(schema.name, "git", "mcp:git", schema, _answer)])
    found = Ranker(_planned(registry, "git_status"), data.table()).rank(query)
    assert [hit.name for hit in found if not hit.planned][:1] == ["git__git_status"]


def _planned(registry: Registry, name: str) -> list[Entry]:
    """Return all entries, with one of ours that is not there yet."""
    return [msgspec.structs.replace(one, planned=one.name == name) for one in data.entries(registry)]
