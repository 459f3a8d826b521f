"""The GitHub inbox, sorted by what waits for the person; marking as read is looked at afterwards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from tools import ChangeServices, ServiceChange, ToolContext, ToolFailed, ToolResult, tool
from tools.github._told import SERVICE, day, rows, said, services

_LIMIT = 50
_MENTIONS = ("mention", "team_mention")
_GROUPS = (
    ("Reviews wanted", ("review_requested", "approval_requested")),
    ("You were mentioned", _MENTIONS),
    ("Assigned to you", ("assign",)),
    ("What you take part in", ("author", "comment", "state_change", "invitation", "manual")),
    ("Checks", ("ci_activity",)),
    ("Security", ("security_alert", "security_advisory_credit")),
)


def _reads(arguments: Mapping[str, Any]) -> bool:
    return not arguments.get("mark_read")


@tool(
    reads=_reads,
    verb="GitHub inbox",
    main="filter",
    keywords=("notifications", "mentions", "review requests", "inbox", "unread"),
    examples=("what is new in my github inbox", "welche Reviews warten auf GitHub auf mich"),
)
async def github_notifications(
    context: ToolContext,
    filter: Annotated[Literal["all", "mentions", "reviews"], "Which"] = "all",
    unread: Annotated[bool, "Only unread"] = True,
    mark_read: Annotated[bool, "Mark them read"] = False,
) -> ToolResult:
    """Show the GitHub inbox: notifications, mentions and review requests."""
    found = services(context.services)
    reply = await found.rows(SERVICE, "/notifications", {} if unread else {"all": "true"}, limit=_LIMIT)
    wanted = {"mentions": _MENTIONS, "reviews": ("review_requested",)}.get(filter)
    threads = [row for row in rows(reply.value) if wanted is None or said(row, "reason") in wanted]
    if not threads:
        return ToolResult("The inbox holds nothing of that kind.", "nothing new")
    text = _told(threads)
    if reply.more:
        text += "\n[there are older ones]"
    summary = "1 notification" if len(threads) == 1 else f"{len(threads)} notifications"
    if not mark_read:
        return ToolResult(text, summary)
    if not isinstance(found, ChangeServices):
        raise ToolFailed("Only reading is possible here.")
    return await _marked(found, [row for row in threads if row.get("unread") is not False], text)


async def _marked(found: ChangeServices, threads: list[Mapping[str, Any]], text: str) -> ToolResult:
    names = [name for row in threads if (name := said(row, "id")).isalnum()]
    if names:
        changes = [ServiceChange("PATCH", f"/notifications/threads/{name}") for name in names]
        await found.send_all(SERVICE, changes)
    left = 0
    for name in names:
        row = (await found.get(SERVICE, f"/notifications/threads/{name}")).value
        left += not isinstance(row, dict) or row.get("unread") is not False
    if left:
        return ToolResult(
            f"Unverified: {left} of {len(names)} still show as unread.\n{text}", f"{left} still unread"
        )
    return ToolResult(f"Verified: {len(names)} were marked as read.\n{text}", f"{len(names)} marked read")


def _told(threads: list[Mapping[str, Any]]) -> str:
    lines: list[str] = []
    known = {reason for _, reasons in _GROUPS for reason in reasons}
    for title, reasons in (*_GROUPS, ("Others", ())):
        group = [
            row
            for row in threads
            if said(row, "reason") in reasons or (not reasons and said(row, "reason") not in known)
        ]
        if group:
            lines += [f"{title} ({len(group)}):", *map(_line, group), ""]
    return "\n".join(lines).rstrip()


def _line(row: Mapping[str, Any]) -> str:
    number = said(row, "subject", "url").rpartition("/")[2]
    kind = {"PullRequest": "pull request", "Issue": "issue"}.get(
        said(row, "subject", "type"), said(row, "subject", "type")
    )
    mark = "" if row.get("unread") is False else "* "
    name = f" #{number}" if number.isdigit() else ""
    title = " ".join(said(row, "subject", "title").split())
    where, when = said(row, "repository", "full_name"), day(said(row, "updated_at"))
    return f"- {mark}{where} {kind}{name}: {title} ({when})"
