"""Make, list and extract zip and tar archives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from tools import ChangeSet, Pack, ToolContext, ToolFailed, ToolResult, Unpack, plural, tool
from tools.files._report import changed, entries


def _lists(arguments: Mapping[str, Any]) -> bool:
    return arguments.get("action") == "list"


@tool(
    reads=_lists,
    verb="Archive",
    main="archive",
    keywords=("zip", "unzip", "tar", "compress", "extract", "unpack", "tgz"),
    examples=("zip the folder report", "extract data.tar.gz into data", "what is in backup.zip"),
    accepts={"path": "archive", "file": "archive", "files": "paths", "dest": "destination"},
)
async def archive(
    context: ToolContext,
    action: Annotated[Literal["create", "extract", "list"], "What to do"],
    archive: Annotated[str, "Path relative to the workspace or absolute"],
    paths: Annotated[list[str] | None, "Files and folders to add"] = None,
    destination: Annotated[str, "Path relative to the workspace or absolute"] = "",
) -> ToolResult:
    """Create or extract zip and tar archives."""
    if action == "list":
        found = await context.files.members(archive)
        lines = entries(found.entries, sizes=True)
        if found.more:
            lines.append(f"[more: {plural(found.searched, 'entry', 'entries')} in all]")
        return ToolResult(
            "\n".join(lines) or "The archive is empty.", plural(found.searched, "entry", "entries")
        )
    if action == "create":
        if not paths:
            raise ToolFailed("Give the paths of the files and folders to pack. Nothing was changed.")
        return changed(await context.files.change(ChangeSet((Pack(archive, tuple(paths)),))))
    return changed(await context.files.change(ChangeSet((Unpack(archive, destination),))))
