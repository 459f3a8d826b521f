"""Issues on GitHub: search and read them; create, comment, label and close them, each looked at
afterwards.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from tools import ChangeServices, ReadServices, ServiceChange, ToolContext, ToolFailed, ToolResult, tool
from tools.github._told import (
    SERVICE,
    body as cut,
    comments,
    day,
    labels as labelled,
    listed,
    numbered,
    person,
    repository,
    rows,
    said,
    search_words,
    services,
)

_LIMIT = 30


def _reads(arguments: Mapping[str, Any]) -> bool:
    return arguments.get("action") in ("list", "read")


@tool(
    reads=_reads,
    verb="GitHub issues",
    main="repo",
    keywords=("bug", "ticket", "issue", "label", "close issue"),
    examples=("list the open issues of octo/hello", "lege ein Issue in octo/hello an: Absturz beim Start"),
    accepts={"repository": "repo", "issue": "number", "search": "query", "comment": "body", "text": "body"},
)
async def github_issues(
    context: ToolContext,
    action: Annotated[Literal["list", "read", "create", "comment", "label", "close"], "What to do"],
    repo: Annotated[str, "owner/name"] = "",
    number: Annotated[int, "Issue number"] = 0,
    title: Annotated[str, "Title"] = "",
    body: Annotated[str, "Text"] = "",
    labels: Annotated[list[str] | None, "Labels"] = None,
    query: Annotated[str, "Search words"] = "",
) -> ToolResult:
    """Search, read, create, label or close GitHub issues."""
    found = services(context.services)
    if action == "list":
        return await _list(found, repo, labels or [], query)
    place = f"/repos/{repository(repo)}/issues"
    if action == "read":
        return await _read(found, place, numbered(number))
    if not isinstance(found, ChangeServices):
        raise ToolFailed("Only reading is possible here.")
    if action == "create":
        return await _create(found, place, title, body, labels or [])
    path = f"{place}/{numbered(number)}"
    if action == "comment":
        return await _comment(found, path, body)
    if action == "label":
        return await _label(found, path, labels or [])
    return await _close(found, path, body)


async def _list(found: ReadServices, repo: str, labels: list[str], query: str) -> ToolResult:
    if repo.strip() and not query.strip():
        wanted = {"state": "open", "sort": "updated", **({"labels": ",".join(labels)} if labels else {})}
        reply = await found.rows(SERVICE, f"/repos/{repository(repo)}/issues", wanted, limit=_LIMIT)
        value = [row for row in rows(reply.value) if "pull_request" not in row]
        return ToolResult(*listed(value, reply.more, "issue"))
    scope = f"repo:{repository(repo)}" if repo.strip() else ""
    mine = "involves:@me state:open" if not scope and not query.strip() else ""
    named = [f'label:"{label}"' for label in labels]
    words = search_words(query, "is:issue", scope, mine, *named)
    reply = await found.get(SERVICE, "/search/issues", {**words, "per_page": str(_LIMIT)})
    total = said(reply.value, "total_count")
    more = total.isdigit() and int(total) > _LIMIT
    return ToolResult(*listed(rows(reply.value, "items"), more, "issue", where=not scope, total=total))


async def _read(found: ReadServices, place: str, number: int) -> ToolResult:
    row = (await found.get(SERVICE, f"{place}/{number}")).value
    kind = "pull request" if isinstance(row, dict) and "pull_request" in row else "issue"
    head = [
        f"{kind} #{said(row, 'number')}: {said(row, 'title')}{labelled(row)}",
        f"{said(row, 'state')}, by {person(row)} on {day(said(row, 'created_at'))}, {said(row, 'html_url')}",
        "",
        cut(said(row, "body")) or "[without a text]",
    ]
    told = await comments(found, f"{place}/{number}/comments") if row.get("comments") else []
    return ToolResult("\n".join([*head, *told]), f"#{number}, {said(row, 'state')}")


async def _create(found: ChangeServices, place: str, title: str, body: str, labels: list[str]) -> ToolResult:
    if not title.strip():
        raise ToolFailed("Give the new issue a title.")
    given = {"title": title.strip(), "body": body, **({"labels": labels} if labels else {})}
    made = (await found.send(SERVICE, "POST", place, given)).value
    number = said(made, "number")
    row = (await found.get(SERVICE, f"{place}/{number}")).value
    good = said(row, "title") == title.strip() and {said(one, "name") for one in rows(row, "labels")} >= set(
        labels
    )
    return _done(good, f"issue #{number} was created: {said(made, 'html_url')}", f"#{number} created", row)


async def _comment(found: ChangeServices, path: str, body: str) -> ToolResult:
    if not body.strip():
        raise ToolFailed("Give the text of the comment as body.")
    made = (await found.send(SERVICE, "POST", f"{path}/comments", {"body": body})).value
    place = path.rpartition("/")[0]
    row = (await found.get(SERVICE, f"{place}/comments/{said(made, 'id')}")).value
    good = said(row, "body").strip() == body.strip()
    return _done(good, f"the comment stands at {said(made, 'html_url')}", "commented", row)


async def _label(found: ChangeServices, path: str, labels: list[str]) -> ToolResult:
    if not labels:
        raise ToolFailed("Give the labels to add.")
    await found.send(SERVICE, "POST", f"{path}/labels", {"labels": labels})
    row = (await found.get(SERVICE, path)).value
    good = {said(one, "name") for one in rows(row, "labels")} >= set(labels)
    return _done(good, f"the labels are now{labelled(row) or ' none'}", "labelled", row)


async def _close(found: ChangeServices, path: str, body: str) -> ToolResult:
    comment = [ServiceChange("POST", f"{path}/comments", {"body": body})] if body.strip() else []
    await found.send_all(SERVICE, [*comment, ServiceChange("PATCH", path, {"state": "closed"})])
    row = (await found.get(SERVICE, path)).value
    good = said(row, "state") == "closed"
    return _done(
        good, f"#{said(row, 'number')} is {said(row, 'state') or 'in an unknown state'}", "closed", row
    )


def _done(good: bool, what: str, summary: str, row: Any) -> ToolResult:
    if good:
        return ToolResult(f"Verified: {what}.", summary)
    seen = f" GitHub now shows: {said(row, 'title')!r}, {said(row, 'state')}{labelled(row)}." if row else ""
    return ToolResult(
        f"Unverified: {what}, but it does not look as asked for.{seen}", f"{summary}, unverified"
    )
