"""Exchange commits with a remote Git repository."""

from __future__ import annotations

from typing import Annotated, Literal

from tools import ToolContext, ToolResult, tool
from tools.git._report import changing, outcome


@tool(
    reads=False,
    verb="Git sync",
    main="action",
    keywords=("push", "pull", "fetch", "remote", "origin", "upload commits"),
    examples=("push my commits", "pull the newest changes", "hol die neuesten Commits vom Server"),
    accepts={"operation": "action", "repository": "repo"},
)
async def git_sync(
    context: ToolContext,
    action: Annotated[Literal["fetch", "pull", "push"], "What to do"],
    remote: Annotated[str, "Remote, default the upstream of the branch"] = "",
    branch: Annotated[str, "Branch, default the one that is checked out"] = "",
    repo: Annotated[str, "Folder of the repository, default the working folder"] = "",
) -> ToolResult:
    """Fetch, pull or push commits between a Git repository and its remote."""
    found = await changing(context.git).sync(repo, action=action, remote=remote, branch=branch)
    return outcome(found, {"fetch": "fetched", "pull": "pulled", "push": "pushed"}[action])
