"""What the GitHub tools share: which repository is meant, and how rows, people and texts are told."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from tools import ReadServices, ToolFailed

SERVICE = "github"
TEXT = 4_000
"""Characters of one body or comment that are shown."""
_REPO = re.compile(
    r"(?:https?://[^/\s]+/|git@[^:\s]+:)?([A-Za-z0-9._-]{1,100})/([A-Za-z0-9._-]{1,100}?)(?:\.git)?/?\Z"
)


def services(found: ReadServices | None) -> ReadServices:
    """Return the services of a context. Raises ToolFailed where there are none."""
    if found is None:
        raise ToolFailed("GitHub cannot be reached from here.")
    return found


def repository(repo: str) -> str:
    """Return OWNER/NAME as part of a path; also out of an address. Raises ToolFailed."""
    found = _REPO.match(repo.strip())
    if not found or {found[1], found[2]} & {".", ".."}:
        raise ToolFailed(
            f"Give repo as owner/name; {repo!r} is none." if repo.strip() else "Give repo as owner/name."
        )
    return f"{found[1]}/{found[2]}"


def numbered(number: int) -> int:
    """Return the number of an issue or pull request. Raises ToolFailed."""
    if number < 1:
        raise ToolFailed("Give its number.")
    return number


def said(row: Any, *keys: str) -> str:
    """Return the text, number or yes below keys, "" for nothing."""
    for key in keys:
        row = row.get(key) if isinstance(row, dict) else None
    if isinstance(row, bool):
        return "yes" if row else "no"
    return str(row) if isinstance(row, str | int | float) else ""


def rows(value: Any, key: str = "") -> list[Mapping[str, Any]]:
    """Return the objects of a list; [] for anything else."""
    found = value.get(key) if key and isinstance(value, dict) else value
    return [row for row in found if isinstance(row, dict)] if isinstance(found, list) else []


def person(row: Mapping[str, Any]) -> str:
    """Return who wrote it."""
    return said(row, "user", "login") or "ghost"


def day(text: str) -> str:
    """Return the day of a time."""
    return text[:10]


def body(text: str) -> str:
    """Return a text of somebody, cut."""
    text = text.replace("\r\n", "\n").strip()
    return text if len(text) <= TEXT else f"{text[:TEXT].rstrip()}\n[{len(text) - TEXT:,} more characters]"


def labels(row: Mapping[str, Any]) -> str:
    """Return the labels in brackets, "" for none."""
    names = [said(one, "name") for one in rows(row, "labels")]
    return f" [{', '.join(filter(None, names))}]" if any(names) else ""


def line(row: Mapping[str, Any], *, where: bool = False) -> str:
    """Return an issue or pull request on one line; `where` names its repository too."""
    place = said(row, "repository_url").rpartition("/repos/")[2] if where else ""
    state = "draft" if row.get("draft") is True else said(row, "state")
    comments = f", {said(row, 'comments')} comments" if row.get("comments") else ""
    return (
        f"{place}#{said(row, 'number')} {' '.join(said(row, 'title').split())}{labels(row)} "
        f"({state}, {person(row)}, updated {day(said(row, 'updated_at'))}{comments})"
    )


def listed(value: Any, more: bool, kind: str, *, where: bool = False, total: str = "") -> tuple[str, str]:
    """Return a list as text and its summary."""
    found = rows(value)
    if not found:
        return f"There are no {kind}s that fit.", f"no {kind}s"
    lines = [line(row, where=where) for row in found]
    if more:
        lines.append(f"[there are more{f', {total} in all' if total else ''}; narrow it with query]")
    return "\n".join(lines), f"{len(found)} {kind}{'' if len(found) == 1 else 's'}"


async def comments(found: ReadServices, path: str, limit: int = 30) -> list[str]:
    """Return the comments below a path, oldest first, each with who wrote it."""
    reply = await found.rows(SERVICE, path, limit=limit)
    lines: list[str] = []
    for row in rows(reply.value):
        verdict = f" {said(row, 'state').lower().replace('_', ' ')}" if "state" in row else ""
        where = f" on {said(row, 'path')}" if said(row, "path") else ""
        text = body(said(row, "body"))
        when = day(said(row, "created_at") or said(row, "submitted_at"))
        if text or verdict:
            lines += ["", f"--- {person(row)}{verdict}{where}, {when}:", *([text] if text else [])]
    return [*lines, "", "[there are more comments]"] if reply.more else lines


def search_words(query: str, *further: str) -> dict[str, str]:
    """Return the parameters of a search."""
    return {"q": " ".join(filter(None, (*further, query.strip()))), "sort": "updated"}
