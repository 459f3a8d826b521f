"""Switch a Git work tree to another branch or commit, or bring files back."""

from __future__ import annotations

from typing import Annotated

from tools import ToolContext, ToolResult, tool
from tools.git._report import changing, outcome


@tool(
    reads=False,
    verb="Git checkout",
    main="target",
    keywords=("switch branch", "restore file", "discard changes", "go back to", "revert file"),
    examples=("switch to the branch dev", "throw away my changes in main.py", "wechsle auf main"),
    accepts={"branch": "target", "ref": "target", "commit": "target", "files": "paths", "path": "paths",
             "repository": "repo"},
)  # fmt: skip
async def git_checkout(
    context: ToolContext,
    target: Annotated[str, "Branch or commit"] = "",
    paths: Annotated[list[str] | None, "Bring only these files back, as they are there or as staged"] = None,
    create: Annotated[bool, "Make the branch and switch to it"] = False,
    repo: Annotated[str, "Folder of the repository, default the working folder"] = "",
) -> ToolResult:
    """Switch to another Git branch or commit, or bring files back to how they were committed."""
    git = changing(context.git)
    found = await git.check_out(repo, target=target, paths=tuple(paths or ()), create=create)
    return outcome(found, "brought back" if paths else "switched")
