"""Pull requests on GitHub: list and read them with their checks; create, comment, review and merge them, each
looked at afterwards.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from tools import ChangeServices, ReadServices, ToolContext, ToolFailed, ToolResult, tool
from tools.github._told import (
    SERVICE,
    body as cut,
    comments,
    day,
    labels,
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
_FILES = 60
_DIFF = 12_000
_BAD = ("failure", "error", "timed_out", "cancelled", "action_required", "startup_failure", "stale")
_EVENTS = {"approve": "APPROVE", "request_changes": "REQUEST_CHANGES", "comment": "COMMENT"}


def _reads(arguments: Mapping[str, Any]) -> bool:
    return arguments.get("action") in ("list", "read", "checks")


@tool(
    reads=_reads,
    verb="GitHub pull requests",
    main="repo",
    keywords=("pull request", "pr", "merge", "review", "checks", "ci"),
    examples=("show the open pull requests of octo/hello", "merge den Pull Request 12 in octo/hello"),
    accepts={"repository": "repo", "pull": "number", "comment": "body", "text": "body", "branch": "head"},
)
async def github_pulls(
    context: ToolContext,
    action: Annotated[
        Literal["list", "read", "create", "comment", "review", "merge", "checks"], "What to do"
    ],
    repo: Annotated[str, "owner/name"] = "",
    number: Annotated[int, "Pull request number"] = 0,
    title: Annotated[str, "Title; of a review: approve, request_changes or comment"] = "",
    body: Annotated[str, "Text"] = "",
    base: Annotated[str, "Base branch"] = "",
    head: Annotated[str, "Head branch"] = "",
) -> ToolResult:
    """List, read, review or merge GitHub pull requests."""
    found = services(context.services)
    if action == "list":
        return await _list(found, repo, base, head)
    name = repository(repo)
    if action == "read":
        return await _read(found, name, numbered(number))
    if action == "checks":
        return await _checks(found, name, numbered(number))
    if not isinstance(found, ChangeServices):
        raise ToolFailed("Only reading is possible here.")
    if action == "create":
        return await _create(found, name, title, body, base, head)
    if action == "comment":
        return await _comment(found, name, numbered(number), body)
    if action == "review":
        return await _review(found, name, numbered(number), title, body)
    return await _merge(found, name, numbered(number), title, body)


async def _list(found: ReadServices, repo: str, base: str, head: str) -> ToolResult:
    if not repo.strip():
        words = search_words("", "is:pr is:open involves:@me")
        reply = await found.get(SERVICE, "/search/issues", {**words, "per_page": str(_LIMIT)})
        total = said(reply.value, "total_count")
        more = total.isdigit() and int(total) > _LIMIT
        return ToolResult(*listed(rows(reply.value, "items"), more, "pull request", where=True, total=total))
    name = repository(repo)
    query = {"state": "open", "sort": "updated", "direction": "desc"}
    query |= {"base": base} if base else {}
    query |= {"head": head if ":" in head else f"{name.partition('/')[0]}:{head}"} if head else {}
    reply = await found.rows(SERVICE, f"/repos/{name}/pulls", query, limit=_LIMIT)
    return ToolResult(*listed(rows(reply.value), reply.more, "pull request"))


async def _read(found: ReadServices, name: str, number: int) -> ToolResult:
    path = f"/repos/{name}/pulls/{number}"
    row = (await found.get(SERVICE, path)).value
    files = await found.rows(SERVICE, f"{path}/files", limit=_FILES)
    lines = [
        f"pull request #{number}: {said(row, 'title')}{labels(row)}",
        f"{_state(row)}, by {person(row)} on {day(said(row, 'created_at'))}, {said(row, 'html_url')}",
        f"{said(row, 'head', 'label')} into {said(row, 'base', 'label')}, +{said(row, 'additions')} "
        f"-{said(row, 'deletions')} in {said(row, 'changed_files')} files",
        "",
        cut(said(row, "body")) or "[without a text]",
        *await comments(found, f"/repos/{name}/issues/{number}/comments"),
        *await comments(found, f"{path}/reviews"),
        "",
        "Files:",
        *_files(rows(files.value)),
        *(["[there are more files]"] if files.more else []),
    ]
    return ToolResult("\n".join(lines), f"#{number}, {_state(row)}")


def _state(row: Any) -> str:
    if said(row, "merged") == "yes":
        return "merged"
    state = "draft" if said(row, "draft") == "yes" else said(row, "state")
    way = said(row, "mergeable_state")
    return f"{state}, {way}" if way and way != "unknown" else state


def _files(files: list[Mapping[str, Any]]) -> list[str]:
    """Return each file, and its diff as long as there is room."""
    lines, left = [], _DIFF
    for row in files:
        lines.append(
            f"{said(row, 'status')} {said(row, 'filename')} "
            f"+{said(row, 'additions')} -{said(row, 'deletions')}"
        )
        patch = said(row, "patch")
        if patch and len(patch) <= left:
            lines.append(patch)
            left -= len(patch)
        elif patch:
            lines.append(f"[its diff of {len(patch):,} characters is left out]")
    return lines


async def _checks(found: ReadServices, name: str, number: int) -> ToolResult:
    row = (await found.get(SERVICE, f"/repos/{name}/pulls/{number}")).value
    sha = _sha(row)
    runs = (await found.get(SERVICE, f"/repos/{name}/commits/{sha}/check-runs", {"per_page": "100"})).value
    status = (await found.get(SERVICE, f"/repos/{name}/commits/{sha}/status", {"per_page": "100"})).value
    checks = [
        (said(one, "name"), said(one, "conclusion") or said(one, "status"), said(one, "html_url"))
        for one in rows(runs, "check_runs")
    ]
    checks += [
        (said(one, "context"), said(one, "state"), said(one, "target_url"))
        for one in rows(status, "statuses")
    ]
    if not checks:
        return ToolResult(f"There are no checks on #{number} ({sha[:8]}).", "no checks")
    bad = [check for check in checks if check[1] in _BAD]
    waiting = [
        check for check in checks if check[1] in ("queued", "in_progress", "pending", "waiting", "requested")
    ]
    head = f"#{number} ({sha[:8]}): {len(checks)} checks, {len(bad)} failed, {len(waiting)} not finished"
    order = [*bad, *waiting, *(check for check in checks if check not in bad and check not in waiting)]
    lines = [
        f"- {state}: {title}{f' {link}' if link and state in _BAD else ''}"
        for title, state, link in order[:100]
    ]
    return ToolResult("\n".join([head, *lines]), f"{len(bad)} failed, {len(waiting)} open")


def _sha(row: Any) -> str:
    sha = said(row, "head", "sha")
    if not sha.isalnum():
        raise ToolFailed("GitHub does not say which commit the pull request ends in.")
    return sha


async def _create(
    found: ChangeServices, name: str, title: str, body: str, base: str, head: str
) -> ToolResult:
    if not (title.strip() and base.strip() and head.strip()):
        raise ToolFailed("A pull request needs title, base and head; push the head branch first.")
    given = {"title": title.strip(), "body": body, "base": base.strip(), "head": head.strip()}
    made = (await found.send(SERVICE, "POST", f"/repos/{name}/pulls", given)).value
    number = said(made, "number")
    row = (await found.get(SERVICE, f"/repos/{name}/pulls/{number}")).value
    good = said(row, "title") == title.strip() and said(row, "base", "ref") == base.strip()
    return _done(good, f"pull request #{number} was created: {said(made, 'html_url')}", f"#{number} created")


async def _comment(found: ChangeServices, name: str, number: int, body: str) -> ToolResult:
    if not body.strip():
        raise ToolFailed("Give the text of the comment as body.")
    path = f"/repos/{name}/issues"
    made = (await found.send(SERVICE, "POST", f"{path}/{number}/comments", {"body": body})).value
    row = (await found.get(SERVICE, f"{path}/comments/{said(made, 'id')}")).value
    good = said(row, "body").strip() == body.strip()
    return _done(good, f"the comment stands at {said(made, 'html_url')}", "commented")


async def _review(found: ChangeServices, name: str, number: int, title: str, body: str) -> ToolResult:
    wanted = title.strip().lower().replace(" ", "_") or "comment"
    if wanted not in _EVENTS:
        raise ToolFailed(f"A review is approve, request_changes or comment (as title), not {title!r}.")
    if wanted != "approve" and not body.strip():
        raise ToolFailed("This review needs a text (body).")
    path = f"/repos/{name}/pulls/{number}"
    sha = _sha((await found.get(SERVICE, path)).value)
    given = {"event": _EVENTS[wanted], "commit_id": sha, **({"body": body} if body.strip() else {})}
    made = (await found.send(SERVICE, "POST", f"{path}/reviews", given)).value
    row = (await found.get(SERVICE, f"{path}/reviews/{said(made, 'id')}")).value
    states = {"approve": "APPROVED", "request_changes": "CHANGES_REQUESTED", "comment": "COMMENTED"}
    good = said(row, "state") == states[wanted]
    return _done(
        good,
        f"the review of commit {sha[:8]} stands as {said(row, 'state').lower() or 'unknown'}",
        "reviewed",
    )


async def _merge(found: ChangeServices, name: str, number: int, title: str, body: str) -> ToolResult:
    path = f"/repos/{name}/pulls/{number}"
    row = (await found.get(SERVICE, path)).value
    if said(row, "merged") == "yes":
        return ToolResult(f"Pull request #{number} is merged already. Nothing was changed.", "merged already")
    if said(row, "state") != "open":
        raise ToolFailed(
            f"Pull request #{number} is {said(row, 'state') or 'in an unknown state'}. Nothing was changed."
        )
    given: dict[str, Any] = {"sha": _sha(row)}  # what is pushed meanwhile is not merged unseen
    given |= {"commit_title": title.strip()} if title.strip() else {}
    given |= {"commit_message": body} if body.strip() else {}
    await found.send(SERVICE, "PUT", f"{path}/merge", given)
    row = (await found.get(SERVICE, path)).value
    good = said(row, "merged") == "yes"
    commit = said(row, "merge_commit_sha")[:8]
    return _done(
        good, f"pull request #{number} was merged{f' as {commit}' if good and commit else ''}", "merged"
    )


def _done(good: bool, what: str, summary: str) -> ToolResult:
    if good:
        return ToolResult(f"Verified: {what}.", summary)
    return ToolResult(
        f"Unverified: {what}, but GitHub does not show it as asked for.", f"{summary}, unverified"
    )
