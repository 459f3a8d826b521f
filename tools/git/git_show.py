"""Show one commit, or a file as it was in it."""

from __future__ import annotations

from typing import Annotated

from tools import ReadContext, ToolResult, tool
from tools.git._report import difference, head, reading


@tool(
    reads=True,
    verb="Git show",
    main="ref",
    keywords=("commit", "revision", "old version", "tag", "what changed in"),
    examples=("what changed in commit 4f2a91c", "show main.py as it was in v1.0", "zeig den letzten Commit"),
    accepts={"commit": "ref", "rev": "ref", "file": "path", "repository": "repo", "content": "whole"},
)
async def git_show(
    context: ReadContext,
    ref: Annotated[str, "Commit, branch or tag"] = "HEAD",
    path: Annotated[str, "Only this file or folder"] = "",
    whole: Annotated[bool, "The whole file as it was then, not what changed"] = False,
    repo: Annotated[str, "Folder of the repository, default the working folder"] = "",
) -> ToolResult:
    """Show one Git commit with its message and changes, or a file as it was in it."""
    found = await reading(context.git).show(repo, ref=ref, path=path, whole=whole)
    if whole:
        notes = "".join(f"\n[{note}]" for note in found.notes)
        text = f"{path} as in {found.one.id[:9]} ({found.one.when[:10]}):\n{found.text.rstrip()}{notes}"
        return ToolResult(text, f"as in {found.one.id[:9]}")
    return difference(found.diff, head(found.one))
