"""What the tests of own tools share: the layers of this machine, a tool's source, and files to read."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from app.platform.sandbox import landlock
from app.platform.sandbox.confinement import Probe
from app.platform.sandbox.probe import probe
from app.toolbox.own.running import Cell, Limits, Work

Tool = Callable[..., Work]

_HEAD = '''"""A tool under test."""

from __future__ import annotations

from typing import Annotated

from tools import ChangeSet, Command, FileText, ReadContext, ToolContext, ToolFailed, ToolResult, Write, tool


@tool(reads={reads}, verb="Try", main="path", examples=("try this", "try that"))
async def {name}(context: {kind}, path: Annotated[str, "A path"] = "a.txt") -> ToolResult:
    """Try something."""
'''


def source(body: str, *, name: str = "trial", reads: bool = True) -> str:
    """Return the source of a tool with this body."""
    head = _HEAD.format(name=name, reads=reads, kind="ReadContext" if reads else "ToolContext")
    return head + textwrap.indent(textwrap.dedent(body).strip("\n"), "    ") + "\n"


@pytest.fixture(scope="session")
def machine() -> Probe:
    """The strongest layer of this machine."""
    return probe(os.environ)


@pytest.fixture(params=["strongest", "landlock", "seal"])
def cell(request: pytest.FixtureRequest, machine: Probe) -> Cell:
    """Each way in which a child can be held here."""
    if request.param == "landlock" and landlock.abi() < landlock.LEAST:
        pytest.skip("no Landlock here")
    found = {
        "strongest": machine,
        "landlock": Probe("landlock", abi=landlock.abi()),
        "seal": Probe("none"),
    }[request.param]
    return Cell(found, os.environ, Limits(seconds=10.0))


@pytest.fixture
def strongest(machine: Probe) -> Cell:
    """The way in which a child is held here."""
    return Cell(machine, os.environ, Limits(seconds=10.0))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A working folder with a file."""
    place = tmp_path / "work"
    place.mkdir()
    (place / "a.txt").write_text("one two\nthree\n")
    return place
