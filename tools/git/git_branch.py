"""List and change Git branches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from tools import GitRef, ToolContext, ToolFailed, ToolResult, plural, tool
from tools.git._report import changing, outcome, reading

_BRANCHES = 200


@tool(
    reads=lambda arguments: arguments.get("action", "list") == "list",
    verb="Git branch",
    main="name",
    keywords=("branches", "switch", "new branch", "rename", "delete branch"),
    examples=("which branches are there", "make a branch called fix", "lösche den Branch alt"),
    accepts={"branch": "name", "operation": "action", "repository": "repo", "from": "start"},
)
async def git_branch(
    context: ToolContext,
    action: Annotated[Literal["list", "create", "switch", "rename", "delete"], "What to do"] = "list",
    name: Annotated[str, "Branch"] = "",
    start: Annotated[str, "Commit or branch to create it at; the new name to rename it"] = "",
    repo: Annotated[str, "Folder of the repository, default the working folder"] = "",
) -> ToolResult:
    """Create, switch, list, rename or delete Git branches."""
    if action == "list":
        return _listed(await reading(context.git).branches(repo))
    if not name:
        raise ToolFailed("Name the branch.")
    git = changing(context.git)
    if action == "switch":
        return outcome(await git.check_out(repo, target=name), "switched")
    if action == "rename" and not start:
        raise ToolFailed("start is the new name when renaming.")
    found = await git.change_branch(repo, action=action, name=name, start=start)
    return outcome(found, {"create": "created", "rename": "renamed", "delete": "deleted"}[action])


def _listed(found: Sequence[GitRef]) -> ToolResult:
    refs = list(found)
    lines = [_line(ref) for ref in refs[:_BRANCHES]]
    lines += [f"and {len(refs) - _BRANCHES:,} more"] if len(refs) > _BRANCHES else []
    local = sum(not ref.remote for ref in refs)
    return ToolResult("\n".join(lines) or "There are no branches yet.", plural(local, "branch", "branches"))


def _line(ref: GitRef) -> str:
    mark = "* " if ref.current else "  "
    track = f" -> {ref.upstream} {ref.track}".rstrip() if ref.upstream else ""
    return f"{mark}{'remote ' if ref.remote else ''}{ref.name} {ref.id}{track} {ref.when[:10]} {ref.subject}"
