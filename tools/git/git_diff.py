"""Show differences in a Git repository."""

from __future__ import annotations

from typing import Annotated

from tools import ReadContext, ToolResult, tool
from tools.git._report import difference, reading


@tool(
    reads=True,
    verb="Git diff",
    main="path",
    keywords=("changes", "patch", "compare", "staged", "between branches"),
    examples=("git diff", "what did i change in main.py", "zeig den Unterschied zwischen main und dev"),
    accepts={"file": "path", "from": "base", "to": "target", "cached": "staged", "repository": "repo"},
)
async def git_diff(
    context: ReadContext,
    repo: Annotated[str, "Folder of the repository, default the working folder"] = "",
    base: Annotated[str, "Commit or branch to compare with, default what is staged"] = "",
    target: Annotated[str, "Commit or branch that is compared, default the files as they are"] = "",
    staged: Annotated[bool, "What would be committed"] = False,
    path: Annotated[str, "Only this file or folder"] = "",
) -> ToolResult:
    """Show line changes between working tree, index, commits or branches."""
    return difference(
        await reading(context.git).diff(repo, base=base, target=target, staged=staged, path=path)
    )
