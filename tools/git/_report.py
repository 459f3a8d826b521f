"""Word what a repository holds and what became of it, the same for all Git tools."""

from __future__ import annotations

from collections.abc import Iterable

from tools import (
    ChangeGit,
    GitChange,
    GitCommit,
    GitDiff,
    GitOutcome,
    ReadGit,
    ToolFailed,
    ToolResult,
    checked,
    plural,
)

_FILES = 200
"""Files that are listed one by one."""
_HEAD = 4_000
"""Characters of what stands above differences that the window draws too."""


def reading(git: ReadGit | None) -> ReadGit:
    """Return the capability. Raises ToolFailed where there is none."""
    if git is None:
        raise ToolFailed("Git cannot be used here.")
    return git


def changing(git: ChangeGit | None) -> ChangeGit:
    """Return the capability. Raises ToolFailed where there is none."""
    if git is None:
        raise ToolFailed("Git cannot be used here.")
    return git


def changes(files: Iterable[GitChange]) -> list[str]:
    """Return one line a file, with its counts."""
    found = list(files)
    lines = [_line(file) for file in found[:_FILES]]
    return [*lines, f"and {len(found) - _FILES:,} more"] if len(found) > _FILES else lines


def _line(file: GitChange) -> str:
    counts = "binary" if file.binary else f"+{file.added} -{file.removed}"
    old = f" (from {file.old_path})" if file.old_path else ""
    return f"{file.kind}: {file.path}{old} {counts}"


def head(one: GitCommit) -> str:
    """Return the lines of a commit above its changes."""
    merge = f"\nMerge of {' '.join(parent[:9] for parent in one.parents)}" if len(one.parents) > 1 else ""
    refs = f" ({one.refs})" if one.refs else ""
    body = f"\n\n{one.body}" if one.body else ""
    return f"commit {one.id}{refs}{merge}\n{one.author} <{one.email}>, {one.when}\n\n{one.subject}{body}"


def difference(diff: GitDiff, before: str = "") -> ToolResult:
    """Return differences as text with the list of files on top, and for the window to draw."""
    added, removed = sum(one.added for one in diff.files), sum(one.removed for one in diff.files)
    parts = [before] if before else []
    if diff.files:
        parts.append("\n".join(changes(diff.files)))
    else:
        parts.append("No differences.")
    parts += [f"[{note}]" for note in diff.notes]
    parts += [diff.patch.rstrip("\n")] if diff.patch.strip() else []
    parts += ["[There is more; name a path to see it.]"] if diff.cut else []
    listed = [
        {"path": one.path, "kind": one.kind, "added": one.added, "removed": one.removed} for one in diff.files
    ]
    summary = f"{plural(len(diff.files), 'file', 'files')} +{added} \u2212{removed}"
    return ToolResult(
        text="\n\n".join(parts),
        summary=summary if diff.files else "no differences",
        view="diff",
        data={"listed": listed, "cut": diff.cut, "head": before[:_HEAD]},
    )


def outcome(found: GitOutcome, summary: str) -> ToolResult:
    """Return what a change did and whether that was seen afterwards."""
    lines = [f"{found.done} [{checked(found.verified)}]" if found.ok else found.done]
    lines += changes(found.files)
    lines += found.notes
    lines += [f"Git said: {found.said}"] if found.said else []
    return ToolResult(
        text="\n".join(lines),
        summary=summary if found.ok else "not done",
        ok=found.ok and found.verified,
        undo=found.undo,
    )
