"""Read the text of a document that another program made."""

from __future__ import annotations

from typing import Annotated

from tools import ReadContext, ToolFailed, ToolResult, plural, tool

ROOM = 18_000
"""Characters of one result: below what the app cuts, so that it ends at a line and says how to go on."""
MOST = 200_000


@tool(
    reads=True,
    verb="Read document",
    main="path",
    keywords=("pdf", "docx", "word", "pptx", "odt", "rtf", "epub", "html", "eml", "report", "contract"),
    examples=("what does contract.pdf say", "read pages 3 to 7 of thesis.docx"),
    accepts={"file": "path", "file_path": "path", "page": "pages", "limit": "max_chars"},
)
async def document_text(
    context: ReadContext,
    path: Annotated[str, "Path relative to the workspace or absolute"],
    pages: Annotated[str, "Page range, such as 2-5,9"] = "",
    max_chars: Annotated[int, "Most characters"] = ROOM,
) -> ToolResult:
    """Extract text from PDF, DOCX and other office documents."""
    if context.documents is None:
        raise ToolFailed("Documents cannot be read here.")
    room = max(1, min(max_chars, MOST))
    found = await context.documents.text(path, pages)
    taken: list[str] = []
    for line in found.lines:
        if len(line) + 1 > room:
            taken += [line[:room]] if not taken else []
            break
        taken.append(line)
        room -= len(line) + 1
    notes = []
    if pages and not found.parts and found.kind not in ("open document",):
        notes.append("its pages are not known, so this is all of it")
    left = sum(len(line) + 1 for line in found.lines[len(taken) :])
    if left:
        how = f"name {found.parts}s by `pages`, or " if found.parts else ""
        notes.append(f"{left:,} more characters; {how}raise max_chars")
    text = "\n".join(taken).strip("\n")
    return ToolResult(
        f"{text}\n[{'; '.join(notes)}]" if notes else text,
        summary=plural(len(taken), "line", "lines"),
        data={"path": found.path},
    )
