"""Put uncommitted changes of a Git work tree aside and bring them back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from tools import GitStash, ToolContext, ToolResult, plural, tool
from tools.git._report import changing, outcome, reading


@tool(
    reads=lambda arguments: arguments.get("action") == "list",
    verb="Git stash",
    main="message",
    keywords=("set aside", "shelve", "park changes", "pop"),
    examples=("stash my changes", "bring back what i stashed", "leg meine Änderungen beiseite"),
    accepts={"operation": "action", "name": "message", "stash": "ref", "repository": "repo"},
)
async def git_stash(
    context: ToolContext,
    action: Annotated[Literal["push", "list", "pop", "apply", "drop"], "What to do"] = "push",
    message: Annotated[str, "What they are, for push"] = "",
    ref: Annotated[str, "Entry, such as stash@{1}; default the newest"] = "",
    repo: Annotated[str, "Folder of the repository, default the working folder"] = "",
) -> ToolResult:
    """Put uncommitted changes aside and bring them back later."""
    if action == "list":
        return _listed(await reading(context.git).stashes(repo))
    found = await changing(context.git).change_stash(repo, action=action, message=message, ref=ref)
    words = {"push": "put aside", "pop": "brought back", "apply": "brought back", "drop": "dropped"}
    return outcome(found, words[action])


def _listed(found: Sequence[GitStash]) -> ToolResult:
    lines = [f"{one.ref} {one.when[:16]} {one.message}" for one in found]
    return ToolResult("\n".join(lines) or "The stash is empty.", plural(len(found), "entry", "entries"))
