"""Apply a unified diff over one or several files."""

from __future__ import annotations

from typing import Annotated

from tools import ChangeSet, Patch, ToolContext, ToolResult, tool
from tools.files._report import changed


@tool(
    reads=False,
    verb="Apply patch",
    main="",
    keywords=("diff", "patch", "unified", "several files", "rename", "git apply"),
    examples=("apply this patch", "apply the attached diff to the project"),
    accepts={"diff": "patch", "text": "patch", "input": "patch"},
)
async def apply_patch(
    context: ToolContext,
    patch: Annotated[str, "Unified diff with --- a/PATH and +++ b/PATH; /dev/null for new and deleted files"],
) -> ToolResult:
    """Apply a unified diff to one or several files, all of it or nothing.

    It may make, delete and rename files.
    """
    return changed(await context.files.change(ChangeSet((Patch(patch),))))
