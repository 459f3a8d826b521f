"""A first tool that works, for a person to change: the text that `tools new` writes."""

from __future__ import annotations

import os
from pathlib import Path

from app.errors import BrambleError
from app.platform import filesystem
from app.platform.ids import new_id
from app.platform.paths import make_private
from app.toolbox.own.folder import SUFFIX

_TEXT = '''"""Count the lines and words of a text file."""

from __future__ import annotations

from typing import Annotated

from tools import FileText, ReadContext, ToolFailed, ToolResult, tool


# A tool touches nothing itself: what it reads, writes or runs goes through `context`, so
# that your rules, questions and undo hold for it. One that changes something says
# reads=False and takes a ToolContext, which can also do this:
#   await context.files.change(ChangeSet((Write("notes.txt", "text"),)))
#   await context.shell.run(Command("date"))
@tool(
    reads=True,
    verb="Count words",  # what you see while it runs
    main="path",  # the argument beside it
    examples=("how many words does notes.txt have", "count the lines of my essay"),
)
async def NAME(
    context: ReadContext,
    path: Annotated[str, "Text file"],
    longest: Annotated[int, "Most lines to read"] = 10000,
) -> ToolResult:
    """Count the lines and words of a text file."""
    file = await context.files.read(path, count=max(1, longest))
    if not isinstance(file, FileText):
        raise ToolFailed(f"{path} is no text file.")
    words = sum(len(line.split()) for line in file.lines)
    return ToolResult(
        text=f"{path}: {len(file.lines)} lines, {words} words",
        summary=f"{words} words",
    )
'''


def text(name: str) -> str:
    """Return the source of a new tool."""
    return _TEXT.replace("NAME", name)


def write(folder: Path, name: str) -> Path:
    """Write it as a new file and return its path. Raises BrambleError: own_tool_exists, no_permission,
    disk_full.
    """
    path = folder / f"{name}{SUFFIX}"
    try:
        if os.path.lexists(path):
            words = f"There is a file {path} already; nothing was written."
            raise BrambleError("own_tool_exists", words, name=name, path=str(path))
        make_private(folder)
        real = Path(os.path.realpath(folder)) / path.name
        made = filesystem.prepare(str(real), text(name).encode(), f".{name}.new-{new_id()}")
        try:
            made.put()
        except OSError:
            made.drop()
            raise
    except FileExistsError as error:  # it appeared meanwhile
        words = f"There is a file {path} already; nothing was written."
        raise BrambleError("own_tool_exists", words, name=name, path=str(path)) from error
    except OSError as error:
        code = "disk_full" if error.errno in filesystem.FULL else "no_permission"
        raise BrambleError(code, f"{path}: {error}", detail=str(error), path=str(path)) from error
    return path
