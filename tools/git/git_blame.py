"""Show who last changed the lines of a file."""

from __future__ import annotations

from typing import Annotated

from tools import BlameLine, ReadContext, ToolResult, plural, tool
from tools.git._report import reading


@tool(
    reads=True,
    verb="Git blame",
    main="path",
    keywords=("annotate", "author of a line", "who wrote"),
    examples=("who wrote line 40 of main.py", "git blame on setup.py", "wer hat diese Zeile geändert"),
    accepts={"file": "path", "line": "start", "start_line": "start", "end_line": "end", "repository": "repo"},
)
async def git_blame(
    context: ReadContext,
    path: Annotated[str, "File"],
    repo: Annotated[str, "Folder of the repository, default the working folder"] = "",
    start: Annotated[int, "First line"] = 1,
    end: Annotated[int, "Last line, 0 for the end of the file"] = 0,
) -> ToolResult:
    """Show who last changed each line of a file and in which commit."""
    found = await reading(context.git).blame(repo, path=path, first=start, last=end)
    lines = [_line(line) for line in found.lines]
    if found.more and found.lines:
        lines.append(f"[There are more lines; go on with start {found.lines[-1].number + 1}.]")
    return ToolResult("\n".join(lines), plural(len(found.lines), "line", "lines"))


def _line(line: BlameLine) -> str:
    who = "not committed yet" if not line.id.strip("0") else f"{line.id[:9]} {line.when} {line.author}"
    return f"{line.number} ({who}): {line.text}"
