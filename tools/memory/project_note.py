"""Keep a decision, a note or an open item of a project."""

from __future__ import annotations

from typing import Annotated

from tools import NoteKind, ToolContext, ToolFailed, ToolResult, tool
from tools.memory._report import kept

_WHAT = {"decision": "The decision", "note": "The note", "open_item": "The open item"}


@tool(
    reads=False,
    verb="Note for the project",
    main="text",
    keywords=("project memory", "decision log", "open question", "follow-up"),
    examples=(
        "note for this project that we chose SQLite",
        "put on the project's open items that the parser lacks tests",
        "halte für das Projekt fest, dass wir PySide nehmen",
    ),
    accepts={"content": "text", "note": "text"},
)
async def project_note(
    context: ToolContext,
    kind: Annotated[NoteKind, "Kind"],
    text: Annotated[str, "Text"],
    project: Annotated[str, "Project name"] = "",
) -> ToolResult:
    """Save a decision, note or open item to the current project's memory."""
    if context.memory is None:
        raise ToolFailed("There is no memory here.")
    return kept(await context.memory.note(kind, text, project), _WHAT[kind])
