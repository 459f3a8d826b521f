"""Show the state of a Git work tree."""

from __future__ import annotations

from typing import Annotated

from tools import GitFile, GitStatus, ReadContext, ToolResult, plural, tool
from tools.git._report import reading

_FILES = 300


@tool(
    reads=True,
    verb="Git status",
    main="repo",
    keywords=("uncommitted", "working tree", "modified", "untracked", "branch"),
    examples=("git status", "what have i not committed yet", "welche Dateien habe ich geändert"),
    accepts={"path": "repo", "cwd": "repo", "repository": "repo"},
)
async def git_status(
    context: ReadContext, repo: Annotated[str, "Folder of the repository, default the working folder"] = ""
) -> ToolResult:
    """Show changed, staged and untracked files in a Git working tree."""
    found = await reading(context.git).status(repo)
    lines = [_where(found), *(f"[{note}]" for note in found.notes)]
    for title, files in _groups(found):
        lines += [f"{title}:", *(f"  {_file(file, title)}" for file in files[:_FILES])]
        lines += [f"  and {len(files) - _FILES:,} more"] if len(files) > _FILES else []
    if not found.files:
        lines.append("Nothing differs from the newest commit." if found.head else "There are no files yet.")
    count = plural(len(found.files), "file", "files")
    return ToolResult("\n".join(lines), f"{count} differ" if found.files else "clean")


def _where(found: GitStatus) -> str:
    on = f"On branch {found.on}" if found.on else f"Detached at {found.head}"
    text = f"{on} in {found.top}"
    if not found.head:
        text += ", no commits yet"
    if found.upstream:
        apart = f"{found.ahead} ahead, {found.behind} behind" if found.ahead or found.behind else "up to date"
        text += f"; upstream {found.upstream}: {apart}"
    return f"{text}. A {found.under_way} is under way." if found.under_way else f"{text}."


def _groups(found: GitStatus) -> list[tuple[str, list[GitFile]]]:
    conflicts = [file for file in found.files if "conflict" in (file.staged, file.unstaged)]
    staged = [file for file in found.files if file.staged and file not in conflicts]
    unstaged = [file for file in found.files if file.unstaged not in ("", "untracked", "conflict")]
    new = [file for file in found.files if file.unstaged == "untracked"]
    groups = [("In conflict", conflicts), ("Staged", staged), ("Not staged", unstaged), ("Untracked", new)]
    return [(title, files) for title, files in groups if files]


def _file(file: GitFile, title: str) -> str:
    if title in ("Untracked", "In conflict"):
        return file.path
    old = f" (from {file.old_path})" if file.old_path else ""
    return f"{file.staged if title == 'Staged' else file.unstaged}: {file.path}{old}"
