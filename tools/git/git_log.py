"""Show the history of a Git repository."""

from __future__ import annotations

from typing import Annotated

from tools import GitCommit, ReadContext, ToolResult, plural, tool
from tools.git._report import reading


@tool(
    reads=True,
    verb="Git log",
    main="path",
    keywords=("history", "commits", "recent", "authors"),
    examples=("show the last 5 commits", "who worked on this file", "zeig die Commits von gestern"),
    accepts={"file": "path", "n": "limit", "count": "limit", "max_count": "limit", "repository": "repo"},
)
async def git_log(
    context: ReadContext,
    repo: Annotated[str, "Folder of the repository, default the working folder"] = "",
    limit: Annotated[int, "Commits at most"] = 20,
    path: Annotated[str, "Only commits that changed this file or folder"] = "",
    author: Annotated[str, "Part of the author's name or address"] = "",
    since: Annotated[str, "Not older than this, such as 2026-11-01 or 2 weeks ago"] = "",
) -> ToolResult:
    """Show commit history with authors, dates and messages."""
    found = await reading(context.git).log(repo, limit=limit, path=path, author=author, since=since)
    lines = [*map(_commit, found.commits), *(f"[{note}]" for note in found.notes)]
    if not found.commits and not found.notes:
        lines.append("No commit fits.")
    if found.more:
        lines.append("[There are older ones; a larger limit shows them.]")
    return ToolResult(
        "\n".join(lines),
        plural(len(found.commits), "commit", "commits"),
        view="table",
        data={
            "columns": ["commit", "date", "author", "subject"],
            "rows": [[one.id[:9], one.when[:10], one.author, _named(one)] for one in found.commits],
        },
    )


def _named(one: GitCommit) -> str:
    return f"({one.refs}) {one.subject}" if one.refs else one.subject


def _commit(one: GitCommit) -> str:
    refs = f" ({one.refs})" if one.refs else ""
    body = "".join(f"\n    {line}" for line in one.body.splitlines())
    return f"{one.id[:9]}{refs} {one.when} {one.author}: {one.subject}{body}"
