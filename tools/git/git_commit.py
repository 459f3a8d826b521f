"""Record a Git commit."""

from __future__ import annotations

from typing import Annotated

from tools import ToolContext, ToolResult, tool
from tools.git._report import changing, outcome


@tool(
    reads=False,
    verb="Git commit",
    main="message",
    keywords=("stage", "add", "save changes", "check in", "amend"),
    examples=("commit everything with the message fix typo", "git add and commit", "committe die README"),
    accepts={"files": "paths", "msg": "message", "title": "message", "repository": "repo"},
)
async def git_commit(
    context: ToolContext,
    message: Annotated[str, "Message; empty keeps it when amending"] = "",
    paths: Annotated[list[str] | None, "What to stage and commit; none for what is staged already"] = None,
    amend: Annotated[bool, "Change the newest commit instead"] = False,
    repo: Annotated[str, "Folder of the repository, default the working folder"] = "",
) -> ToolResult:
    """Stage files and record a commit with a message."""
    git = changing(context.git)
    found = await git.make_commit(repo, message=message, paths=tuple(paths or ()), amend=amend)
    return outcome(found, "committed")
