"""Write a message as a draft for the person to look through and send."""

from __future__ import annotations

from typing import Annotated

from tools import Draft, ToolContext, ToolFailed, ToolResult, checked, tool


@tool(
    reads=False,
    verb="Draft mail",
    main="subject",
    keywords=("mail", "e-mail", "letter", "reply", "answer", "message", "compose", "eml"),
    examples=("draft an email to anna@example.org about the offer", "write a reply to request.eml"),
    accepts={"recipients": "to", "text": "body", "message": "body", "files": "attachments"},
)
async def email_draft(
    context: ToolContext,
    body: Annotated[str, "Body"],
    to: Annotated[list[str] | None, "Recipients"] = None,
    subject: Annotated[str, "Subject"] = "",
    reply_to: Annotated[str, "Message file (.eml) to answer"] = "",
    attachments: Annotated[list[str] | None, "Files"] = None,
    cc: Annotated[list[str] | None, "Recipients of a copy"] = None,
    path: Annotated[str, "File of the draft (.eml)"] = "",
) -> ToolResult:
    """Draft an email to review and send."""
    if context.mail is None:
        raise ToolFailed("Drafts cannot be written here.")
    draft = Draft(body, tuple(to or ()), tuple(cc or ()), subject, reply_to, tuple(attachments or ()), path)
    made = await context.mail.write_draft(draft)
    seen = checked(made.verified)
    lines = [
        f"{made.path}: draft written, {seen}. Nothing was sent; the person opens it in their mail program.",
        f"To: {', '.join(made.to) or '(nobody yet)'}. Subject: {made.subject or '(none)'}.",
    ]
    if made.attachments:
        lines.append(f"Attached: {', '.join(made.attachments)}.")
    if made.note:
        lines.append(made.note)
    return ToolResult(
        "\n".join(lines),
        summary=made.subject[:60] or "draft",
        ok=made.verified,
        view="diff",
        data={
            "files": [
                {"path": file.path, "kind": file.kind, "added": file.added, "removed": file.removed}
                for file in made.files.files
            ]
        },
        undo=made.files.undo,
    )
