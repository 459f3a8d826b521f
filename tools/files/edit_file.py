"""Replace exact pieces of a file, all of them or none."""

from __future__ import annotations

from typing import Annotated, TypedDict

from tools import ChangeSet, Replace, ToolContext, ToolFailed, ToolResult, tool
from tools.files._report import changed


class Edit(TypedDict, total=False):
    """One replacement; both are needed, which is checked here to keep the schema short."""

    old: Annotated[str, "Old"]
    new: Annotated[str, "New"]


@tool(
    reads=False,
    verb="Edit file",
    main="path",
    keywords=("change", "replace", "modify", "fix", "update", "rename in file"),
    examples=(
        "rename foo to bar in main.py",
        "fix the typo in README.md",
        "change the port to 8080 in app.toml",
    ),
    accepts={
        "old_text": "edits.old",
        "new_text": "edits.new",
        "old_string": "edits.old",
        "new_string": "edits.new",
        "old_str": "edits.old",
        "new_str": "edits.new",
        "old": "edits.old",
        "new": "edits.new",
        "file_path": "path",
        "file": "path",
        "filename": "path",
        "replace_all": "all",
        "replacements": "edits",
        "changes": "edits",
    },
)
async def edit_file(
    context: ToolContext,
    path: Annotated[str, "Path"],
    edits: Annotated[list[Edit], "Edits"],
    all: Annotated[bool, "All"] = False,
) -> ToolResult:
    """Change part of an existing file, with a diff to approve."""
    if not edits or any(edit.keys() != {"old", "new"} for edit in edits):
        raise ToolFailed('Give edits as [{"old": exact text, "new": replacement}]. Nothing was changed.')
    pairs = tuple((edit["old"], edit["new"]) for edit in edits)
    return changed(await context.files.change(ChangeSet((Replace(path, pairs, every=all),))))
