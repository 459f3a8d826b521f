"""The tools on whole files and folders as a model calls them: arguments as JSON, results as text."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from app.toolbox.registry import load_registry
from tests.capabilities.files_desk import open_desk
from tests.tools.files.test_file_tools import Caller


@pytest.fixture
async def call(tmp_path: Path) -> AsyncIterator[Caller]:
    async with open_desk(tmp_path) as desk:
        yield Caller(desk, tmp_path / "spill")


async def test_each_says_what_it_did_and_that_it_was_verified(call: Caller) -> None:
    desk = call.desk
    desk.write("docs/a.txt", "a\n")
    steps: list[tuple[str, dict[str, Any], str]] = [
        ("create_dir", {"path": "new/deep"}, "new/deep: folder made, verified."),
        ("copy_file", {"source": "docs", "destination": "new"}, "new/docs: copied, verified. From "),
        ("move_file", {"from": "new/docs", "to": "moved"}, "moved: moved, verified. From "),
        ("trash_file", {"path": "moved"}, "moved: deleted, verified. 1 file, 2 bytes. It is in the trash."),
        ("restore_file", {"path": "moved"}, "moved: made, verified. 1 file, 2 bytes."),
        ("archive", {"action": "create", "archive": "a.tgz", "paths": ["docs"]}, "a.tgz: made, verified."),
        ("archive", {"action": "extract", "archive": "a.tgz", "destination": "out"}, "out: made, verified."),
    ]
    for tool, arguments, said in steps:
        outcome = await call(tool, **arguments)
        assert outcome.ok and outcome.undo and outcome.text.startswith(said), outcome.text
    assert (desk.folder / "out" / "docs" / "a.txt").read_text() == "a\n"
    listed = await call("archive", action="list", archive="a.tgz")
    assert listed.ok and listed.text == "docs/\ndocs/a.txt  2 B" and listed.summary == "2 entries"
    assert not listed.undo


async def test_listing_an_archive_is_reading(call: Caller) -> None:
    tool = load_registry().tools["archive"]
    assert tool.reads({"action": "list", "archive": "a.zip"})
    assert not tool.reads({"action": "extract", "archive": "a.zip"})
    outcome = await call("archive", action="list", archive="nothing.zip")
    assert not outcome.ok and "nothing.zip" in outcome.text and not call.desk.asked


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("trash_file", {"path": "nothing"}),
        ("restore_file", {"path": "nothing"}),
        ("move_file", {"source": "nothing", "destination": "x"}),
        ("copy_file", {"source": "x", "destination": "x"}),
        ("archive", {"action": "create", "archive": "a.zip"}),
        ("archive", {"action": "create", "archive": "a.rar", "paths": ["x"]}),
        ("archive", {"action": "extract", "archive": "nothing.zip"}),
        ("trash_file", {"path": "/proc/self"}),
        ("create_dir", {"path": "x/below"}),
    ],
)
async def test_what_cannot_be_done_is_said_and_nothing_happens(
    call: Caller, tool: str, arguments: dict[str, Any]
) -> None:
    call.desk.write("x", "x")
    outcome = await call(tool, **arguments)
    assert not outcome.ok and not outcome.undo and not call.desk.asked, outcome.text
    assert [path.name for path in call.desk.folder.iterdir()] == ["x"]
